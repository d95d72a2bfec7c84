import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { MacroError } from '../../src/errors.ts';
import { edit, page, rate } from '../mirror/support.ts';
import { freshFolder } from '../support/platform.ts';
import { SERVICE_URL } from '../support/service.ts';
import { inRounds, LONGEST_MS, type Round } from './rounds.ts';
import { statesLeftBehind } from './strikes.ts';
import { openAt, refusedOrDone, serviceDays, soundHash, syncAt } from './world.ts';

const COMMITS = 120;

const path = join(freshFolder(), 'mirror.db');

/** A mirror of many transactions: a day of a service, and a series that changes often. Made by the first test that needs it. */
interface Transactions {
  readonly hash: string;
  /** The file beside its log. */
  readonly withLog: string;
}

let made: Promise<Transactions> | undefined;

function manyTransactions(): Promise<Transactions> {
  made ??= makeTransactions();
  return made;
}

async function makeTransactions(): Promise<Transactions> {
  const { before } = await serviceDays();
  await syncAt(path, before);
  const { copies } = await statesLeftBehind(path, async () => {
    const mirror = await openAt(path);
    for (let n = 0; n < COMMITS; n += 1) {
      const rows = [rate('2026-11-20', n), rate(`2026-11-${String((n % 19) + 1).padStart(2, '0')}`, n)];
      await mirror.commitPage(page(rows, { nature: 'synthetic', series: RATES }));
    }
    mirror.close();
  });
  return { withLog: copies.at(-2) ?? path, hash: await soundHash(path) };
}

const RATES = { origin: SERVICE_URL, endpoint: 'forex', scope: { base: 'EUR', quote: 'CHF' } };

it('damage of any page is found, or it changed nothing that is held', { timeout: LONGEST_MS }, async () => {
  const { hash } = await manyTransactions();
  const whole = readFileSync(path);
  const copy = `${path}.hurt`;
  await inRounds('damage of a page', 20, async (round) => {
    writeFileSync(copy, damaged(whole, round));
    const found = await findingsOf(copy);
    if (found === undefined) round.count('refused when opened or read');
    else if (found.problems > 0) round.count('found by the check');
    else {
      expect(found.hash).toBe(hash);
      round.count('without an effect');
    }
    for (const end of ['', '-wal', '-shm']) rmSync(copy + end, { force: true });
  });
});

it('a log with damage ends before it, with whole transactions', { timeout: LONGEST_MS }, async () => {
  const { withLog, hash } = await manyTransactions();
  const log = readFileSync(`${withLog}-wal`);
  const place = `${withLog}.hurt`;
  expect(log.length).toBeGreaterThan(COMMITS * 16_384);
  await inRounds('damage of the log', 12, async (round) => {
    copyFileSync(withLog, place);
    writeFileSync(`${place}-wal`, damaged(log, round));
    const end = await refusedOrDone(() => soundHash(place));
    if (end instanceof MacroError) throw end;
    round.count(end === hash ? 'logs that held' : 'logs that ended early');
    for (const ending of ['', '-wal', '-shm']) rmSync(place + ending, { force: true });
  });
});

it('a log that was brought into the file in part is brought in again', { timeout: LONGEST_MS }, async () => {
  const { withLog } = await manyTransactions();
  const old = readFileSync(withLog);
  // Whoever closes a file last brings its log into it.
  const done = `${withLog}.done`;
  for (const ending of ['', '-wal']) copyFileSync(withLog + ending, done + ending);
  const hash = await soundHash(done);
  const whole = readFileSync(done);
  const place = `${withLog}.part`;
  await inRounds('killed within a checkpoint', 8, async (round) => {
    const mixed = Buffer.alloc(Math.max(old.length, round.below(2) * whole.length));
    old.copy(mixed);
    for (let at = 0; at < mixed.length; at += PAGE_BYTES)
      if (round.below(2) === 0) whole.copy(mixed, at, at, at + PAGE_BYTES);
    writeFileSync(place, mixed);
    copyFileSync(`${withLog}-wal`, `${place}-wal`);
    expect(await soundHash(place)).toBe(hash);
    round.count('checkpoints cut off');
    for (const ending of ['', '-wal', '-shm']) rmSync(place + ending, { force: true });
  });
});

it('whatever another program writes into a row is found', { timeout: LONGEST_MS }, async () => {
  await manyTransactions();
  const copy = `${path}.edited`;
  await inRounds('rows altered by hand', 10, async (round) => {
    copyFileSync(path, copy);
    const change = round.one(['val = val + 1', "text = replace(text, '}', ' }')", "date = '1999-01-01'"]);
    edit(copy, `update fx_daily set ${change} where date = '2026-11-${10 + round.below(9)}'`);
    const found = await findingsOf(copy);
    if (found) expect(found.problems).toBeGreaterThan(0);
    round.count('alterations');
    for (const ending of ['', '-wal', '-shm']) rmSync(copy + ending, { force: true });
  });
});

const PAGE_BYTES = 16_384;

/** Bytes with one piece turned into zeros, other bytes or the bytes of another place, or with their end missing. */
function damaged(whole: Buffer, round: Round): Buffer {
  const hurt = Buffer.from(whole);
  const at = round.below(hurt.length);
  const size = 1 + round.below(round.one([1, 16, 512, PAGE_BYTES]));
  const kind = round.one(['zeros', 'bytes', 'bit', 'moved', 'cut']);
  if (kind === 'zeros') hurt.fill(0, at, Math.min(at + size, hurt.length));
  if (kind === 'bytes') hurt.set(round.random.bytes(Math.min(size, hurt.length - at)), at);
  if (kind === 'bit') hurt[at] = (hurt[at] ?? 0) ^ (1 << round.below(8));
  if (kind === 'moved') whole.copy(hurt, at, round.below(whole.length), round.below(whole.length) + size);
  return kind === 'cut' ? hurt.subarray(0, at) : hurt;
}

/** What a check says of a file; undefined when it is refused. Any error but one of the program is a violation. */
async function findingsOf(path: string): Promise<{ problems: number; hash: string } | undefined> {
  const end = await refusedOrDone(async () => {
    const mirror = await openAt(path);
    try {
      const { findings, hash } = await mirror.verify();
      return { problems: findings.filter(({ level }) => level === 'problem').length, hash };
    } finally {
      mirror.close();
    }
  });
  return end instanceof MacroError ? undefined : end;
}
