import { describe, expect, it } from 'vitest';
import { candidatePairs, pairText, pathsOf, selectPathSeries } from '../../../src/derive/fx/paths.ts';
import { ECB, SERVICE } from './world.ts';

const asked = { base: 'GBP', quote: 'JPY' };

/** `EUR/GBP@service`, `EUR/GBP@ecb` or `EUR/GBP@desk`. */
function held(...names: readonly string[]) {
  return names.map((name) => {
    const [pair = '', origin] = name.split('@');
    const [base = '', quote = ''] = pair.split('/');
    const from = origin === 'ecb' ? ECB : origin === 'desk' ? 'import:desk' : SERVICE;
    return { origin: from, endpoint: 'forex', scope: { base, quote } };
  });
}

function pathOver(...names: readonly string[]) {
  const [path] = pathsOf(asked, held(...names));
  return path && [path.method, ...path.legs.map(({ pair, side }) => `${side} ${pairText(pair)}`)];
}

describe('the best path to a pair', () => {
  it('is the pair itself when it is held', () => {
    expect(pathOver('JPY/GBP@service', 'GBP/JPY@ecb', 'EUR/GBP@service', 'EUR/JPY@service')).toEqual([
      'direct_original_pair',
      'times GBP/JPY',
    ]);
  });

  it('is its reverse before any cross', () => {
    expect(pathOver('EUR/GBP@service', 'EUR/JPY@service', 'JPY/GBP@ecb')).toEqual([
      'inverse_of_direct_pair',
      'over JPY/GBP',
    ]);
  });

  it('is a private table only where no official source has the pair', () => {
    const cross = ['cross_via_anchor', 'over EUR/GBP', 'times EUR/JPY'];
    expect(pathOver('GBP/JPY@desk', 'EUR/GBP@ecb', 'EUR/JPY@ecb')).toEqual(cross);
    expect(pathOver('JPY/GBP@desk', 'EUR/GBP@service', 'EUR/JPY@service')).toEqual(cross);
    expect(pathOver('GBP/JPY@desk', 'EUR/GBP@ecb')).toEqual(['direct_original_pair', 'times GBP/JPY']);
  });

  it('is a cross when both legs of an anchor are held, in any direction', () => {
    expect(pathOver('EUR/GBP@ecb', 'EUR/JPY@ecb')).toEqual(['cross_via_anchor', 'over EUR/GBP', 'times EUR/JPY']);
    expect(pathOver('GBP/USD@service', 'JPY/USD@service')).toEqual([
      'cross_via_anchor',
      'times GBP/USD',
      'over JPY/USD',
    ]);
  });

  it('prefers the daily USD-rate dataset of the service to crosses over the euro', () => {
    expect(pathOver('EUR/GBP@service', 'EUR/JPY@service', 'GBP/USD@service', 'USD/JPY@service')).toEqual([
      'cross_via_anchor',
      'times GBP/USD',
      'times USD/JPY',
    ]);
  });

  it('prefers the anchor whose worse leg has the better source', () => {
    expect(pathOver('EUR/GBP@service', 'EUR/JPY@service', 'GBP/USD@service', 'USD/JPY@ecb')?.[1]).toBe('over EUR/GBP');
  });

  it('reads a leg that is held both ways from the better source, else as the market quotes it', () => {
    expect(pathOver('GBP/EUR@service', 'EUR/GBP@ecb', 'EUR/JPY@ecb')?.[1]).toBe('times GBP/EUR');
    expect(pathOver('GBP/EUR@service', 'EUR/GBP@service', 'EUR/JPY@service')?.[1]).toBe('over EUR/GBP');
  });

  it('does not exist when a leg is missing', () => {
    expect(pathOver('EUR/GBP@ecb', 'USD/JPY@ecb')).toBeUndefined();
    expect(pathOver()).toBeUndefined();
  });
});

describe('what an answer reads', () => {
  it('could be any pair of the path, both ways round, by every anchor', () => {
    // Dollar and euro, and the currencies in which the Bank of Canada, the RBA and the National Bank of Poland quote.
    const legs = ['USD', 'EUR', 'CAD', 'AUD', 'PLN'].flatMap((anchor) => [`${anchor}/GBP`, `${anchor}/JPY`]);
    const both = ['GBP/JPY', ...legs].flatMap((pair) => [pair, pair.split('/').reverse().join('/')]);
    expect(candidatePairs(asked).map(pairText).sort()).toEqual(both.sort());
    const ofDollar = ['CAD', 'AUD', 'PLN'].flatMap((anchor) => [`${anchor}/EUR`, `${anchor}/USD`]);
    expect(candidatePairs({ base: 'EUR', quote: 'USD' }).map(pairText).sort()).toEqual(
      ['EUR/USD', ...ofDollar].flatMap((pair) => [pair, pair.split('/').reverse().join('/')]).sort(),
    );
  });

  it('is every origin of the legs, and no other series', () => {
    const all = held('EUR/GBP@ecb', 'EUR/GBP@service', 'EUR/JPY@ecb', 'USD/JPY@service');
    expect(selectPathSeries(asked, all)).toEqual(all.slice(0, 3));
  });

  it('takes the reverse of a direct pair along, to check against', () => {
    const all = held('GBP/JPY@service', 'JPY/GBP@service', 'EUR/JPY@ecb');
    expect(selectPathSeries(asked, all)).toEqual(all.slice(0, 2));
  });

  it('is every file of a path with rows, and of better ones without: each date takes the best that covers it', () => {
    const file = (pair: string, origin: string, rows: number) => {
      const [base = '', quote = ''] = pair.split('/');
      return { origin: `import:${origin}`, endpoint: 'forex', scope: { base, quote }, rows };
    };
    const year = { base: 'PLN', quote: 'CAD' };
    for (const direct of [0, 120, 252]) {
      const files = [file('CAD/PLN', 'NBP', direct), file('EUR/PLN', 'ECB', 100), file('EUR/CAD', 'ECB', 100)];
      expect(selectPathSeries(year, files)).toEqual(files);
    }
    const empty = [file('CAD/PLN', 'NBP', 252), file('EUR/PLN', 'ECB', 0), file('EUR/CAD', 'ECB', 100)];
    expect(selectPathSeries(year, empty)).toEqual(empty.slice(0, 1));
  });

  it('is nothing when no path is held', () => {
    expect(selectPathSeries(asked, held('EUR/JPY@ecb'))).toEqual([]);
  });
});
