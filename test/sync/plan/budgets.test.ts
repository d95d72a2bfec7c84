import { expect, it } from 'vitest';
import { keptForPeople } from '../../../src/client/quota/budget.ts';
import { costOf, type PlannedBudget } from '../../../src/sync/plan/budgets.ts';
import { testPlatform } from '../../support/platform.ts';
import { macro } from '../../support/run.ts';

const NOW = Date.parse('2026-11-20T15:00:40Z');
const START = { now: NOW, heldUntil: undefined };

/** A minute that ends in 20 seconds, of which two requests in ten are kept for people. */
const minute = (left: number): PlannedBudget => ({
  ...{ window: 'minute', limit: 10, left, leftForRun: Math.max(0, left - 2), resetsAt: NOW + 20_000 },
});

it('keeps two of these ten requests for people', () => {
  expect(keptForPeople('minute', 10)).toBe(2);
});

// Eight requests a minute for the run. 7 + 8 + 8 + 1: it ends in the third minute after this one.
it.each([
  ['nothing to ask', 0, 10, { seconds: 0, left: 10, after: 10 }],
  ['what fits', 8, 10, { seconds: 0, left: 10, after: 2 }],
  ['one more than fits', 9, 10, { seconds: 20, left: 10, after: 9 }],
  ['all of the next minute too', 16, 10, { seconds: 20, left: 10, after: 2 }],
  ['one of a third minute', 17, 10, { seconds: 80, left: 10, after: 9 }],
  ['a minute of which people took one', 24, 9, { seconds: 140, left: 9, after: 9 }],
  ['a minute of which nothing is left for a run', 1, 1, { seconds: 20, left: 1, after: 9 }],
])('%s: what is left counts what people may ask, the wait does not', (_, requests, left, expected) => {
  const { seconds, after, ...found } = expected;
  expect(costOf(requests, [minute(left)], START)).toEqual({
    seconds,
    budgets: [{ window: 'minute', limit: 10, ...found, after }],
  });
});

it('the plan finds of each budget what macro quota shows', async () => {
  const env = { MACRO_BASE_URL: 'http://127.0.0.1:8787', MACRO_API_KEY: 'k-test' };
  const at = testPlatform({ now: NOW, env });
  const { budgets } = JSON.parse((await macro('sync --plan calendar usd --format json', at)).out);
  const { data } = JSON.parse((await macro('quota --format json', at)).out);
  const shown = (rows: readonly Record<string, unknown>[], name: string) =>
    rows.filter((row) => row[name] !== 'concurrency').map((row) => [row[name], row.limit, row.left]);
  expect(shown(budgets, 'window')).toEqual([
    ['minute', 300, 300],
    ['hour', 5000, 5000],
    ['month', 1_000_000, 1_000_000],
  ]);
  expect(shown(data, 'budget')).toEqual(shown(budgets, 'window'));
});
