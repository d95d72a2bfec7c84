import { describe, expect, it } from 'vitest';
import { formatNamed } from '../../src/imports/formats.ts';
import { refusalOf, textsOf } from './read-format.ts';

const named = (id: string) => formatNamed(id) ?? expect.fail(id);

describe('small things that publishers change every few years', () => {
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
