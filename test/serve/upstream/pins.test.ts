import { describe, expect, it } from 'vitest';
import { matchPath } from '../../../src/contract/match.ts';
import { readParams } from '../../../src/contract/params/read-params.ts';
import { ENDPOINTS } from '../../../src/endpoints/index.ts';
import { createMirrorSource } from '../../../src/source/mirror.ts';
import { LABELS } from '../../support/service.ts';
import { upstreamWorld } from './world.ts';

/** Narrow windows, and wider ones that another caller asks for meanwhile. */
const WALKS: readonly (readonly [narrow: string, wide: string])[] = [
  ['/v1/forex/EUR/USD?start_date=2026-09-01', '/v1/forex/EUR/USD?start_date=2026-01-02'],
  ['/v1/forex/EUR/GBP?start_date=2026-09-01', '/v1/forex/USD/GBP?start_date=2026-01-02'],
  ['/v1/fx/reference-rates/EUR/USD?start_date=2026-11-10', '/v1/fx/reference-rates/EUR/USD?start_date=2026-10-01'],
  [
    '/v1/fx/session-rates/EUR/USD?session=london&start_date=2026-11-10',
    '/v1/fx/session-rates/EUR/USD?session=london&start_date=2026-10-01',
  ],
  ['/v1/announcements/usd/inflation?start_date=2026-03-01', '/v1/announcements/usd/inflation?start_date=2020-01-01'],
  [
    '/v1/announcements/usd/policy_rate?start_date=2026-03-01',
    '/v1/announcements/usd/policy_rate?start_date=2020-01-01',
  ],
];

const END = '&end_date=2026-11-19&limit=3';

const pinOf = ({ body }: { readonly body: string }) => String(JSON.parse(body).dataset_version);

describe('a pinned walk behind another caller', () => {
  it.each(WALKS)('%s goes on after %s', async (narrow, wide) => {
    const { ask } = await upstreamWorld();
    // The walker finds its window stored, so that the pin is the mirror's own.
    await ask(`${narrow}${END}`);
    await ask(`${narrow}${END}&offset=3`);
    const first = await ask(`${narrow}${END}`);
    await ask(`${wide}${END}`);
    await ask(`${wide}${END}&offset=100`);
    const next = await ask(`${narrow}${END}&offset=3&dataset_version=${pinOf(first)}`);
    expect([next.status, pinOf(next), JSON.parse(next.body).pagination.offset]).toEqual([200, pinOf(first), 3]);
  });

  it.each(WALKS)('%s goes on when its rows are no longer fresh, and while the service is down', async (narrow) => {
    const { ask, clock, service } = await upstreamWorld();
    await ask(`${narrow}${END}`);
    const first = await ask(`${narrow}${END}`);
    clock.jump(7 * 3_600_000);
    const next = await ask(`${narrow}${END}&offset=3&dataset_version=${pinOf(first)}`);
    expect([next.status, pinOf(next)]).toEqual([200, pinOf(first)]);
    service.isDown = true;
    clock.jump(7 * 3_600_000);
    const last = await ask(`${narrow}${END}&offset=3&dataset_version=${pinOf(first)}`);
    expect([last.status, pinOf(last), last.warning?.toString().slice(0, 3)]).toEqual([200, pinOf(first), '110']);
  });
});

it.each(WALKS)('%s has one version in every mirror with its rows, for whoever reads it', async (narrow, wide) => {
  const [one, other] = [await upstreamWorld(), await upstreamWorld()];
  const first = await one.ask(`${narrow}${END}`);
  await other.ask(`${wide}${END}`);
  await other.ask(`${narrow}${END}&offset=3`);
  const at = matchPath(ENDPOINTS, narrow.split('?')[0] ?? '');
  if (!at) throw new Error(narrow);
  const { endpoint, path } = at;
  const query = Object.fromEntries(new URLSearchParams(`${narrow.split('?')[1]}${END}`));
  const now = other.clock.now();
  const { args } = readParams(endpoint, { path, query }, { mode: 'strict', now });
  const read = await createMirrorSource({ mirror: other.mirror, labels: LABELS }).ask(
    { endpoint, args },
    { caller: { kind: 'owner' }, now },
  );
  expect([pinOf(await other.ask(`${narrow}${END}`)), pinOf(read)]).toEqual([pinOf(first), pinOf(first)]);
});
