// A writer that is killed at random moments, and its log cut off anywhere.
import { join } from 'node:path';
import { type Diagnosis, fine, problemOf } from '../doctor/look.ts';
import { lastSaid, playApart, type SelftestBench, soundNumber, unsafe } from './test-mirror.ts';

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
export async function cutLogLook({ app, folder }: SelftestBench): Promise<Diagnosis> {
  const { files, random, clock } = app.platform;
  const path = join(folder, 'cut.db');
  const said = lastSaid(await playApart(app, 'write', path, () => clock.sleep(WRITTEN_MS, app.signal)));
  if (said === 0) return problemOf('log', unsafe(`No program could commit anything in ${folder}`));
  if (!files.exists(`${path}-wal`)) return problemOf('log', unsafe('The writer left no log behind'));
  const [file, log] = [files.readBytes(path), files.readBytes(`${path}-wal`)];
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
