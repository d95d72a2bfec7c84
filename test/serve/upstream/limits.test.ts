import { describe, expect, it } from 'vitest';
import { readServedSeries } from '../../../src/cli/commands/serve/upstream.ts';
import { readParams } from '../../../src/contract/params/read-params.ts';
import { endpointById } from '../../../src/endpoints/index.ts';
import type { Question } from '../../../src/source/source.ts';
import { NOW, upstreamWorld } from './world.ts';

const rates = (quote: string) => `/v1/forex/EUR/${quote}?start_date=2026-10-01&end_date=2026-11-20&limit=100`;

function question(id: string, path: Record<string, string>): Question {
  const endpoint = endpointById(id);
  if (!endpoint) throw new Error(`no endpoint ${id}`);
  return { endpoint, args: readParams(endpoint, { path, query: {} }, { mode: 'liberal', now: Date.parse(NOW) }).args };
}

describe('what a server may spend', () => {
  it('is so many requests a window, and what is held is answered beyond them', async () => {
    const { ask, clock, seen } = await upstreamWorld({ budgets: [{ limit: 2, per: 'minute' }] });
    expect((await ask(rates('USD'))).cache).toBe('macro; fwd=miss');
    expect((await ask('/v1/announcements/usd/inflation?limit=100')).cache).toBe('macro; fwd=miss');
    const beyond = await ask('/v1/cot/usd?limit=100');
    expect([beyond.status, beyond.headers['retry-after'], JSON.parse(beyond.body).detail]).toEqual([
      503,
      '60',
      'The service could not be asked. This run may send 2 requests a minute, and has; wait 60 s.',
    ]);
    const held = await ask('/v1/forex/EUR/USD?start_date=2026-09-01&end_date=2026-11-20&limit=100');
    expect([held.status, held.mirror, held.cache]).toEqual([200, 'partial', 'macro; hit; detail=stale']);
    expect(seen.length).toBe(2);
    clock.jump(60_000);
    expect([(await ask('/v1/cot/usd?limit=100')).status, seen.length]).toEqual([200, 3]);
  });

  it('stays within the quota that the service tells', async () => {
    const { ask, seen } = await upstreamWorld({ quotas: true });
    // An answer that is not kept is asked for each time.
    const urls = Array.from({ length: 310 }, (_, i) => `/v1/announcements/usd/inflation?value_mode=source&offset=${i}`);
    const statuses: number[] = [];
    for (const url of urls) statuses.push((await ask(url)).status);
    // The service gives 300 a minute; two of them stay for the person at the terminal.
    expect([seen.length, seen.filter((line) => !line.endsWith(' 200'))]).toEqual([298, []]);
    expect(statuses).toEqual(urls.map((_, i) => (i < 298 ? 200 : 503)));
  });

  it('is for the callers that were named', async () => {
    const refuses = (_: Question, caller: { kind: string; plan?: string }) =>
      caller.plan === 'individual' ? undefined : 'The service is not asked for this caller.';
    const { ask, seen } = await upstreamWorld({ refuses });
    const lab = await ask(rates('USD'), 'lab-key');
    expect([lab.status, JSON.parse(lab.body)]).toEqual([
      404,
      {
        ...{ code: 'not_mirrored', error: 'not_mirrored' },
        detail:
          'The mirror has nothing for fx EUR USD. The service is not asked for this caller. Fill it with: macro sync fx eur usd',
      },
    ]);
    expect(seen).toEqual([]);
    await ask(rates('USD'));
    expect((await ask(rates('USD'), 'lab-key')).cache).toBe('macro; hit');
    expect(seen.length).toBe(1);
  });

  it('is for the series that were named', async () => {
    const isServed = await readServedSeries('fx eur usd, announcements gbp, cot', Date.parse(NOW));
    const asked: readonly (readonly [boolean, Question])[] = [
      [true, question('forex', { base: 'eur', quote: 'usd' })],
      [false, question('forex', { base: 'eur', quote: 'gbp' })],
      [true, question('announcements', { currency: 'gbp', indicator: 'inflation' })],
      [false, question('announcements', { currency: 'usd', indicator: 'inflation' })],
      [true, question('cot', { currency: 'jpy' })],
      [false, question('data_catalogue', { currency: 'usd' })],
    ];
    expect(asked.map(([, one]) => isServed(one))).toEqual(asked.map(([expected]) => expected));
    await expect(readServedSeries('nonsense', Date.parse(NOW))).rejects.toMatchObject({ kind: 'usage' });
  });
});

describe('a caller without a key', () => {
  const WIDE = '/v1/announcements/usd/inflation?start_date=2020-01-01&limit=100';

  it('causes no request, and sees of what a key brought the keyless part alone', async () => {
    const { ask, direct, seen } = await upstreamWorld();
    const before = await ask(WIDE, null);
    expect([before.status, JSON.parse(before.body).code]).toEqual([404, 'not_mirrored']);
    expect(seen).toEqual([]);
    const keyed = await ask(WIDE);
    const keyless = await ask(WIDE, null);
    const told = JSON.parse((await direct(WIDE, null)).body);
    expect(JSON.parse(keyless.body)).toEqual({ ...told, dataset_version: expect.any(String) });
    expect(JSON.parse(keyless.body).data.length).toBeLessThan(JSON.parse(keyed.body).data.length);
    expect(seen.length).toBe(1);
  });

  it('for whom requests are allowed gets the keyless part of what is kept, and nothing that is not kept', async () => {
    const { ask, direct, seen } = await upstreamWorld({ refuses: () => undefined });
    const answer = await ask(WIDE, null);
    const told = JSON.parse((await direct(WIDE, null)).body);
    expect([answer.cache, JSON.parse(answer.body)]).toEqual([
      'macro; fwd=miss',
      { ...told, dataset_version: expect.any(String) },
    ]);
    const unkept = await ask('/v1/announcements/usd/inflation?value_mode=source', null);
    expect([unkept.cache, seen.length]).toEqual(['macro; hit; detail=stale', 1]);
  });

  it.each([
    ['repeats', undefined],
    ['shares', () => undefined],
  ])('never gets an answer that was fetched for a key where the server %s it', async (how, refuses) => {
    const { ask, seen } = await upstreamWorld({ isLocked: true, ...(refuses && { refuses }) });
    const url = '/v1/cot/usd?start_date=2020-01-01&limit=100';
    const keyed = ask(url);
    if (how === 'repeats') await keyed;
    const keyless = await ask(url, null);
    expect([keyless.status, JSON.parse(keyless.body).code]).toEqual([404, 'not_mirrored']);
    // For the key alone: the whole window, which nothing proves, and then the question itself.
    expect([(await keyed).status, seen.length]).toEqual([200, 2]);
  });
});
