import { describe, expect, it } from 'vitest';
import { KEYED, question, whole, world } from './world.ts';

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
