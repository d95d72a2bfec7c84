// The mirror that a self-test breaks, and the parts that its other processes play.
import { asJsonText } from '../../../contract/json/json.ts';
import { MAPPINGS } from '../../../endpoints/index.ts';
import { MacroError } from '../../../errors.ts';
import type { Mirror, MirrorReader, NewRow, PageCommit } from '../../../mirror/api/mirror.ts';
import { openMirror } from '../../../mirror/sqlite/open.ts';
import type { Platform, Ran } from '../../../platform/platform.ts';
import type { App } from '../../app/app.ts';

/** What a look has to work with. */
export interface SelftestBench {
  readonly app: App;
  /** A folder of its own on the disk. */
  readonly folder: string;
}

/** Tells a process of ours which part it plays: `write` or `lock`, and the file. */
export const PART_VARIABLE = 'MACRO_SELFTEST_PART';

/** A program that has not said a word by then cannot do on this disk what it was started for. */
const LONGEST_PART_MS = 60_000;

/** Rows of each commit: all of them have its number as their value, so half a commit shows. */
const ROWS = 40;
const SERIES = { origin: 'sandbox', endpoint: 'forex', scope: { base: 'EUR', quote: 'USD' } };

export function openTestMirror(platform: Platform, path: string, mode: 'write' | 'read' = 'write'): Promise<Mirror> {
  return openMirror({ path, mappings: MAPPINGS, platform, mode });
}

/** One commit: every row gets its number. */
export function numberedCommit(number: number, at: number): PageCommit {
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

/**
 * The number of the last commit that a mirror holds, 0 when none.
 * @throws MacroError of kind `mirror`.
 */
export async function lastNumber(reader: MirrorReader): Promise<number> {
  const [series] = await reader.find({ ...SERIES, exact: true });
  if (!series) return 0;
  const values = (await reader.rows(series, {})).map(({ columns }) => Number(columns.val));
  const [first = 0] = values;
  if (values.length === ROWS && values.every((value) => value === first)) return first;
  throw unsafe(`A commit is there in part: ${values.length} rows with the numbers ${[...new Set(values)].join(', ')}`);
}

/**
 * The number of the last commit of a file on which everything holds.
 * @throws MacroError of kind `mirror`.
 */
export async function soundNumber(platform: Platform, path: string): Promise<number> {
  const mirror = await openTestMirror(platform, path);
  try {
    const { findings } = await mirror.verify();
    const problem = findings.find(({ level }) => level === 'problem');
    if (problem) throw unsafe(`The check found: ${problem.detail}`);
    return await lastNumber(mirror);
  } finally {
    mirror.close();
  }
}

export function unsafe(message: string): MacroError {
  return new MacroError('mirror', `${message}.`, {
    code: 'disk_unsafe',
    hint: 'Keep the mirror on a local disk of this machine: macro config set mirror FILE',
  });
}

/**
 * Starts this program in a part, and kills it once `meanwhile` is over. That begins with the first word of the part: how long
 * a busy machine takes to start a program says nothing about its disk.
 */
export async function playApart(
  { platform }: App,
  part: 'write' | 'lock',
  path: string,
  meanwhile: () => Promise<unknown>,
): Promise<Ran> {
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
export async function playPart(app: App, part: string): Promise<void> {
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

/** The last number that a writer said was committed. */
export function lastSaid({ stdout }: Ran): number {
  return Number(stdout.trim().split('\n').at(-1) || 0);
}
