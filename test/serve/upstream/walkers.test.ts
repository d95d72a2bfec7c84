import { describe, expect, it } from 'vitest';
import { upstreamWorld } from './world.ts';

/** The paging members of docs/interface.md#pages, as a walker needs them. */
interface Paging {
  readonly limit: number;
  readonly offset: number;
  readonly returned_count: number;
  readonly total_count: number;
  readonly has_more: boolean;
  readonly next_offset?: number;
}

interface PageBody {
  readonly pagination: Paging;
  readonly data: readonly Readonly<Record<string, unknown>>[];
}

type Get = (url: string) => Promise<{ readonly status: number; readonly body: string }>;

/** Walks a history as a strict client does: it raises on any breach of what pages promise. */
async function walk(get: Get, path: string, size: number): Promise<readonly string[]> {
  const bodies: string[] = [];
  const seen = new Set<string>();
  let total: number | undefined;
  for (let offset = 0; ; ) {
    const { status, body } = await get(`${path}&limit=${size}&offset=${offset}`);
    if (status !== 200) throw new Error(`${path} at ${offset}: ${status} ${body}`);
    const { pagination, data }: PageBody = JSON.parse(body);
    const { returned_count: returned, total_count, has_more, next_offset } = pagination;
    total ??= total_count;
    const breaches = [
      pagination.limit !== size && 'limit',
      pagination.offset !== offset && 'offset',
      returned !== data.length && 'returned_count',
      total_count !== total && 'a total that moves',
      has_more !== offset + returned < total && 'has_more',
      has_more && data.length === 0 && 'an empty page that goes on',
      next_offset !== (has_more ? offset + returned : undefined) && 'next_offset',
      seen.has(JSON.stringify(data)) && data.length > 0 && 'a page that repeats',
    ].filter((breach) => breach !== false);
    if (breaches.length > 0) throw new Error(`${path} at ${offset}: ${breaches.join(', ')}`);
    seen.add(JSON.stringify(data));
    bodies.push(body);
    if (!has_more) return bodies;
    offset += returned;
  }
}

const WINDOW = 'start_date=2026-03-01&end_date=2026-11-20';
const HISTORIES: readonly (readonly [path: string, size: number])[] = [
  [`/v1/forex/EUR/USD?${WINDOW}`, 17],
  [`/v1/forex/EUR/USD?${WINDOW}`, 50],
  [`/v1/announcements/usd/inflation?${WINDOW}`, 4],
  [`/v1/announcements/usd/policy_rate?${WINDOW}`, 3],
  [`/v1/cot/usd?${WINDOW}`, 10],
];

const CALLERS = ['desk-key', 'lab-key', 'risk-key', 'models-key'];

describe('many callers of an empty mirror', () => {
  it('fifty walkers get the bodies of the service, and a second round asks nothing of it', async () => {
    const { ask, direct, seen } = await upstreamWorld();
    const expected = await Promise.all(HISTORIES.map(([path, size]) => walk((url) => direct(url), path, size)));
    // Before its first answer a service is asked one thing at a time.
    await ask('/v1/announcements/usd/unemployment');
    const heard = seen.length;
    const round = () =>
      Promise.all(
        Array.from({ length: 50 }, (_, i) => {
          const [path, size] = HISTORIES[i % HISTORIES.length] ?? ['', 0];
          return walk((url) => ask(url, CALLERS[i % CALLERS.length]), path, size);
        }),
      );
    // Whoever answers makes its own pin.
    const parsed = (bodies: readonly string[] | undefined) =>
      bodies?.map((body) => ({ ...JSON.parse(body), dataset_version: 'a pin' }));
    const first = await round();
    const spent = [...seen];
    for (const [i, bodies] of first.entries()) expect(parsed(bodies)).toEqual(parsed(expected[i % HISTORIES.length]));
    const second = await round();
    expect(second).toEqual(first);
    expect(seen).toEqual(spent);
    // Four windows, of which that of the rates has two pages of a hundred, and two ends of each series that tells them.
    expect(spent.length - heard).toBe(9);
  });

  it('one who asks for three rows again and again costs the first look alone', async () => {
    const { ask, seen } = await upstreamWorld();
    const first = await ask('/v1/forex/EUR/USD?limit=3');
    const spent = seen.length;
    const again = await ask('/v1/forex/EUR/USD?limit=3');
    expect([first.mirror, again.cache, again.body === first.body]).toEqual(['complete', 'macro; hit', true]);
    await ask('/v1/forex/EUR/USD?limit=20&offset=40');
    expect(seen.length).toBe(spent);
  });

  it('what is a day old costs one look at the newest page', async () => {
    const { ask, clock, seen } = await upstreamWorld();
    await ask('/v1/forex/EUR/USD?limit=3&start_date=2026-01-02&end_date=2026-11-19');
    const spent = seen.length;
    clock.jump(86_400_000);
    const later = await ask('/v1/forex/EUR/USD?limit=3&start_date=2026-01-02&end_date=2026-11-19');
    expect([spent, later.cache, seen.length - spent]).toEqual([4, 'macro; fwd=miss', 1]);
  });

  it('a window of more rows than are brought at once is asked for page by page', async () => {
    const { ask, direct, seen } = await upstreamWorld({ mostRows: 200 });
    const long = '/v1/forex/EUR/USD?start_date=2000-01-01&end_date=2026-11-20&limit=5&offset=150';
    const told = await direct(long);
    expect(JSON.parse(told.body).pagination.total_count).toBeGreaterThan(200);
    expect([(await ask(long)).body === told.body, seen.length]).toEqual([true, 2]);
    await ask(long.replace('150', '155'));
    expect(seen.length).toBe(3);
  });
});
