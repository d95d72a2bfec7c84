import { describe, expect, it } from 'vitest';
import { upstreamWorld } from './world.ts';

const RATES = '/v1/forex/EUR/USD?start_date=2026-10-01&end_date=2026-11-20&limit=100';
const INFLATION = '/v1/announcements/usd/inflation?limit=100';

describe('a server before a service', () => {
  it('asks for what the mirror lacks, passes the answer on as it came, and keeps it', async () => {
    const { ask, direct, seen } = await upstreamWorld();
    const told = await direct(RATES);
    const first = await ask(RATES);
    expect([first.status, first.body, first.cache, first.mirror]).toEqual([
      200,
      told.body,
      'macro; fwd=miss',
      'complete',
    ]);
    const second = await ask(RATES);
    expect([second.status, JSON.parse(second.body), second.cache, second.mirror]).toEqual([
      200,
      JSON.parse(told.body),
      'macro; hit',
      'complete',
    ]);
    expect(seen.length).toBe(1);
  });

  it('makes one request of equal questions under way, whoever asks and in whatever order of words', async () => {
    const { ask, service, seen } = await upstreamWorld();
    const go = Promise.withResolvers<void>();
    const entered = Promise.withResolvers<void>();
    Object.assign(service, { gate: go.promise, entered: entered.resolve });
    const asking = [
      ask(RATES),
      ask(RATES),
      ask(RATES, 'lab-key'),
      ask('/v1/forex/eur/usd?limit=100&end_date=2026-11-20&start_date=2026-10-01'),
    ];
    await entered.promise;
    await new Promise((resolve) => setImmediate(resolve));
    go.resolve();
    const answers = await Promise.all(asking);
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
    expect(answers.map(({ status, cache }) => `${status} ${cache}`).sort()).toEqual([
      '200 macro; fwd=miss',
      ...Array.from({ length: 3 }, () => '200 macro; fwd=miss; collapsed'),
    ]);
    expect(seen.length).toBe(1);
  });

  it('passes an answer with computed members on as the service computed it', async () => {
    const { ask, direct, seen } = await upstreamWorld();
    const url = `${RATES}&indicators=all`;
    await ask(RATES);
    const computed = await ask(url);
    expect([computed.body, computed.cache, computed.mirror]).toEqual([
      (await direct(url)).body,
      'macro; fwd=miss',
      'complete',
    ]);
    expect(seen.length).toBe(2);
    // Its rows are those of the base series.
    expect((await ask(RATES)).cache).toBe('macro; hit');
  });

  it('repeats such an answer while it is fresh, and asks for it again then', async () => {
    const { ask, clock, seen } = await upstreamWorld();
    const url = `${RATES}&indicators=all`;
    const first = await ask(url);
    const again = await ask(url, 'lab-key');
    expect([again.body === first.body, again.cache, seen.length]).toEqual([true, 'macro; hit', 1]);
    clock.jump(6 * 3_600_000);
    expect([(await ask(url)).cache, seen.length]).toEqual(['macro; fwd=miss', 2]);
  });

  it('never repeats what a release may change', async () => {
    const { ask, seen } = await upstreamWorld();
    const url = '/v1/announcements/changes?since=2026-11-20T00:00:00Z';
    const asked = [await ask(url), await ask(url)].map(({ status, cache }) => [status, cache]);
    expect([asked, seen.length]).toEqual([
      [
        [200, 'macro; fwd=miss'],
        [200, 'macro; fwd=miss'],
      ],
      2,
    ]);
  });

  it('says how far the series reaches, like the service, where the window ends before its newest row', async () => {
    const { ask, direct, seen } = await upstreamWorld();
    const spring = '/v1/forex/EUR/USD?start_date=2026-03-01&end_date=2026-06-30&limit=20';
    const pinless = ({ body }: { readonly body: string }) => ({ ...JSON.parse(body), dataset_version: 'a pin' });
    const first = await ask(spring);
    expect(JSON.parse(first.body).pagination.page_includes_latest_available).toBe(false);
    expect(pinless(first)).toEqual(pinless(await direct(spring)));
    // The window, and the newest row.
    expect(seen.length).toBe(2);
    expect([(await ask(`${spring}&offset=20`)).cache, seen.length]).toEqual(['macro; hit', 2]);
  });

  it('answers what it holds where the service fails, and says that nobody confirmed it', async () => {
    const { ask, clock, service } = await upstreamWorld();
    const fresh = await ask(INFLATION);
    clock.jump(2 * 86_400_000);
    service.isDown = true;
    const stale = await ask(INFLATION);
    expect([stale.status, JSON.parse(stale.body).data, stale.cache, stale.mirror]).toEqual([
      200,
      JSON.parse(fresh.body).data,
      'macro; hit; detail=stale',
      'complete',
    ]);
    expect(stale.warning).toBe('110 - "Response is stale. The service could not be asked."');
    expect([stale.headers['cache-control'], stale.headers['x-svc-mirror-checked']]).toEqual([
      'no-store',
      '2026-11-20T14:00:00Z',
    ]);
  });

  it('marks what it holds in part only where the service fails', async () => {
    const { ask, service } = await upstreamWorld();
    await ask(RATES);
    service.isDown = true;
    const partial = await ask('/v1/forex/EUR/USD?start_date=2026-09-01&end_date=2026-11-20&limit=100');
    expect([partial.status, partial.mirror, partial.cache]).toEqual([200, 'partial', 'macro; hit; detail=stale']);
    expect(JSON.parse(partial.body).mirror.missing).toEqual([{ from: '2026-09-01', to: '2026-09-30' }]);
    expect(partial.warning).toMatch(/^110 - /);
  });

  it('is 503 where nothing is held, and where only what is confirmed may be answered', async () => {
    const { ask, service } = await upstreamWorld();
    service.isDown = true;
    const none = await ask(RATES);
    const code = 'upstream_unavailable';
    expect([none.status, JSON.parse(none.body)]).toEqual([
      503,
      {
        ...{ code, error: code },
        detail: 'The service could not be asked.',
      },
    ]);
    const strict = await upstreamWorld({ strict: true });
    await strict.ask(RATES);
    strict.clock.jump(2 * 86_400_000);
    strict.service.isDown = true;
    expect((await strict.ask(RATES)).status).toBe(503);
  });

  it('leaves a service alone for five seconds after it did not answer, and asks again then', async () => {
    const { ask, clock, service, seen } = await upstreamWorld();
    service.isDown = true;
    let tries = 0;
    service.entered = () => {
      tries += 1;
    };
    await ask(RATES);
    await ask(INFLATION);
    expect(tries).toBe(4);
    service.isDown = false;
    clock.jump(5000);
    expect([(await ask(RATES)).status, seen.length]).toEqual([200, 1]);
  });

  it('passes on what the service says of the question itself', async () => {
    const { ask, direct } = await upstreamWorld();
    const unknown = '/v1/announcements/usd/nonsense?limit=5';
    const told = await direct(unknown);
    const answer = await ask(unknown);
    expect([answer.status, JSON.parse(answer.body).code]).toEqual([told.status, JSON.parse(told.body).code]);
  });
});
