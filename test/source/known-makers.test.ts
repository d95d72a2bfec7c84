import { expect, test } from 'vitest';
import { createMemoryBudget } from '../../src/contract/memory-budget.ts';
import { createPagePlans } from '../../src/serve/reply/page-plans.ts';
import type { ServedRoute } from '../../src/serve/routes.ts';
import { createKnownMakers } from '../../src/source/answer/known-makers.ts';
import type { PageMaker } from '../../src/source/answer/made-page.ts';
import type { Reply } from '../../src/source/source.ts';

const ROOM = 1_000_000;
const MAKER: PageMaker = { make: () => undefined, until: 100, total: 10, reach: 10 };
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

test('so does what finds it by an address', () => {
  const budget = createMemoryBudget(ROOM);
  const plans = createPagePlans(budget);
  const url = (offset: number) => ({ url: `/v1/forex/EUR/USD?offset=${offset}`, class: 'keyed' });
  const known = { route: ROUTE, freshness: undefined, synthetic: false, cached: undefined, version: 1, second: 1 };
  const reply = { pages: MAKER, body: 'x'.repeat(1000) } as unknown as Reply;
  plans.keep(url(0), reply, { ...known, etag: '"a"', body: undefined, gzip: undefined, until: 100 });
  readOthers(budget);
  expect(plans.find(url(3), { version: 1, second: 2 })?.route).toBe(ROUTE);
});
