import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { freshFolder } from '../support/platform.ts';
import { IS_LONG, inRounds, LONGEST_MS, type Round } from './rounds.ts';
import { type Scenario, scenariosOn } from './scenarios.ts';
import { statesLeftBehind, strikingServer } from './strikes.ts';
import { ENGINES, inPlace, refusedOrDone, serviceDays, soundHash } from './world.ts';

const [sqlite, postgres] = ENGINES;
if (!sqlite || !postgres) throw new Error('there are two engines');
const engineOfServer = postgres;

describe('killed at every write', () => {
  it('a file ends as if nothing had happened', { timeout: LONGEST_MS }, async () => {
    const scenarios = scenariosOn(sqlite, await serviceDays());
    const left = new Map<string, FileRun>();
    await inRounds('killed at every write, SQLite', scenarios.length, async (round) => {
      const scenario = scenarios[round.number % scenarios.length];
      if (!scenario) return;
      const run = left.get(scenario.name) ?? (await runOnFile(scenario, round));
      left.set(scenario.name, run);
      await killFile(scenario, run, round);
    });
  });

  it.skipIf(postgres.isMissing)('a server ends as if nothing had happened', { timeout: LONGEST_MS }, async () => {
    const scenarios = scenariosOn(postgres, await serviceDays());
    const runs = new Map<string, ServerRun>();
    // A scenario on a server takes three times as long, and the long check has them all.
    await inRounds('killed at every write, PostgreSQL', 4, async (round) => {
      const scenario = scenarios[round.number % scenarios.length];
      if (!scenario) return;
      const run = runs.get(scenario.name) ?? (await runOnServer(scenario));
      runs.set(scenario.name, run);
      // Every statement once before any is struck again, in an order that the seed decides.
      const turn = Math.floor(round.number / scenarios.length) % run.statements;
      const at = IS_LONG ? (turn * strideOf(run.statements) + 1) % run.statements : round.below(run.statements);
      if (turn < run.statements) round.count('statements struck');
      await inPlace(postgres, async (place) => {
        await scenario.prepare(place);
        const end = await refusedOrDone(
          async () => (await strikingServer(at, 'killed', () => scenario.act(place))).result,
        );
        if (end && !(end instanceof Error)) expect(end.outcome).not.toBe('complete');
        await scenario.finish(place);
        expect(await soundHash(place), `${scenario.name}, statement ${at}`).toBe(run.hash);
      });
    });
  });
});

interface FileRun {
  readonly hash: string;
  readonly copies: readonly string[];
  /** How often the copies were looked at. */
  looks: number;
}

/** The scenario without a fault, and every state that its file was in. */
async function runOnFile(scenario: Scenario, round: Round): Promise<FileRun> {
  const path = join(freshFolder(), 'mirror.db');
  await scenario.prepare(path);
  const { copies, writes } = await statesLeftBehind(path, () => scenario.act(path));
  await scenario.finish(path);
  round.count('writes', writes);
  round.count('states of the disk', copies.length);
  return { hash: await soundHash(path), copies, looks: 0 };
}

/**
 * Takes up a file where a killed program left it: as each write found it, and with a log that ends in the middle, as the disk has it
 * when the kill falls between two writes of the system.
 */
async function killFile(scenario: Scenario, run: FileRun, round: Round): Promise<void> {
  const states = IS_LONG ? run.copies.length : Math.min(run.copies.length, 2);
  for (let taken = 0; taken < states; taken += 1) {
    const copy = IS_LONG ? run.copies[taken] : run.copies[round.below(run.copies.length)];
    if (copy === undefined) return;
    // Of what was looked at whole, later rounds look at the log cut off.
    const cut = run.looks > 0 || !IS_LONG ? cutOf(copy, round) : undefined;
    const place = `${copy}-again`;
    mkdirSync(place);
    const path = join(place, 'mirror.db');
    copyIfThere(copy, path);
    copyIfThere(`${copy}-wal`, `${path}-wal`, cut);
    copyIfThere(`${copy}-journal`, `${path}-journal`);
    await soundHash(path);
    await scenario.finish(path);
    expect(await soundHash(path), `${scenario.name}, state ${taken}, log cut at ${cut}`).toBe(run.hash);
    rmSync(place, { recursive: true });
    round.count(cut === undefined ? 'kills' : 'kills within a write');
  }
  run.looks += 1;
}

const HEADER_BYTES = 32;
const FRAME_BYTES = 16_384 + 24;

/** Where the log ends: behind any frame, or in the middle of one. */
function cutOf(copy: string, round: Round): number | undefined {
  const size = bytesOf(`${copy}-wal`)?.length ?? 0;
  if (size <= HEADER_BYTES) return undefined;
  const frame = round.below(Math.floor((size - HEADER_BYTES) / FRAME_BYTES) + 1);
  const torn = round.below(2) * round.below(FRAME_BYTES);
  return Math.min(size, HEADER_BYTES + frame * FRAME_BYTES + torn);
}

function bytesOf(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

function copyIfThere(from: string, to: string, bytes?: number): void {
  const found = bytesOf(from);
  if (!found) return;
  if (bytes === undefined) copyFileSync(from, to);
  else writeFileSync(to, found.subarray(0, bytes));
}

interface ServerRun {
  readonly hash: string;
  readonly statements: number;
}

async function runOnServer(scenario: Scenario): Promise<ServerRun> {
  return inPlace(engineOfServer, async (place) => {
    await scenario.prepare(place);
    const { statements } = await strikingServer(-1, 'killed', () => scenario.act(place));
    await scenario.finish(place);
    return { hash: await soundHash(place), statements };
  });
}

/** A step that meets every number below a bound once. */
function strideOf(bound: number): number {
  let stride = Math.max(1, Math.floor(bound * 0.618));
  while (divisor(stride, bound) !== 1) stride += 1;
  return stride;
}

function divisor(a: number, b: number): number {
  return b === 0 ? a : divisor(b, a % b);
}
