import { describe, expect, it } from 'vitest';
import type { LoadedSeries } from '../../../src/contract/hooks.ts';
import { composeUniverse, type UniverseArgs } from '../../../src/derive/fx/sources.ts';
import { answer, told } from './world.ts';

const sources = told(
  'fx_sources',
  {},
  [
    {
      id: 'ecb',
      name: 'ECB',
      is_official: true,
      native_pairs: ['EUR/USD', 'EUR/JPY'],
      served_pairs: ['EUR/USD', 'USD/EUR', 'USD/JPY'],
    },
    { id: 'solo', name: 'Solo', is_official: true, native_pairs: ['GBP/USD'] },
  ],
  { envelope: { source_policy: { value_field: 'price' } } },
);

function ask(args: Partial<UniverseArgs>, loaded: readonly LoadedSeries[] = [sources]) {
  return answer(composeUniverse, { currency: undefined, source: undefined, ...args }, loaded);
}

describe('the universe of sources', () => {
  it('follows from the list of sources: native pairs, pairs that follow from them, and the currency that they go by', () => {
    expect(ask({})?.data).toEqual([
      {
        source: { id: 'ecb', name: 'ECB', is_official: true },
        pair_count: 4,
        pairs: [
          { pair: 'EUR/USD', availability: 'native', anchor: 'EUR' },
          { pair: 'EUR/JPY', availability: 'native', anchor: 'EUR' },
          { pair: 'USD/EUR', availability: 'derived', anchor: 'EUR' },
          { pair: 'USD/JPY', availability: 'derived', anchor: 'EUR' },
        ],
      },
      {
        source: { id: 'solo', name: 'Solo', is_official: true },
        pair_count: 1,
        pairs: [{ pair: 'GBP/USD', availability: 'native', anchor: 'GBP' }],
      },
    ]);
    expect(ask({})?.envelope).toEqual({ source_policy: { value_field: 'price' } });
  });

  it('is narrowed to a currency, in any letter case, and to a source', () => {
    const { data, envelope } = ask({ currency: 'gbp' }) ?? { data: [] };
    expect(data.map(({ source, pair_count }) => [source.id, pair_count])).toEqual([['solo', 1]]);
    expect(envelope.currency).toBe('GBP');
    expect(ask({ currency: 'JPY' })?.data.map(({ pairs }) => pairs.map(({ pair }: { pair: string }) => pair))).toEqual([
      ['EUR/JPY', 'USD/JPY'],
    ]);
    expect(ask({ source: 'ecb', currency: 'USD' })).toMatchObject({
      data: [{ pair_count: 3 }],
      envelope: { currency: 'USD', source: 'ecb' },
    });
  });

  it('is empty when nothing matches', () => {
    expect(ask({ currency: 'ZZZ' })?.data).toEqual([]);
    expect(ask({ source: 'nobody' })?.data).toEqual([]);
    expect(ask({ source: 'solo', currency: 'EUR' })?.data).toEqual([]);
  });

  it('is the service’s own list where it was asked for, spelled as it came', () => {
    const text =
      '{"source":{"id":"own"},"pair_count":2,"pairs":[{"pair":"EUR/USD","weight":1.0},{"pair":"AUD/NZD","weight":2.0}],"mood":1.0}';
    const own = told('fx_source_universe', {}, [JSON.parse(text)], {
      texts: [text],
      envelope: { source_policy: {}, currency: 'X', weather: 1 },
    });
    expect(ask({}, [own, sources])).toMatchObject({ rows: [text], envelope: { weather: 1 } });
    expect(ask({}, [own])?.envelope.currency).toBeUndefined();
    expect(ask({ currency: 'nzd' }, [own])?.rows).toEqual([
      '{"source":{"id":"own"},"pair_count":1,"pairs":[{"pair":"AUD/NZD","weight":2.0}],"mood":1.0}',
    ]);
  });
});
