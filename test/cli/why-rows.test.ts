import { expect, it } from 'vitest';
import { keysOfRow } from '../../src/cli/commands/why/lineage.ts';
import { held, page, SERVICE, testMirror } from '../mirror/support.ts';

const INTRADAY = { origin: SERVICE, endpoint: 'fx_intraday_reference_rates', scope: { base: 'EUR', quote: 'USD' } };
const HOURS = 72;

it('the rows of a day are found without a look at the texts of other days', async () => {
  const { mirror } = await testMirror();
  const first = Date.parse('2026-11-18T00:00:00Z') / 1000;
  const told = '"source":{"id":"bank"},"timestamp_type":"official_fixing","price":1.1';
  const rows = Array.from({ length: HOURS }, (_, i) => `{"timestamp":${first + 3600 * i},${told}}`);
  await mirror.commitPage(page(rows, { series: INTRADAY }));
  const read: number[] = [];
  const counting: typeof mirror = {
    ...mirror,
    async vintages(...asked) {
      const found = await mirror.vintages(...asked);
      read.push(found.length);
      return found;
    },
  };
  const keys = await keysOfRow(counting, await held(mirror, INTRADAY), '2026-11-19');
  expect(keys.map(([at]) => at)).toEqual(Array.from({ length: 24 }, (_, i) => first + 86_400 + 3600 * i));
  expect(read).toEqual([24]);
});
