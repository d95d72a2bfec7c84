import { dirname, join, resolve } from 'node:path';
import { asJsonText } from '../../contract/json/json.ts';
import { MAPPINGS } from '../../endpoints/index.ts';
import { type ErrorKind, MacroError, unlessRefused } from '../../errors.ts';
import type { Mirror, MirrorReader } from '../../mirror/api/mirror.ts';
import type { AnswerCommit, NewRow } from '../../mirror/api/page-commit.ts';
import { isServerAddress } from '../../mirror/rules/engine.ts';
import { openMirror } from '../../mirror/sqlite/open.ts';
import type { Platform, Ran } from '../../platform/platform.ts';
import type { App } from '../app/app.ts';
import { textOption } from '../parse/options.ts';
import { checkSafely, DIAGNOSIS, type Diagnosis, findings, presentFolder, printChecks } from './checks.ts';
import type { Call, CommandDeclaration } from './command.ts';
import { LISTING } from './common-options.ts';

/** Kills, locks and damages a mirror of its own on the disk of a person, and looks whether it holds. */
export default [
  {
    path: ['selftest'],
    summary:
      'Check on this disk that a mirror survives kills, damage and other programs: exit 0, or 8 when it does not',
    options: [`--disk DIR [Options]: folder on the disk to check; default: that of the mirror`, LISTING],
    examples: ['selftest', 'selftest --disk . --format json'],
    rows: DIAGNOSIS,
    run: runSelftest,
  },
] satisfies readonly CommandDeclaration[];

const KILLS = 15;
const LONGEST_MS = 60_000;
const CUTS = 20;
/** Milliseconds of writing, from the first commit on. */
const WRITTEN_MS = 800;

const READ_MS = 3_000;
const READERS = 10;

const COMMITS = 100;
const DAMAGES = 15;
const PIECE_BYTES = 64;

/** All of it fits into this many times over. */
const MIN_ROOM_BYTES = 200_000_000;

interface SelftestBench {
  readonly app: App;
  readonly folder: string;
}

/** Tells a process of ours which part it plays: `write` or `lock`, and the file. */
export const PART_VARIABLE = 'MACRO_SELFTEST_PART';

/** A program that has not said a word by then cannot do on this disk what it was started for. */
const LONGEST_PART_MS = 60_000;

/** Rows of each commit: all of them have its number as their value, so half a commit shows. */
const ROWS = 40;
const SERIES = { origin: 'sandbox', endpoint: 'forex', scope: { base: 'EUR', quote: 'USD' } };

const CHECKS = { kills: crashCheck, log: cutLogCheck, lock: lockCheck, readers: readersCheck, damage: damageCheck };

/** Prints one line for each check and leaves nothing behind. @throws MacroError the first problem found. */
async function runSelftest(app: App, call: Call): Promise<void> {
  const part = app.platform.env[PART_VARIABLE];
  if (part !== undefined) return playPart(app, part);
  const disk = diskOf(app, call);
  const { files, pid } = app.platform;
  const checks: Diagnosis[] = [roomCheck(app, disk)];
  const folder = join(disk, `.macro-selftest-${pid}`);
  if (checks.every(({ error }) => !error)) {
    files.makeFolder(folder, 0o700);
    try {
      for (const [name, check] of Object.entries(CHECKS))
        checks.push(...(await checkSafely(name, async () => findings(name).fine(await check({ app, folder })))));
    } finally {
      files.remove(folder);
    }
  }
  await printChecks(app, checks, { title: ['selftest', disk], beside: { disk } });
}

/** The folder that was named, or the nearest one of the mirror that is there. */
function diskOf({ platform: { files, cwd }, settings }: App, call: Call): string {
  const named = textOption(call.options, 'disk');
  if (named !== undefined) {
    const folder = resolve(cwd, named);
    if (files.exists(folder) && !files.look(folder)?.isFile) return folder;
    throw new MacroError('usage', `There is no folder ${folder}.`, {
      code: 'bad_arguments',
      hint: 'Name a folder that is there: --disk .',
    });
  }
  const path = settings.mirror.value;
  return presentFolder(isServerAddress(path) ? settings.folders.mirrors : dirname(resolve(cwd, path)), files);
}

function roomCheck({ platform: { files } }: App, disk: string): Diagnosis {
  const { fine, problem } = findings('disk');
  const room = files.room(disk);
  if (room === undefined) return fine(disk);
  if (room >= MIN_ROOM_BYTES) return fine(`${Math.floor(room / 1e6)} MB free at ${disk}`);
  const message = `Only ${Math.floor(room / 1e6)} MB are free at ${disk}: the checks need ${MIN_ROOM_BYTES / 1e6} MB.`;
  return problem(new MacroError('mirror', message, { code: 'disk_full', hint: 'Name another disk: --disk .' }));
}

