import { describe, expect, it } from 'vitest';
import { LOOKBACK } from '../../../src/derive/sentiment/score.ts';
import { composeSentiment } from '../../../src/derive/sentiment/sentiment.ts';
import { contextOf, type HeldSeries, loaded, rowsIn } from '../announcements/loaded.ts';
import { euroRates, exactScore, hasOfficialData, quotient, units } from './official.ts';

const NOW = '2026-11-21T05:46:13Z';
const args = { start_date: '2020-01-01', end_date: '2026-11-21', limit: 3, offset: 0 };

/** So many days up to 2026-11-20, newest first. */
function days(count: number, val: (i: number) => number): HeldSeries['rows'] {
  const end = Date.parse('2026-11-20');
  return Array.from({ length: count }, (_, i) => ({
    date: new Date(end - i * 86_400_000).toISOString().slice(0, 10),
    val: val(i),
  }));
}

const own = (rows: HeldSeries['rows'], envelope = {}) => loaded({ endpoint: 'risk_sentiment', rows, envelope });
const gold = (rows: HeldSeries['rows']) => loaded({ endpoint: 'commodities', scope: { indicator: 'gold' }, rows });
const pair = (base: string, quote: string, rows: HeldSeries['rows'], origin = 'service') =>
  loaded({ endpoint: 'forex', scope: { base, quote }, rows, origin });

function ask(held: readonly ReturnType<typeof loaded>[], others: Partial<typeof args> = {}, kind = 'owner' as const) {
  return composeSentiment.build(held, contextOf({ ...args, ...others }, NOW, kind));
}

describe('the scores of the service', () => {
  const rows = [
    { date: '2026-11-19', val: 0.3095, regime: 'risk_on', components: { gold: 0.32 } },
    { date: '2026-11-18', val: 0.9, regime: 'risk_on', components: { gold: 0.1 } },
    { date: '2026-11-17', val: 0.1, regime: 'risk_off' },
    { date: '2019-11-17', val: 0.1, regime: 'neutral' },
  ];

  it('are served as they came, even where what they are made of is held too', () => {
    const held = [own(rows, { methodology: 2 }), gold(days(300, (i) => i))];
    const picked = composeSentiment.selectSeries?.(
      { ...args },
      held.map(({ ref }) => ref),
    );
    expect(picked?.map(({ endpoint }) => endpoint)).toEqual(['risk_sentiment']);
    const answer = ask(held, { limit: 2, offset: 1 });
    expect(rowsIn(answer)).toEqual([rows[1], rows[2]]);
    expect([answer?.total, answer?.envelope]).toEqual([
      3,
      { methodology: 2, start_date: '2020-01-01', end_date: '2026-11-21' },
    ]);
  });

  it('are doubted where they do not follow from their own components, and only towards their owner', () => {
    expect(ask([own(rows)])?.notes).toEqual([
      'The score is not the tanh of the sum of its components on 1 of 3 days, 2026-11-18 among them.',
      'The regime is not that of the score on 1 of 3 days, 2026-11-17 among them.',
    ]);
    const served = composeSentiment.build([own(rows)], contextOf({ ...args }, NOW, 'keyless'));
    expect(served?.notes).toEqual([]);
  });

  it('alone can prove an answer', () => {
    const refs = [own(rows), gold([])].map(({ ref }) => ref);
    expect(composeSentiment.vouches?.({ ...args }, refs.slice(0, 1))).toEqual({ series: refs.slice(0, 1) });
    expect(composeSentiment.vouches?.({ ...args }, refs.slice(1))).toBeUndefined();
  });
});

