import { expect, test } from 'vitest';
import { asJsonText } from '../../src/contract/json/json.ts';
import { createMemoryBudget } from '../../src/contract/memory-budget.ts';
import { createMirrorSource } from '../../src/source/mirror.ts';
import { testPlatform } from '../support/platform.ts';
import { LABELS, ownSandbox } from '../support/service.ts';
import { KEYED, question } from './world.ts';

const PAIR = { base: 'EUR', quote: 'USD' };
const ROUTES = [
  ['fx_reference_rates', {}],
  ['fx_session_rates', { session: 'new_york' }],
] as const;

/** A source that keeps what makes pages, beside one that reads each page anew. */
async function besides() {
  const { platform, clock } = testPlatform();
  const mirror = await ownSandbox(platform);
  const source = createMirrorSource({ mirror, labels: LABELS });
  const ask = async (id: string, query: Readonly<Record<string, string>>, offset: number, now = clock.now()) => {
    const asked = question(id, PAIR, { ...query, limit: '3', offset: String(offset), start_date: '2026-01-01' });
    const fresh = createMirrorSource({ mirror, labels: LABELS, memory: createMemoryBudget(0) });
    const context = { caller: KEYED, now };
    const [kept, read] = [await source.ask(asked, context), await fresh.ask(asked, context)];
    expect([kept.body, kept.etag]).toEqual([read.body, read.etag]);
    return { text: kept.body, isMade: kept.pieces !== undefined };
  };
  return { mirror, clock, ask };
}

test.each(ROUTES)('further pages of %s are made of what is known, and say the same', async (id, query) => {
  const { ask } = await besides();
  const told = [];
  for (const offset of [0, 1, 7, 70, 9_999]) told.push((await ask(id, query, offset)).isMade);
  expect(told).toEqual([false, true, true, true, false]);
});

test.each(ROUTES)('a commit to a series of %s ends its pages', async (id, query) => {
  const { mirror, clock, ask } = await besides();
  await ask(id, query, 0);
  const before = await ask(id, query, 1);
  // Rates of sessions follow from the same series.
  const [series] = await mirror.find({ endpoint: 'fx_reference_rates', scope: PAIR, exact: true });
  if (!series) throw new Error('the pair is not stored');
  const rows = await mirror.rows(series, { from: '2026-01-01' });
  await mirror.commitPage({
    series: { origin: series.origin, endpoint: series.endpoint, scope: series.scope },
    ...{ nature: 'synthetic', access: 'key:1', request: 'GET', question: series.endpoint, extent: 'adds' },
    at: clock.now(),
    rows: rows.map(({ text }) => {
      const value = { ...JSON.parse(text), price: 9.5, val: 9.5 };
      return { text: asJsonText(JSON.stringify(value)), value };
    }),
  });
  const after = await ask(id, query, 1);
  expect([before.text.includes('9.5,'), after.text.includes('9.5,')]).toEqual([false, true]);
});

test('pages of a session end with its next close', async () => {
  const { ask } = await besides();
  const closes = Date.parse('2026-11-20T22:00:00Z');
  for (const now of [closes - 2_000, closes - 1_000, closes, closes + 1_000])
    for (const offset of [0, 1]) await ask('fx_session_rates', { session: 'new_york' }, offset, now);
});
