import { describe, expect, it } from 'vitest';
import { formatNamed } from '../../src/imports/formats.ts';
import { refusalOf, textsOf } from './read-format.ts';

const named = (id: string) => formatNamed(id) ?? expect.fail(id);

describe('small things that publishers change every few years', () => {
  it('a last line of the ECB without an end is whole, and one that is cut off is refused', () => {
    // As of 2018-01-24: until May 2024 the file had no line end.
    const ecb = 'Date,USD,JPY,\n1999-01-05,1.179,130.96,\n1999-01-04,1.1789,133.73,';
    expect(textsOf(named('ecb'), ecb)).toEqual({
      'EUR/USD': ['{"date":"1999-01-05","val":1.179}', '{"date":"1999-01-04","val":1.1789}'],
      'EUR/JPY': ['{"date":"1999-01-05","val":130.96}', '{"date":"1999-01-04","val":133.73}'],
    });
    expect(refusalOf(named('ecb'), ecb.slice(0, -1))).toMatch(/^Line 3 /);
    expect(refusalOf(named('ecb'), ecb.slice(0, -'133.73,'.length))).toMatch(/^Line 3 /);
    const bare = 'Date,USD,JPY\n1999-01-05,1.179,130.96\n1999-01-04,1.1789,';
    expect(refusalOf(named('ecb'), bare)).toContain('it ends within its last line');
  });

  it('a last line of full width without an end is whole, unless its last number is shorter than the one above', () => {
    const fred = (last: string) => `observation_date,UNRATE\n2026-01-01,4.3\n2026-02-01,${last}`;
    expect(textsOf(named('fred'), fred('4.4'))['USD/unemployment']?.at(-1)).toBe('{"date":"2026-02-28","val":4.4}');
    expect(textsOf(named('fred'), fred('10.4'))['USD/unemployment']?.at(-1)).toBe('{"date":"2026-02-28","val":10.4}');
    for (const cut of ['', '4']) expect(refusalOf(named('fred'), fred(cut))).toContain('ends within its last');
  });

  it('the multiplier of the Bundesbank is one in any case of its letters', () => {
    // Excerpt of the export of 2026-01-09.
    const file = (multiplier: string) =>
      `"",BBEX3.D.USD.EUR.BB.AC.000,BBEX3.D.USD.EUR.BB.AC.000_FLAGS\nunit multiplier,${multiplier},\n2010-01-04,1.4389,\n2010-01-05,1.4442,\n`;
    for (const one of ['one', 'One'])
      expect(textsOf(named('bundesbank'), file(one))).toEqual({
        'EUR/USD': ['{"date":"2010-01-04","val":1.4389}', '{"date":"2010-01-05","val":1.4442}'],
      });
    expect(refusalOf(named('bundesbank'), file('hundreds'))).toContain("its dimension is 'hundreds' and not one.");
  });
});
