import { describe, expect, it } from 'vitest';
import { KEYED, NOW, OWNER, question, whole, world } from './world.ts';

const pair = (base: string, quote: string, query: Record<string, string> = {}) =>
  question('forex', { base, quote }, query);
const rates = (base: string, quote: string, data: readonly { date: string; val: number }[]) => ({
  base,
  quote,
  pagination: whole(data.length),
  data,
});
const days = (val: number) => ['20', '19', '18'].map((day) => ({ date: `2026-11-${day}`, val }));

type World = Awaited<ReturnType<typeof world>>;
const seen = async ({ ask }: World, base: string, quote: string) => {
  const { json } = await ask(pair(base, quote, { start_date: '2026-11-01' }), KEYED);
  return json.data.map(({ date, val }: { date: string; val: number }) => [date, val]);
};

describe('a pair of which little is held', () => {
  it('is answered from its reverse when nothing of it came', async () => {
    const held = await world();
    await held.take(pair('eur', 'usd'), rates('EUR', 'USD', days(1.25)));
    await held.take(pair('usd', 'eur', { start_date: '2026-11-20' }), rates('USD', 'EUR', []));
    expect(await seen(held, 'usd', 'eur')).toEqual([
      ['2026-11-20', 0.8],
      ['2026-11-19', 0.8],
      ['2026-11-18', 0.8],
    ]);
  });

  it('is filled by a cross where that has more dates', async () => {
    const held = await world();
    await held.take(pair('gbp', 'usd'), rates('GBP', 'USD', days(1.5)));
    await held.take(pair('usd', 'jpy'), rates('USD', 'JPY', days(150)));
    await held.take(
      pair('gbp', 'jpy', { start_date: '2026-11-19' }),
      rates('GBP', 'JPY', [{ date: '2026-11-19', val: 220 }]),
    );
    expect(await seen(held, 'gbp', 'jpy')).toEqual([
      ['2026-11-20', 225],
      ['2026-11-19', 220],
      // Of 2026-11-18 the pair itself was not asked: a cross could be another number than its own rate.
    ]);
  });

  it('reads no cross that has no more dates', async () => {
    const held = await world();
    await held.take(pair('gbp', 'usd'), rates('GBP', 'USD', days(1.5)));
    await held.take(pair('usd', 'jpy'), rates('USD', 'JPY', days(150)));
    await held.take(pair('gbp', 'jpy'), rates('GBP', 'JPY', days(220)));
    const before = await held.ask(pair('gbp', 'jpy'), KEYED);
    await held.take(pair('usd', 'jpy'), rates('USD', 'JPY', days(151)));
    expect((await held.ask(pair('gbp', 'jpy'), KEYED)).etag).toBe(before.etag);
  });
});

describe('a window of a pair without a row', () => {
  const before = { start_date: '2026-10-01', end_date: '2026-10-09' };

  it('is said to have no data only where every date of it is covered', async () => {
    const held = await world();
    await held.take(pair('eur', 'usd', { start_date: '2026-11-01' }), rates('EUR', 'USD', days(1.25)));
    const partial = await held.ask(pair('eur', 'usd', before), KEYED);
    expect([partial.json.data, partial.json.mirror.complete]).toEqual([[], false]);
    expect(partial.json.data_quality).not.toHaveProperty('requested_window_has_data');
    await held.take(pair('eur', 'usd'), rates('EUR', 'USD', days(1.25)), { isAll: true });
    const complete = await held.ask(pair('eur', 'usd', before), KEYED);
    expect([complete.json.data, complete.json.mirror]).toEqual([[], undefined]);
    expect(complete.json.data_quality.requested_window_has_data).toBe(false);
  });
});

