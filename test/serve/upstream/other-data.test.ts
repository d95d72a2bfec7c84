import { expect, it } from 'vitest';
import { asJsonText } from '../../../src/contract/json/json.ts';
import { readParams } from '../../../src/contract/params/read-params.ts';
import { endpointById } from '../../../src/endpoints/index.ts';
import type { Mirror } from '../../../src/mirror/api/mirror.ts';
import { commitOfAnswer } from '../../../src/source/stored/answer-commit.ts';
import { SERVICE_URL } from '../../support/service.ts';
import { NOW, upstreamWorld } from './world.ts';

const URL = '/v1/forex/EUR/USD?start_date=2026-11-16&end_date=2026-11-20&limit=100';

/** A week of real rates, of that service, proven ten days ago. */
async function holdRealRates(mirror: Mirror): Promise<void> {
  const endpoint = endpointById('forex');
  if (!endpoint) throw new Error('no endpoint forex');
  const query = { start_date: '2026-11-02', end_date: '2026-11-06', limit: '100' };
  const { args } = readParams(
    endpoint,
    { path: { base: 'eur', quote: 'usd' }, query },
    { mode: 'liberal', now: Date.parse(NOW) },
  );
  const pagination = { limit: 100, offset: 0, returned_count: 1, total_count: 1, has_more: false };
  const body = { base: 'EUR', quote: 'USD', pagination, data: [{ date: '2026-11-05', val: 1.0412 }] };
  const reply = {
    ...({ status: 200, etag: undefined, request: 'GET', synthetic: false, edgeHit: false, notes: [] } as const),
    body: asJsonText(JSON.stringify(body)),
  } as const;
  const at = Date.parse(NOW) - 10 * 86_400_000;
  await mirror.commitPage(commitOfAnswer({ endpoint, args, reply, service: SERVICE_URL, access: 'key:1', at }));
}

it('made-up data never comes out of a mirror of real data, and is asked for once only', async () => {
  const { ask, seen, mirror } = await upstreamWorld({ prepare: holdRealRates });
  const kept = await ask(URL);
  expect([kept.status, JSON.parse(kept.body).data, kept.mirror, kept.headers['x-svc-synthetic']]).toEqual([
    200,
    [],
    'partial',
    undefined,
  ]);
  const told = 'The service sent data that does not belong into this mirror.';
  expect(kept.warning).toBe(`110 - "Response is stale. The service could not be asked. ${told}"`);
  const computed = await ask('/v1/announcements/usd/inflation?value_mode=source');
  expect([computed.status, computed.headers['x-svc-synthetic']]).toEqual([503, undefined]);
  expect(seen.length).toBe(1);
  expect((await mirror.stamp()).nature).toBe('real');
});

it('an answer that is not kept is no exception', async () => {
  const { ask, seen } = await upstreamWorld({ prepare: holdRealRates });
  const answer = await ask('/v1/announcements/usd/inflation?value_mode=source');
  expect([answer.status, JSON.parse(answer.body).code, seen.length]).toEqual([503, 'upstream_unavailable', 1]);
});