/** Kills a program that writes. Every commit that it reported must be complete, and the check must find nothing. */
async function crashCheck({ app, folder }: SelftestBench): Promise<string> {
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
      throw unsafe(`Commit ${Math.max(said, commits)} was reported as stored, and ${found} is the last one`);
    commits = found;
  }
  if (commits === 0) throw unsafe(`No program could commit anything in ${folder}`);
  return `${kills} kills while ${commits} commits were written: nothing lost, nothing in part`;
}

/** Cuts the log of a killed writer off, as a loss of power does: whole transactions must be left. */
async function cutLogCheck(bench: SelftestBench): Promise<string> {
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
  if (fewest > whole) throw unsafe('A log that was cut off had more commits than the whole one');
  return `${CUTS} cuts through a log of ${whole} commits: each left whole commits only`;
}

/** How often a writer is given half of the time, so that its log is not taken over into the file before it is killed. */
const MOST_WRITERS = 8;

/** A file without the log that a loss of power may take. @throws MacroError of kind `mirror`. */
async function killedWriter({ app, folder }: SelftestBench, path: string) {
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

/** Turns bytes of a file: each time the file is refused, or the check reports it, or no stored data has changed. */
async function damageCheck({ app: { platform }, folder }: SelftestBench): Promise<string> {
  const { files, random, clock } = platform;
  const path = join(folder, 'damaged.db');
  const mirror = await openTestMirror(platform, path);
  for (let number = 1; number <= COMMITS; number += 1) await mirror.commitPage(numberedCommit(number, clock.now()));
  mirror.close();
  const whole = files.readBytes(path);
  const hash = (await verified(platform, path))?.hash;
  let found = 0;
  for (let damage = 0; damage < DAMAGES; damage += 1) {
    const hurt = Uint8Array.from(whole);
    hurt.set(random.bytes(PIECE_BYTES), Math.floor(random.number() * (hurt.length - PIECE_BYTES)));
    files.write(path, hurt);
    const check = await verified(platform, path);
    if (!check || check.isAltered) found += 1;
    else if (check.hash !== hash) throw unsafe('Damage of a page was not found');
    for (const ending of ['', '-wal', '-shm']) files.remove(path + ending);
  }
  return `${DAMAGES} times bytes of a page were turned: ${found} were found, the others were in unused space`;
}

/** The result of the check; undefined if the file is refused. */
function verified(platform: Platform, path: string) {
  return unlessRefused(
    () =>
      usingMirror(platform, path, async (mirror) => {
        const { findings: found, hash } = await mirror.verify();
        return { hash, isAltered: found.some(({ level }) => level === 'problem') };
      }),
    only('mirror', undefined),
  );
}

/** Another program takes the lock of a sync and is killed: it must keep us out meanwhile, and not longer. */
function lockCheck({ app, folder }: SelftestBench): Promise<string> {
  const path = join(folder, 'locked.db');
  return usingMirror(app.platform, path, async (mirror) => {
    let isKeptOut: boolean | undefined;
    // Looked for only while the other program says that it has the lock: taking it earlier would keep that one out.
    await playApart(app, 'lock', path, async () => {
      isKeptOut = await isHeld(mirror);
    });
    app.signal.throwIfAborted();
    if (isKeptOut === undefined) throw unsafe(`No program could take a lock in ${folder}`);
    if (!isKeptOut) throw unsafe('A lock of another program is not seen on this disk');
    if (await isHeld(mirror)) throw unsafe('A lock stays behind when its program is killed');
    return 'another program keeps us out, and its lock goes when it is killed';
  });
}

function isHeld(mirror: Mirror): Promise<boolean> {
  const take = async () => {
    await (await mirror.lockSync()).release();
    return false;
  };
  return unlessRefused(take, only('busy', true));
}

/** The answer to refusals of one kind. */
function only<T>(kind: ErrorKind, answer: T): (error: MacroError) => T {
  return (error) => {
    if (error.kind !== kind) throw error;
    return answer;
  };
}

/** Readers beside a writer: each read sees one whole commit, none goes back, and nobody meets an error about locks. */
async function readersCheck({ app, folder }: SelftestBench): Promise<string> {
  const { platform } = app;
  const path = join(folder, 'shared.db');
  (await openTestMirror(platform, path)).close();
  const readers = await Promise.all(Array.from({ length: READERS }, () => openTestMirror(platform, path, 'read')));
  try {
    const seen = readers.map(() => 0);
    let reads = 0;
    const readBeside = async () => {
      const end = platform.clock.now() + READ_MS;
      do {
        for (const [i, reader] of readers.entries()) {
          const number = await lastNumber(reader);
          if (number < (seen[i] ?? 0)) throw unsafe('A reader saw an older state after a newer one');
          seen[i] = number;
          reads += 1;
        }
        await platform.clock.sleep(1, app.signal);
      } while (platform.clock.now() < end);
    };
    await playApart(app, 'write', path, readBeside);
    app.signal.throwIfAborted();
    const last = await soundNumber(platform, path);
    if (reads === 0) throw unsafe(`No program could commit anything in ${folder}`);
    // Each reader read after a commit that was reported as stored.
    if (Math.min(...seen) === 0) throw unsafe('A reader did not see what another program wrote');
    return `${READERS} readers, ${reads} reads beside ${last} commits: one whole state each`;
  } finally {
    for (const reader of readers) reader.close();
  }
}

export async function openTestMirror(platform: Platform, path: string, mode: 'write' | 'read' = 'write') {
  return openMirror({ path, mappings: MAPPINGS, platform, mode });
}

/** One commit: every row gets its number. */
export function numberedCommit(number: number, at: number): AnswerCommit {
  const rows = Array.from({ length: ROWS }, (_, i): NewRow => {
    const value = { date: `2026-${i < 28 ? '01' : '02'}-${String((i % 28) + 1).padStart(2, '0')}`, val: number };
    return { text: asJsonText(JSON.stringify(value)), value };
  });
  const request = 'selftest';
  return {
    ...{ series: SERIES, nature: 'synthetic', access: 'keyless', request, question: request },
    ...{ rows, extent: 'adds', at },
  };
}

/** The number of the last commit that a mirror holds, 0 when none. @throws MacroError of kind `mirror`. */
async function lastNumber(reader: MirrorReader): Promise<number> {
  const [series] = await reader.find({ ...SERIES, exact: true });
  if (!series) return 0;
  const values = (await reader.rows(series, {})).map(({ columns }) => Number(columns.val));
  const [first = 0] = values;
  if (values.length === ROWS && values.every((value) => value === first)) return first;
  throw unsafe(`A commit is there in part: ${values.length} rows with the numbers ${[...new Set(values)].join(', ')}`);
}

/** The number of the last commit of a file on which everything holds. @throws MacroError of kind `mirror`. */
function soundNumber(platform: Platform, path: string): Promise<number> {
  return usingMirror(platform, path, async (mirror) => {
    const problem = (await mirror.verify()).findings.find(({ level }) => level === 'problem');
    if (problem) throw unsafe(`The check found: ${problem.detail}`);
    return lastNumber(mirror);
  });
}

async function usingMirror<T>(platform: Platform, path: string, work: (mirror: Mirror) => Promise<T>): Promise<T> {
  const mirror = await openTestMirror(platform, path);
  try {
    return await work(mirror);
  } finally {
    mirror.close();
  }
}

function unsafe(message: string): MacroError {
  return new MacroError('mirror', `${message}.`, {
    code: 'disk_unsafe',
    hint: 'Keep the mirror on a local disk of this machine: macro config set mirror FILE',
  });
}

/** Starts this program in a part and kills it once `meanwhile`, which begins with its first word, is over. */
async function playApart({ platform }: App, part: 'write' | 'lock', path: string, meanwhile: () => Promise<unknown>) {
  const [program = '', ...words] = platform.program;
  const env = { ...platform.env, [PART_VARIABLE]: `${part} ${path}` };
  const over = new AbortController();
  let running: Promise<unknown> | undefined;
  const hear = () => {
    if (running) return;
    running = meanwhile();
    const kill = () => over.abort();
    running.then(kill, kill);
  };
  const how = { env, longest: LONGEST_PART_MS, isAbrupt: true, hear, signal: over.signal };
  const ran = await platform.run(program, [...words, 'selftest', '--quiet'], how);
  await running;
  return ran;
}

/** Plays a part until it is killed. Its first word says that it has what it wants. */
async function playPart(app: App, part: string): Promise<void> {
  const { platform } = app;
  const [kind, path] = [part.slice(0, part.indexOf(' ')), part.slice(part.indexOf(' ') + 1)];
  const mirror = await openTestMirror(platform, path);
  if (kind === 'lock') {
    await mirror.lockSync();
    await platform.io.stdout.write('held\n');
    return platform.clock.sleep(LONGEST_PART_MS, app.signal);
  }
  for (let number = (await lastNumber(mirror)) + 1; !app.signal.aborted; number += 1) {
    await mirror.commitPage(numberedCommit(number, platform.clock.now()));
    await platform.io.stdout.write(`${number}\n`);
  }
}

function lastSaid({ stdout }: Ran): number {
  return Number(stdout.trim().split('\n').at(-1) || 0);
}