describe('the indicators of a window', () => {
  const lastOf = { start_date: '2026-11-16', indicators: 'donchian_20,sma_20' };
  const history = (until: number) =>
    Array.from({ length: until }, (_, day) => ({ date: `2026-10-${String(day + 1).padStart(2, '0')}`, val: 1.25 }))
      .concat(days(1.25).toReversed())
      .toReversed();

  it('are those of its newest row, and null where a newer one may exist', async () => {
    const held = await world();
    const older = { start_date: '2026-10-01', end_date: '2026-11-18' };
    const rows = history(31).filter(({ date }) => date <= '2026-11-18');
    await held.take(pair('eur', 'usd', older), rates('EUR', 'USD', rows), { at: Date.parse('2026-11-21T12:00:00Z') });
    const partial = await held.ask(pair('eur', 'usd', lastOf), KEYED);
    expect(partial.json.data.map(({ date }: { date: string }) => date)).toEqual(['2026-11-18']);
    expect(partial.json.mirror.missing).toEqual([{ from: '2026-11-19', to: '2026-11-21' }]);
    expect(partial.json.indicators).toEqual({ donchian_20: null, sma_20: null });
    const upTo = await held.ask(pair('eur', 'usd', { ...lastOf, end_date: '2026-11-18' }), KEYED);
    expect([upTo.json.mirror, upTo.json.indicators.sma_20]).toEqual([undefined, 1.25]);
    await held.take(pair('eur', 'usd', { start_date: '2026-11-18' }), rates('EUR', 'USD', days(1.25)));
    const complete = await held.ask(pair('eur', 'usd', lastOf), KEYED);
    expect([complete.json.mirror, complete.json.indicators.sma_20]).toEqual([undefined, 1.25]);
  });
});

describe('rates that the service itself derived', () => {
  const metadata = (method: string) => ({ pair_metadata: { is_derived: true, derivation_method: method } });

  it('are not turned round: they were rounded, and have no bars', async () => {
    const held = await world();
    const inverse = { ...rates('USD', 'EUR', days(0.859624)), ...metadata('inverse_of_direct_pair') };
    await held.take(pair('usd', 'eur'), inverse, { isAll: true });
    expect((await held.ask(pair('usd', 'eur'), KEYED)).json.data[0].val).toBe(0.859624);
    await expect(held.ask(pair('eur', 'usd'), KEYED)).rejects.toMatchObject({ code: 'not_mirrored' });
    const then = { caller: OWNER, now: NOW, asOf: { at: NOW, by: 'mirrored' } } as const;
    await expect(held.source.ask(pair('eur', 'usd'), then)).rejects.toMatchObject({ code: 'not_mirrored' });
  });

  it('are no legs of a cross', async () => {
    const held = await world();
    await held.take(pair('gbp', 'usd'), rates('GBP', 'USD', days(1.5)), { isAll: true });
    const cross = { ...rates('USD', 'JPY', days(150)), ...metadata('cross_via_anchor') };
    await held.take(pair('usd', 'jpy'), cross, { isAll: true });
    await expect(held.ask(pair('gbp', 'jpy'), KEYED)).rejects.toMatchObject({ code: 'not_mirrored' });
  });
});

describe('a rate computed from few digits', () => {
  // 1 / 0.000056 with half a unit of the last digit: 0.5 / 56 = 0.9 %.
  it('says how well it is known', async () => {
    const held = await world();
    await held.take(pair('vnd', 'cad'), rates('VND', 'CAD', days(0.000056)), { isAll: true });
    const { notes } = await held.ask(pair('cad', 'vnd', { start_date: '2026-11-18' }), OWNER);
    expect(notes).toContain('VND/CAD is published with so few digits that CAD/VND is known to about 0.9 % only.');
  });

  it('says nothing of it where the digits are those of a fixing', async () => {
    const held = await world();
    await held.take(pair('eur', 'usd'), rates('EUR', 'USD', days(1.1684)), { isAll: true });
    const { notes } = await held.ask(pair('usd', 'eur', { start_date: '2026-11-18' }), OWNER);
    expect(notes).toEqual(['USD/EUR is computed from EUR/USD.']);
  });
});