describe('scores that the service did not give', () => {
  it('are computed from what is held, and say so', () => {
    // A last step up after 251 equal days: every score is (1 - 1/252) * sqrt(252) = 15.81151..., capped by tanh.
    const step = days(252, (i) => (i === 0 ? 1.001 : 1));
    const answer = ask([
      gold(step),
      pair('AUD', 'USD', step),
      pair(
        'USD',
        'JPY',
        days(251, () => 150),
      ),
    ]);
    expect(rowsIn(answer)).toEqual([
      {
        date: '2026-11-20',
        val: 0,
        score: 0,
        regime: 'neutral',
        risk_regime: 'neutral',
        sentiment: 'neutral',
        components: { ofr_fsi: null, gold: -7.9058, aud_usd: 7.9058, usd_jpy: null },
        component_coverage: { ofr_fsi: false, gold: true, aud_usd: true, usd_jpy: false },
        stored_component_count: 2,
      },
    ]);
    expect(answer?.envelope).toMatchObject({
      start_date: '2020-01-01',
      component_metadata: {
        gold: { weight: 0.2, sign: -1, observation_count: 252 },
        ofr_fsi: { observation_count: 0 },
      },
      data_quality: { is_derived: true, reason: 'computed_from_components', row_count: 1 },
    });
    expect(answer?.notes).toEqual([
      "The service's own scores are not stored: these are computed from gold, aud_usd.",
      'ofr_fsi is stored for less than 252 days: its weight is spread over the others.',
      'usd_jpy is stored for less than 252 days: its weight is spread over the others.',
    ]);
  });

  it('use the stress index where somebody brought it', () => {
    const step = days(252, (i) => (i === 0 ? 0.001 : 0));
    const stress = loaded({ endpoint: 'announcements', scope: { currency: 'USD', indicator: 'ofr_fsi' }, rows: step });
    const held = [stress, gold(days(252, (i) => (i === 0 ? 1 : 2)))];
    const picked = composeSentiment.selectSeries?.(
      { ...args },
      held.map(({ ref }) => ref),
    );
    expect(picked).toEqual(held.map(({ ref }) => ref));
    // Weights 2/3 and 1/3: -10.541, and a fall of gold of the same size counts for it: 5.2705.
    expect(rowsIn(ask(held))[0]).toMatchObject({
      val: -0.9999,
      regime: 'risk_off',
      components: { ofr_fsi: -10.541, gold: 5.2705 },
    });
  });

  it('are not computed from months, or from less than a year of days', () => {
    const monthly = Array.from({ length: 300 }, (_, i) => ({
      date: new Date(Date.UTC(2026, 10 - i, 0)).toISOString().slice(0, 10),
      val: i,
    }));
    expect(ask([gold(monthly)])).toBeUndefined();
    expect(ask([gold(days(251, (i) => i))])).toBeUndefined();
    expect(ask([])).toBeUndefined();
  });

  it.skipIf(!hasOfficialData)('agree with exact arithmetic on the rates of the ECB (skipped without them)', () => {
    const [usd, aud, jpy] = ['USD', 'AUD', 'JPY'].map((code) => euroRates(code).slice(-1000));
    if (!usd || !aud || !jpy) throw new Error('no rates');
    const imported = (code: string, rates: typeof usd) =>
      pair('EUR', code, rates.map(({ date, rate }) => ({ date, val: Number(rate) })).toReversed(), 'import:ecb');
    const held = [imported('USD', usd), imported('AUD', aud), imported('JPY', jpy)];
    const answer = ask(held, { start_date: '2000-01-01', limit: 1000 });
    const rows = rowsIn(answer);
    expect(rows.length).toBe(1000 - LOOKBACK + 1);
    const audUsd = usd.map(({ rate }, i) => quotient(units(rate), units(aud[i]?.rate ?? '')));
    const usdJpy = usd.map(({ rate }, i) => quotient(units(jpy[i]?.rate ?? ''), units(rate)));
    const round = (value: number) => Math.round(value * 1e4) / 1e4;
    const expected = usd.slice(LOOKBACK - 1).map(({ date }, i) => {
      // Both pairs count for the appetite for risk, with half of the weight each.
      const [first, second] = [audUsd, usdJpy].map((all) => round(exactScore(all.slice(i, i + LOOKBACK)) / 2));
      const val = round(Math.tanh((first ?? 0) + (second ?? 0)));
      return { date, val, components: { ofr_fsi: null, gold: null, aud_usd: first, usd_jpy: second } };
    });
    const shown = rows.map(({ date, val, components }) => ({ date, val, components }));
    expect(shown.toReversed()).toEqual(expected);
  });
});
