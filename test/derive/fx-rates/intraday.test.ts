import { describe, expect, it } from 'vitest';
import type { LoadedSeries } from '../../../src/contract/hooks.ts';
import { composeIntraday } from '../../../src/derive/fx/reference.ts';
import { answer, imported, observed, told } from './world.ts';

const WINDOW = { start_time: '2026-11-19T15:00:00Z', end_time: '2026-11-20T15:00:00Z' };

function ask(pair: string, loaded: readonly LoadedSeries[], window: Partial<typeof WINDOW> = {}) {
  const [base = '', quote = ''] = pair.split('/');
  return answer(composeIntraday, { base, quote, ...WINDOW, ...window }, loaded);
}

const eurUsd = observed('EUR/USD', 'ecb', [
  ['2026-11-19', '2026-11-19T13:15:00Z', 1.15],
  ['2026-11-20', '2026-11-20T13:15:00Z', 1.1502],
]);

describe('intraday rates', () => {
  it('follow from the timed reference rates, as the specification shows them', () => {
    const { data, envelope } = ask('EUR/USD', [eurUsd]) ?? { data: [] };
    expect(envelope).toEqual({ pair: 'EUR/USD', ...WINDOW, count: 1 });
    expect(data).toEqual([
      {
        timestamp: '2026-11-20T13:15:00Z',
        price: 1.1502,
        val: 1.1502,
        reference_date: '2026-11-20',
        timestamp_type: 'official_fixing',
        source: { id: 'ecb', name: 'Bank ecb', is_official: true },
        source_pair: 'EUR/USD',
        is_derived: false,
        derivation_method: 'direct_original_pair',
      },
    ]);
  });

  it('include both ends of the window and come in order of time', () => {
    const all = (start_time: string, end_time: string) =>
      ask('USD/EUR', [eurUsd], { start_time, end_time })?.data.map(({ timestamp }) => timestamp);
    expect(all('2026-11-19T13:15:00Z', '2026-11-20T13:15:00Z')).toEqual([
      '2026-11-19T13:15:00Z',
      '2026-11-20T13:15:00Z',
    ]);
    expect(all('2026-11-19T13:15:01Z', '2026-11-20T13:14:59Z')).toEqual([]);
  });

  it('are the service’s own where it has said them, each moment once', () => {
    const text =
      '{"timestamp":"2026-11-20T13:15:00Z","price":1.15020,"reference_date":"2026-11-20","timestamp_type":"official_fixing","source":{"id":"ecb"},"x":1}';
    const own = (proven: boolean) =>
      told('fx_intraday_reference_rates', { base: 'EUR', quote: 'USD' }, [JSON.parse(text)], {
        texts: [text],
        proven,
        envelope: { mood: 'good' },
      });
    const wide = { start_time: '2026-11-19T00:00:00Z' };
    expect(ask('EUR/USD', [own(true), eurUsd], wide)).toMatchObject({
      rows: [text],
      envelope: { mood: 'good', count: 1 },
    });
  });

  it('never take a time that was only assumed', () => {
    expect(ask('EUR/USD', [imported('USD', [['2026-11-20', '1.1502']])])).toBeUndefined();
  });

  it('are unknown for a pair that nothing leads to', () => {
    expect(ask('GBP/JPY', [eurUsd])).toBeUndefined();
  });
});
