import { expect, test } from 'vitest';
import { toJsonText } from '../../src/contract/json/json.ts';
import { createMemoryBudget } from '../../src/contract/memory-budget.ts';
import { BEGINNING, dateOf } from '../../src/contract/time/time.ts';
import { createPagePlans } from '../../src/serve/reply/page-plans.ts';
import type { ServedRoute } from '../../src/serve/routes.ts';
import { createKnownMakers } from '../../src/source/answer/known-makers.ts';
import type { PageMaker } from '../../src/source/answer/made-page.ts';
import { commitOfAnswer } from '../../src/source/kept/write-through.ts';
import { createMirrorSource } from '../../src/source/mirror.ts';
import type { Reply } from '../../src/source/source.ts';
import { testPlatform } from '../support/platform.ts';
import { freshMirror, LABELS } from '../support/service.ts';
import { KEYED, NOW, question, whole } from './world.ts';

const ROOM = 1_000_000;
const MAKER: PageMaker = { make: () => undefined, until: 100, reach: 10, isKept: () => true };
const ROUTE = { endpoint: { paging: { kind: 'offset', size: 10, max: 100 } } } as ServedRoute;

/** Reads more rows than there is room for. */
function readOthers(budget: ReturnType<typeof createMemoryBudget>): void {
  for (let i = 0; i < 50; i += 1) budget.keep(ROOM / 10, () => undefined);
}

test('what makes pages outlives the rows that are read for others', () => {
  const budget = createMemoryBudget(ROOM);
  const makers = createKnownMakers(budget);
  makers.pages.put('a', MAKER, ROOM / 20);
  readOthers(budget);
  expect(makers.pages.get('a')).toBe(MAKER);
});

test('what finds it by an address ends with it, and outlives rows as it does', () => {
  const budget = createMemoryBudget(ROOM);
  const plans = createPagePlans(budget);
  const url = (offset: number) => ({ url: `/v1/forex/EUR/USD?offset=${offset}`, class: 'keyed' });
  const known = { route: ROUTE, freshness: undefined, synthetic: false, cached: undefined, version: 1, second: 1 };
  let isKept = true;
  const reply = { pages: { ...MAKER, isKept: () => isKept }, body: 'x'.repeat(1000) } as unknown as Reply;
  plans.keep(url(0), reply, { ...known, etag: '"a"', body: undefined, gzip: undefined, until: 100 });
  readOthers(budget);
  expect(plans.find(url(3), { version: 1, second: 2 })?.route).toBe(ROUTE);
  isKept = false;
  expect(plans.find(url(3), { version: 1, second: 2 })).toBeUndefined();
});

/** A source over ten prints of 500 characters each, and how much of its memory is taken. */
async function tenPrints(room: number) {
  const { platform } = testPlatform({ now: NOW });
  const mirror = await freshMirror(platform);
  const asked = question('announcements', { currency: 'usd', indicator: 'inflation' }, { start_date: '2026-01-01' });
  const rows = Array.from({ length: 10 }, (_, i) => {
    const date = `2026-${String(10 - i).padStart(2, '0')}-28`;
    const row = { date, announcement_datetime: Date.parse(date) / 1000 + 86_400, val: i, note: '' };
    return { ...row, note: 'x'.repeat(500 - JSON.stringify(row).length) };
  });
  await mirror.commitPage({
    ...commitOfAnswer({
      ...{ ...asked, service: 'https://s.test', access: 'key:1', at: NOW },
      reply: {
        ...{ status: 200, etag: undefined, request: 'GET', synthetic: false, edgeHit: false, notes: [] },
        body: toJsonText({ currency: 'USD', indicator: 'inflation', unit: '%YoY', pagination: whole(10), data: rows }),
      },
    }),
    ...{ extent: 'replaces', proof: { from: BEGINNING, to: dateOf(NOW), rows: rows.length } },
  });
  const memory = createMemoryBudget(room);
  const source = createMirrorSource({ mirror, labels: LABELS, memory });
  const ask = async (once = false) => {
    const page = { ...asked, args: { ...asked.args, limit: 2 } };
    return (await source.ask(page, { caller: KEYED, now: NOW, once })).pages;
  };
  return { ask, used: memory.used };
}

test('what makes pages of prints counts for their texts, which it shows, and for what was read of them', async () => {
  const { ask, used } = await tenPrints(1_000_000);
  // Whoever asks once leaves rows behind, and nothing that makes pages.
  expect((await ask(true))?.isKept()).toBe(false);
  const taken = used();
  expect((await ask())?.isKept()).toBe(true);
  // The texts twice, as stored and as shown, and a parsed text takes some three times its characters.
  expect(used() - taken).toBeGreaterThan(10 * 500 * 5);
  expect((await ask())?.isKept()).toBe(true);
});

test('what memory has no room for is kept by nobody', async () => {
  const { ask } = await tenPrints(50_000);
  expect((await ask())?.isKept()).toBe(false);
});
