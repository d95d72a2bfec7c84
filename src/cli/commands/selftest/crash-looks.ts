// A writer that is killed at random moments, and its log cut off anywhere.
import { join } from 'node:path';
import { type Diagnosis, fine, problemOf } from '../doctor/look.ts';
import { lastSaid, openTestMirror, playApart, type SelftestBench, soundNumber, unsafe } from './test-mirror.ts';

const KILLS = 15;
const LONGEST_MS = 60_000;
const CUTS = 20;
/** Milliseconds of writing, from the first commit on. */
const WRITTEN_MS = 800;

/** Kills a program that writes. What it said was committed must be there, whole, and the check must find nothing. */
export async function crashLook({ app, folder }: SelftestBench): Promise<Diagnosis> {
  const { platform } = app;
  const path = join(folder, 'killed.db');
  const end = platform.clock.now() + LONGEST_MS;
  let commits = 0;
  let kills = 0;
  for (; kills < KILLS && platform.clock.now() < end; kills += 1) {
    const writing = () => platform.clock.sleep(platform.random.number() * WRITTEN_MS, app.signal);
    const said = lastSaid(await playApart(app, 'write', path, writing));
    app.signal.throwIfAborted();
    if (!platform.files.exists(path)) continue;
    const found = await soundNumber(platform, path);
    if (found < Math.max(said, commits))
      return problemOf(
        'kills',
        unsafe(`Commit ${Math.max(said, commits)} was told to be kept, and ${found} is the last one`),
      );
    commits = found;
  }
  if (commits === 0) return problemOf('kills', unsafe(`No program could commit anything in ${folder}`));
  return fine('kills', `${kills} kills while ${commits} commits were written: nothing lost, nothing in part`);
}

/** Cuts the log of a killed writer off, as a loss of power does: whole transactions must be left. */
export async function cutLogLook(bench: SelftestBench): Promise<Diagnosis> {
  const { app, folder } = bench;
  const { files, random } = app.platform;
  const path = join(folder, 'cut.db');
  const { file, log } = await killedWriter(bench, path);
  const copy = join(folder, 'cut-copy.db');
  let fewest = Number.POSITIVE_INFINITY;
  for (let cut = 0; cut < CUTS; cut += 1) {
    files.write(copy, file);
    files.write(`${copy}-wal`, log.subarray(0, Math.floor(random.number() * log.length)));
    fewest = Math.min(fewest, await soundNumber(app.platform, copy));
    for (const ending of ['', '-wal', '-shm']) files.remove(copy + ending);
  }
  const whole = await soundNumber(app.platform, path);
  if (fewest > whole) return problemOf('log', unsafe('A log that was cut off held more than the whole one'));
  return fine('log', `${CUTS} cuts through a log of ${whole} commits: each left whole commits only`);
}

/** How often a writer is given half of the time, so that its log is not taken over into the file before it is killed. */
const MOST_WRITERS = 8;

/**
 * A file and the log of all that was committed since. What a log had when it was taken over into the file was made safe
 * before: no loss of power takes that from it, and the file without it is one that no disk leaves behind.
 * @throws MacroError of kind `mirror`.
 */
async function killedWriter(
  { app, folder }: SelftestBench,
  path: string,
): Promise<{ readonly file: Uint8Array; readonly log: Uint8Array }> {
  const { platform } = app;
  const { files, clock } = platform;
  for (let writer = 0; writer < MOST_WRITERS; writer += 1) {
    for (const ending of ['', '-wal', '-shm']) files.remove(path + ending);
    (await openTestMirror(platform, path)).close();
    const empty = files.readBytes(path);
    const writing = () => clock.sleep(WRITTEN_MS / 2 ** writer, app.signal);
    const said = lastSaid(await playApart(app, 'write', path, writing));
    app.signal.throwIfAborted();
    if (said === 0) throw unsafe(`No program could commit anything in ${folder}`);
    if (!files.exists(`${path}-wal`)) throw unsafe('The writer left no log behind');
    const file = files.readBytes(path);
    if (Buffer.compare(file, empty) === 0) return { file, log: files.readBytes(`${path}-wal`) };
  }
  throw unsafe('A log was taken over into its file with each of a few commits');
}
