import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { testPlatform } from '../../support/platform.ts';
import fc from '../../support/properties.ts';
import { macro } from '../../support/run.ts';
import { technicalsOf } from './support.ts';

const prices = fc.array(fc.double({ min: 0.5, max: 2, noNaN: true }), { minLength: 1, maxLength: 320 });

it('behind a pause every indicator is what it is of the rows behind it alone', () => {
  fc.assert(
    fc.property(prices, prices, fc.nat(), (before, after, drawn) => {
      const firstRow = drawn % (before.length + after.length);
      const vals = Float64Array.from([...before, ...after]);
      const broken = technicalsOf({ vals, beginnings: [before.length] }, undefined, firstRow);
      const alone = [before, after].map((part) => technicalsOf({ vals: Float64Array.from(part) }));
      for (let row = firstRow; row < vals.length; row += 1) {
        const isBefore = row < before.length;
        expect(broken.rowTexts(row)).toEqual(alone[isBefore ? 0 : 1]?.rowTexts(isBefore ? row : row - before.length));
      }
    }),
    { numRuns: 40 },
  );
});

/** Columns GBP and ISK of the ECB's history, which has no krona from 2008-12-10 to 2018-01-31. */
const FILE = join(import.meta.dirname, '../../../../shared/cases/gap-of-nine-years/eurofxref-hist.csv');

describe.skipIf(!existsSync(FILE))('nine years without a rate (skipped without ../shared/cases)', () => {
  it('are named, and no average reaches over them', async () => {
    const at = testPlatform({ now: '2018-03-02T09:00:00Z' });
    copyFileSync(FILE, join(at.folder, 'eurofxref-hist.csv'));
    expect((await macro('import eurofxref-hist.csv', at)).code).toBe(0);
    const asked = await macro(
      'fx eur isk --offline --start 2018-02-26 --end 2018-03-01 --format csv --fields date,sma_20,rsi_14 --indicators sma_20,rsi_14',
      at,
    );
    // By an independent computation over the 21 rates since 2018-02-01.
    expect(asked).toEqual({
      code: 0,
      out: [
        'date,sma_20,rsi_14',
        '2018-03-01,124.625,30.270332',
        '2018-02-28,124.6905,30.270332',
        '2018-02-27,,33.003254',
        '2018-02-26,,26.87262',
        '',
      ].join('\n'),
      err: 'note: No rate of EUR/ISK lies between 2008-12-09 and 2018-02-01: indicators begin anew behind it.\n',
    });
  });
});
