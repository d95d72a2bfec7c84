import { expect, it } from 'vitest';
import { endpointById } from '../../src/endpoints/index.ts';
import { mirrorIncomplete, shortfallOf } from '../../src/source/coverage/mark.ts';

it('commands that bring several parts are one line that can be typed', () => {
  const endpoint = endpointById('calendar');
  if (!endpoint) throw new Error('no endpoint');
  const now = Date.parse('2026-11-21T05:46:13Z');
  const [day, past] = [86_400, Math.floor(now / 1000) - 30 * 86_400];
  const lacks = [
    { series: { endpoint: 'calendar', scope: { currency: 'USD' } }, range: { from: past, to: past + day } },
    {
      series: { endpoint: 'forex', scope: { base: 'EUR', quote: 'USD' } },
      range: { from: '2026-01-01', to: '2026-02-01' },
    },
  ];
  const shortfall = shortfallOf({ endpoint, args: { currency: 'USD' } }, lacks, { checkedAt: now, now });
  expect(shortfall && mirrorIncomplete(shortfall).message).toBe(
    'The mirror does not hold all of this answer: calendar usd 2026-10-22T05:46:13Z to 2026-10-23T05:46:13Z, ' +
      'fx eur usd 2026-01-01 to 2026-02-01. ' +
      'Complete it with: macro sync fx eur usd && macro calendar usd --start 2026-10-22 --end 2026-10-23 --live',
  );
});
