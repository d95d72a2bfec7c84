import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/contract/json/json.ts';
import type { AsOf } from '../../src/contract/time/moments.ts';
import { MacroError } from '../../src/errors.ts';
import type { Question } from '../../src/source/source.ts';
import { OWNER, question, world } from '../source/world.ts';
import fc, { draws } from '../support/properties.ts';
import { BEGIN, type Look, looks, publicMoments, publicState, rowsOf } from './as-of-streams.ts';

const NOW = (BEGIN + 1_000_000) * 1000;
const WINDOW = { start_date: '2026-01-01', end_date: '2026-12-31' };
const OF = { EUR: 'policy_rate', USD: 'policy_rate' } as const;

type World = Awaited<ReturnType<typeof world>>;
type Kind = 'announcements' | 'forex';

/** The series of a world: two that are compared with each other, and two legs of a cross. */
const SERIES = {
  eur: ask('announcements', { currency: 'EUR', indicator: OF.EUR }),
  usd: ask('announcements', { currency: 'USD', indicator: OF.USD }),
  eurusd: ask('forex', { base: 'EUR', quote: 'USD' }),
  eurgbp: ask('forex', { base: 'EUR', quote: 'GBP' }),
} as const;

type Name = keyof typeof SERIES;
const NAMES = Object.keys(SERIES) as Name[]; // its own keys

function ask(
  kind: Kind | 'rate_differentials' | 'announcements_latest',
  path: Record<string, string>,
  query = {},
): Question {
  return question(kind, path, kind === 'announcements_latest' ? {} : { ...WINDOW, ...query });
}

/** No page that was ever received: those are given as they came, with what they say besides. */
const PAGED = { limit: '50' };

/** Ordinary and composed questions about them, technical indicators included. */
const QUESTIONS: readonly Question[] = [
  ask('announcements', { currency: 'USD', indicator: OF.USD }, PAGED),
  ask('forex', { base: 'EUR', quote: 'USD' }, PAGED),
  ask('forex', { base: 'EUR', quote: 'USD' }, { indicators: 'sma_20,rsi_14', limit: '1', offset: '1' }),
  ask('forex', { base: 'GBP', quote: 'USD' }),
  ask('rate_differentials', { base: 'EUR', quote: 'USD' }, { measure: 'policy_rate' }),
  ask('announcements_latest', { currency: 'USD' }),
];

async function take(made: World, name: Name, { at, state }: Look): Promise<void> {
  const asked = SERIES[name];
  const rows = rowsOf(state, lists[name]);
  const pagination = { limit: 100, offset: 0, returned_count: rows.length, total_count: rows.length, has_more: false };
  await made.take(asked, { ...asked.args, unit: '%', data: rows, pagination } as JsonObject, {
    at: at * 1000,
    isAll: true,
  });
}

/** The rows of an answer, or that nothing is known; without what only an answer of the past says of itself. */
async function told({ source }: World, asked: Question, context: { now: number; asOf?: AsOf }): Promise<unknown> {
  try {
    const { body } = await source.ask(asked, { caller: OWNER, ...context });
    const { data, count, indicators, pagination } = JSON.parse(body);
    if (data.length === 0) return 'nothing';
    return { data, count, indicators, total: pagination?.total_count };
  } catch (error) {
    if (error instanceof MacroError && error.kind === 'notFound') return 'nothing';
    throw error;
  }
}

const lists: Readonly<Record<Name, boolean>> = { eur: true, usd: true, eurusd: false, eurgbp: false };
const streams = fc.record(
  Object.fromEntries(NAMES.map((name) => [name, looks(lists[name])])) as Record<Name, fc.Arbitrary<readonly Look[]>>,
);
const moment = fc.integer({ min: BEGIN - 5, max: BEGIN + 400 });

/** Looks of all series in the order of time. */
function inTime(drawn: Readonly<Record<Name, readonly Look[]>>): readonly { name: Name; look: Look }[] {
  return NAMES.flatMap((name) => drawn[name].map((look) => ({ name, look }))).sort((a, b) => a.look.at - b.look.at);
}

/** On a server a history of looks takes ten times as long, and its statements are held to the same elsewhere. */
const RUNS = draws(process.env.MACRO_TEST_ENGINE === 'PostgreSQL' ? 2 : 8);

describe('look-ahead is impossible', () => {
  test('to the mirror an answer is the one that was given then, and stays it whatever comes later', async () => {
    await fc.assert(
      fc.asyncProperty(streams, fc.array(moment, { minLength: 1, maxLength: 3 }), async (drawn, moments) => {
        const [whole, recorder] = [await world(), await world()];
        const pending = [...moments].sort((a, b) => a - b);
        const then: { at: number; answers: unknown[] }[] = [];
        for (const { name, look } of inTime(drawn)) {
          while (pending[0] !== undefined && pending[0] < look.at)
            then.push(await answersNow(recorder, pending.shift() ?? 0));
          await take(whole, name, look);
          await take(recorder, name, look);
        }
        for (const { at, answers } of then)
          expect([at, await answersAsOf(whole, { at, by: 'mirrored' })]).toEqual([at, answers]);
      }),
      { numRuns: RUNS },
    );
  }, 120_000);

  test('to the public it is the one of a recorder that wrote down everything when it was known', async () => {
    await fc.assert(
      fc.asyncProperty(streams, moment, async (drawn, at) => {
        const [whole, recorder] = [await world(), await world()];
        for (const { name, look } of inTime(drawn)) await take(whole, name, look);
        for (const name of NAMES) {
          const isDated = lists[name];
          for (const known of publicMoments(drawn[name], isDated).filter((time) => time <= at)) {
            const state = publicState(drawn[name], { isDated, moment: known });
            await take(recorder, name, { at: known, state });
          }
        }
        expect(comparable(await answersAsOf(whole, { at, by: 'public' }))).toEqual(
          comparable((await answersNow(recorder, at)).answers),
        );
      }),
      { numRuns: RUNS },
    );
  }, 240_000);

  test('a row shows nothing that is dated after the moment', async () => {
    await fc.assert(
      fc.asyncProperty(looks(true), moment, async (drawn, at) => {
        const made = await world();
        for (const look of drawn) await take(made, 'usd', look);
        const answer = await told(made, SERIES.usd, { now: NOW, asOf: { at: at * 1000, by: 'public' } });
        const times = [...JSON.stringify(answer).matchAll(/"(?:epoch|announcement_datetime)":(\d+)/g)].map(([, time]) =>
          Number(time),
        );
        expect(times.filter((time) => time > at)).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  }, 120_000);
});

async function answersNow(made: World, at: number): Promise<{ at: number; answers: unknown[] }> {
  const answers: unknown[] = [];
  for (const asked of QUESTIONS) answers.push(await told(made, asked, { now: at * 1000 }));
  return { at, answers };
}

async function answersAsOf(made: World, { at, by }: AsOf): Promise<unknown[]> {
  const answers: unknown[] = [];
  for (const asked of QUESTIONS) answers.push(await told(made, asked, { now: NOW, asOf: { at: at * 1000, by } }));
  return answers;
}

/** A recorder keeps values, not the lists that told them. */
function comparable(answers: unknown): unknown {
  return JSON.parse(JSON.stringify(answers, (name, value) => (name === 'revisions' ? undefined : value)));
}
