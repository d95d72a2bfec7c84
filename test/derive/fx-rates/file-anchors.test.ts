import { describe, expect, it } from 'vitest';
import type { LoadedSeries } from '../../../src/contract/hooks.ts';
import { composeReference } from '../../../src/derive/fx/reference.ts';
import { ask as askDaily, fromService, imported, parsed } from '../forex/world.ts';
import { answer, observed } from './world.ts';

/** A pair of one day in the file of a publisher. */
function inFile(origin: string, pair: string, rate: string): LoadedSeries {
  const [base = '', quote = ''] = pair.split('/');
  const { ref, envelope, ...rest } = imported(quote, [['2026-04-13', rate]]);
  return { ...rest, ref: { ...ref, origin, scope: { base, quote } }, envelope: { base, quote, source: origin } };
}

const service = (pair: string, rate: string) => fromService(pair, [`{"date":"2026-04-13","val":${rate}}`]);
const asImported = (pair: string, rate: string) => inFile('import:BoC', pair, rate);

function reference(loaded: readonly LoadedSeries[]) {
  const args = {
    base: 'EUR',
    quote: 'USD',
    date: undefined,
    start_date: '2026-04-13',
    end_date: '2026-04-13',
    source: undefined,
    timestamp_type: undefined,
    native_only: false,
    include_source_legs: true,
    order: 'timestamp_asc',
    limit: 100,
    offset: 0,
  };
  return answer(composeReference, args, loaded, '2026-04-14T12:00:00Z');
}

// 1.5 Canadian dollars for a euro and 1.25 for a US dollar: a euro is 1.5 / 1.25 = 1.2 US dollars.
describe('a daily rate by an anchor that the service does not use', () => {
  it('does not follow from pairs of the service', () => {
    expect(askDaily('EUR/USD', [service('EUR/CAD', '1.5'), service('USD/CAD', '1.25')])).toBeUndefined();
    expect(askDaily('EUR/USD', [service('EUR/CAD', '1.5'), asImported('USD/CAD', '1.25')])).toBeUndefined();
  });

  it('does not follow from files of two publishers', () => {
    const loaded = [asImported('EUR/CAD', '1.5'), inFile('import:ECB', 'USD/CAD', '1.25')];
    expect(askDaily('EUR/USD', loaded)).toBeUndefined();
  });

  it('follows from two pairs of one file, and says by which', () => {
    const loaded = [asImported('EUR/CAD', '1.5'), asImported('USD/CAD', '1.25')];
    const { data, envelope, notes } = parsed('EUR/USD', loaded);
    expect(data).toMatchObject([
      {
        date: '2026-04-13',
        val: 1.2,
        source: {
          source_pair: 'EUR/CAD,USD/CAD',
          is_derived: true,
          derivation_method: 'cross_via_anchor',
          anchor_currency: 'CAD',
        },
      },
    ]);
    expect(envelope).toMatchObject({
      source: 'import:BoC',
      pair_metadata: { derivation_method: 'cross_via_anchor', anchor_currency: 'CAD', is_derived: true },
    });
    expect(notes?.slice(0, 1)).toEqual(['EUR/USD is computed from EUR/CAD,USD/CAD of Bank of Canada.']);
  });

  it('takes both legs from the file, whatever the service says of one of them', () => {
    // The service's 1.2 for USD/CAD would make it 1.25.
    const loaded = [asImported('EUR/CAD', '1.5'), asImported('USD/CAD', '1.25'), service('USD/CAD', '1.2')];
    const { data, envelope } = parsed('EUR/USD', loaded);
    expect([data[0].val, envelope.source]).toEqual([1.2, 'import:BoC']);
  });
});

describe('a reference rate by an anchor that the service does not use', () => {
  const told = (pair: string, price: number) =>
    observed(pair, 'boc_fx_daily', [['2026-04-13', '2026-04-13T20:30:00Z', price]]);

  it('does not follow from observations of the service', () => {
    expect(reference([told('EUR/CAD', 1.5), told('USD/CAD', 1.25)])).toBeUndefined();
    expect(reference([told('EUR/CAD', 1.5), asImported('USD/CAD', '1.25')])).toBeUndefined();
  });

  it('follows from two pairs of one file, and says by which', () => {
    const loaded = [asImported('EUR/CAD', '1.5'), asImported('USD/CAD', '1.25'), told('USD/CAD', 1.2)];
    const found = reference(loaded);
    expect(found?.data).toMatchObject([
      { price: 1.2, source_pair: 'EUR/CAD,USD/CAD', derivation_method: 'cross_via_anchor', anchor_currency: 'CAD' },
    ]);
    expect(found?.notes?.[0]).toBe('EUR/USD is computed from EUR/CAD and USD/CAD.');
    // Coverage of a pair that gives no leg says nothing of the answer.
    expect(found?.missingParts).toEqual([]);
    expect(
      reference(
        loaded.map((one) =>
          one.ref.origin === 'import:BoC' ? one : { ...one, coverage: { ranges: [], isOpen: false } },
        ),
      )?.missingParts,
    ).toEqual([]);
  });
});
