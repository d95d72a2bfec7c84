import { appendFileSync } from 'node:fs';
import type { Random } from '../../src/platform/platform.ts';
import { seededRandom } from '../support/platform.ts';

/** What `npm run torture` sets; without it a bounded sample runs. */
const { MACRO_TORTURE_SECONDS, MACRO_TORTURE_SEED, MACRO_TORTURE_ONLY, MACRO_TORTURE_ROUND, MACRO_TORTURE_COUNTS } =
  process.env;

/** The number that every choice follows from. */
export const SEED = Number(MACRO_TORTURE_SEED ?? 1);

/** Of the time of one kind, what others take: some are done soon, others begin programs and servers. */
const SHARES: readonly (readonly [kind: RegExp, share: number])[] = [
  [/^(killed at every|disk full|network|killed at random)/, 1.6],
  [/^(dribbling|hostile|rows altered|killed within|damage of the log)/, 0.3],
];

/** Whether everything is done for as long as there is time, instead of a sample. */
export const IS_LONG = MACRO_TORTURE_SECONDS !== undefined;

/** A bound on what hangs: a round ends far earlier, and the last one begins before the time is over. */
export const LONGEST_MS = 240_000 + Number(MACRO_TORTURE_SECONDS ?? 0) * 2000;

export interface Round {
  readonly number: number;
  readonly random: Random;
  /** Adds to a figure of the closing list. */
  count(what: string, many?: number): void;
  /** A whole number below a bound. */
  below(bound: number): number;
  /** One of some. */
  one<T>(all: readonly [T, ...T[]]): T;
}

/**
 * Repeats a kind of fault: so many rounds as a sample, else until its share of the time is over. A round follows from the
 * seed and its number alone; what breaks in it says how to repeat it.
 */
export async function inRounds(kind: string, sample: number, work: (round: Round) => Promise<void>): Promise<void> {
  if (MACRO_TORTURE_ONLY !== undefined && MACRO_TORTURE_ONLY !== kind) return;
  const counts = new Map<string, number>();
  const share = SHARES.find(([kinds]) => kinds.test(kind))?.[1] ?? 1;
  const end = Date.now() + Number(MACRO_TORTURE_SECONDS ?? 0) * 1000 * share;
  const [first, last] = boundsOf(sample);
  try {
    for (let number = first; number < last && (number < first + 1 || !IS_LONG || Date.now() < end); number += 1) {
      counts.set('rounds', (counts.get('rounds') ?? 0) + 1);
      await work(roundOf(kind, number, counts)).catch((cause: unknown) => {
        const again = `npm run torture -- --seed ${SEED} --only "${kind}" --round ${number}`;
        throw new Error(`${kind}, round ${number}: ${cause instanceof Error ? cause.message : cause}\n${again}`, {
          cause,
        });
      });
    }
  } finally {
    const line = `${JSON.stringify({ kind, counts: Object.fromEntries(counts) })}\n`;
    if (MACRO_TORTURE_COUNTS !== undefined) appendFileSync(MACRO_TORTURE_COUNTS, line);
  }
}

function boundsOf(sample: number): readonly [first: number, last: number] {
  if (MACRO_TORTURE_ROUND !== undefined) return [Number(MACRO_TORTURE_ROUND), Number(MACRO_TORTURE_ROUND) + 1];
  return [0, IS_LONG ? Number.POSITIVE_INFINITY : sample];
}

function roundOf(kind: string, number: number, counts: Map<string, number>): Round {
  const name = [...`${SEED} ${kind} ${number}`].reduce((sum, sign) => Math.imul(sum, 31) + sign.charCodeAt(0), 7);
  const random = seededRandom(name);
  const below = (bound: number) => Math.floor(random.number() * bound);
  return {
    ...{ number, random, below },
    count: (what, many = 1) => void counts.set(what, (counts.get(what) ?? 0) + many),
    one: (all) => all[below(all.length)] ?? all[0],
  };
}
