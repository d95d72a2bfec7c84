import { describe, expect, it } from 'vitest';
import type { LoadedSeries } from '../../../src/contract/hooks.ts';
import { composeSources, composeUniverse } from '../../../src/derive/fx/sources.ts';
import { answer, imported, told } from './world.ts';

const service = (id: string) => ({ id, name: 'Told by the service', native_pairs: ['EUR/USD'], tier: 1 });
const list = (id: string) => told('fx_sources', {}, [service(id)], { envelope: { weather: 'fine' } });
const FILES: readonly LoadedSeries[] = [
  imported('USD', [['2026-11-20', '1.15']]),
  imported('GBP', [['2026-11-20', '0.86']]),
];
const ECB = {
  id: 'ecb_eurofxref_daily',
  name: 'European Central Bank',
  is_official: true,
  authority_type: 'central_bank',
  country_or_area: 'Euro area',
  tier: 1,
  default_timezone: 'Europe/Berlin',
  url: 'https://bank.test/rates',
  attribution_text: 'European Central Bank',
  is_aggregator: false,
  native_pairs: ['EUR/GBP', 'EUR/USD'],
  publication_frequency: 'daily',
  native_pair_count: 2,
  source_universe_endpoint: '/v1/fx/source-universe?source=ecb_eurofxref_daily',
  served_pairs: ['EUR/GBP', 'EUR/USD', 'GBP/EUR', 'GBP/USD', 'USD/EUR', 'USD/GBP'],
  served_pair_count: 6,
  coverage_note: 'Imported files, up to 2026-11-20; pairs that are not native follow from native ones.',
};

describe('the sources of a mirror with imported rates', () => {
  it('are their publisher and its pairs', () => {
    const { data, total, envelope } = answer(composeSources, {}, FILES) ?? { data: [] };
    expect([data, total]).toEqual([[ECB], 1]);
    expect(envelope?.source_policy).toMatchObject({ value_field: 'price' });
  });

  it('stand after those of the service, which speaks for a source that it names itself', () => {
    const both = answer(composeSources, {}, [list('other'), ...FILES]);
    expect([both?.data, both?.envelope.weather]).toEqual([[service('other'), ECB], 'fine']);
    expect(answer(composeSources, {}, [list('ecb_eurofxref_daily'), ...FILES])?.data).toEqual([
      service('ecb_eurofxref_daily'),
    ]);
  });

  it('make up the universe, too', () => {
    const asked = { currency: 'gbp', source: undefined };
    expect(answer(composeUniverse, asked, FILES)?.data).toEqual([
      {
        source: { id: 'ecb_eurofxref_daily', name: 'European Central Bank', is_official: true },
        pair_count: 4,
        pairs: [
          { pair: 'EUR/GBP', availability: 'native', anchor: 'EUR' },
          { pair: 'GBP/EUR', availability: 'derived', anchor: 'EUR' },
          { pair: 'GBP/USD', availability: 'derived', anchor: 'EUR' },
          { pair: 'USD/GBP', availability: 'derived', anchor: 'EUR' },
        ],
      },
    ]);
  });

  it('rates of a service tell of no publisher', () => {
    const rates = told('forex', { base: 'EUR', quote: 'USD' }, [{ date: '2026-11-20', val: 1.15 }]);
    expect(answer(composeSources, {}, [list('other'), rates])?.data).toEqual([service('other')]);
  });
});
