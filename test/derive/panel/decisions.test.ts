import { describe, expect, test } from 'vitest';
import type { LoadedSeries } from '../../../src/contract/hooks.ts';
import type { Coverage } from '../../../src/contract/time/coverage.ts';
import type { KnownSpan } from '../../../src/contract/time/moments.ts';
import { fillWindow } from '../../../src/derive/panel/body.ts';
import { composePanel, type PanelArgs } from '../../../src/derive/panel/panel.ts';
import fc, { draws } from '../../support/properties.ts';
import { contextOf, loaded } from '../announcements/loaded.ts';

const TODAY = '2026-11-21';

interface Held {
  /** A period and the day on whose noon it was published. */
  readonly rows: readonly (readonly [date: string, published: string])[];
  readonly coverage: Coverage;
  readonly origin?: string;
  readonly knownSpans?: readonly KnownSpan[];
}

const noon = (day: string) => Date.parse(`${day}T12:00:00Z`) / 1000;

/** A panel of a series whose window nobody named: for each decision the period that was found, or why none was. */
function panel({ rows, coverage, origin = 'service', knownSpans }: Held, ...days: readonly string[]) {
  const decision_times = days.map((day) => `${day}T00:00:00Z`);
  const filled = fillWindow({ decision_times: days.join(',') }, TODAY);
  const args = { series: ['USD:gdp'], decision_times, availability: 'public', ...filled } as unknown as PanelArgs;
  const series: LoadedSeries = {
    ...loaded({
      endpoint: 'announcements',
      scope: { currency: 'USD', indicator: 'gdp' },
      origin,
      coverage,
      rows: rows.map(([date, published]) => ({ date, val: 1, announcement_datetime: noon(published) })),
    }),
    ...(knownSpans && { knownSpans }),
  };
  const built = composePanel.build([series], contextOf(args, `${TODAY}T12:00:00Z`));
  const cells = (built?.rows ?? []).map((text) => JSON.parse(text).values[0]);
  return {
    found: cells.map(({ date, reason }: { date?: string; reason?: string }) => reason ?? date),
    missing: (built?.missingParts ?? []).map(({ range }) => range && [range.from, range.to]),
  };
}

const ranges = (...parts: readonly (readonly [string, string])[]) => parts.map(([from, to]) => ({ from, to }));

describe('a hole ahead of a decision', () => {
  test('hides nothing where no period was ever known before its date', () => {
    const rows = [
      ['2026-05-31', '2026-06-10'],
      ['2026-10-31', '2026-11-10'],
    ] as const;
    const coverage = { ranges: ranges(['1900-01-01', '2026-06-30'], ['2026-10-01', '2026-11-21']), isOpen: true };
    expect(panel({ rows, coverage }, '2026-06-30')).toEqual({ found: ['2026-05-31'], missing: [] });
    // The last day may itself have a period.
    const missingRange = [['2026-07-01', '2026-09-30']];
    expect(panel({ rows, coverage }, '2026-07-01')).toEqual({ found: ['not_known_then'], missing: missingRange });
    expect(panel({ rows, coverage }, '2026-06-30', '2026-07-01', '2026-11-15')).toEqual({
      found: ['2026-05-31', 'not_known_then', '2026-10-31'],
      missing: missingRange,
    });
  });

  test('hides what may have been known so many days before its date as another period was', () => {
    // A survey of the month that is published on the 16th is known 14 days and a half before the last day.
    const rows = [
      ['2026-05-31', '2026-05-16'],
      ['2026-10-31', '2026-10-16'],
    ] as const;
    const coverage = { ranges: ranges(['1900-01-01', '2026-06-29'], ['2026-10-01', '2026-11-21']), isOpen: true };
    // The missing range begins on 30 June, 15 days behind the 15th.
    expect(panel({ rows, coverage }, '2026-06-14').found).toEqual(['2026-05-31']);
    expect(panel({ rows, coverage }, '2026-06-15').found).toEqual(['not_known_then']);
    expect(panel({ rows, coverage }, '2026-06-14', '2026-06-15', '2026-11-01').found).toEqual([
      '2026-05-31',
      'not_known_then',
      '2026-10-31',
    ]);
  });
});

describe('behind the last look', () => {
  const rows = [['2026-09-30', '2026-10-10']] as const;
  const coverage = { ranges: ranges(['1900-01-01', '2026-10-20']), isOpen: true };

  test('a decision on a day that is over may lack periods, and one of today is as old as the look', () => {
    expect(panel({ rows, coverage }, '2026-10-20', '2026-10-30', '2026-11-05', TODAY)).toEqual({
      found: ['2026-09-30', 'not_known_then', 'not_known_then', '2026-09-30'],
      missing: [['2026-10-21', '2026-11-05']],
    });
    expect(panel({ rows, coverage }, '2026-10-30').missing).toEqual([['2026-10-21', '2026-10-30']]);
  });

  test('a file tells by its times how long it is known: here to its last vintage, days behind its last period', () => {
    const file = {
      rows,
      coverage: { ...coverage, ranges: ranges(['1900-01-01', '2026-09-30']) },
      origin: 'import:ALFRED',
    };
    const knownSpans = [{ from: Date.parse('2026-10-10T12:00:00Z'), to: Date.parse('2026-11-01T12:00:00Z') }];
    expect(panel({ ...file, knownSpans }, '2026-10-30', '2026-11-05')).toEqual({
      found: ['2026-09-30', 'not_known_then'],
      missing: [['2026-11-01T12:00:00Z', '2026-11-04T23:59:59Z']],
    });
  });
});

test('a period of many years ago is found whatever else is asked', () => {
  const rows = [['2015-12-31', '2016-01-20']] as const;
  const coverage = { ranges: ranges(['1900-01-01', TODAY]), isOpen: true };
  expect(panel({ rows, coverage }, '2026-06-01').found).toEqual(['2015-12-31']);
  expect(panel({ rows, coverage }, '2016-06-01', '2026-06-01').found).toEqual(['2015-12-31', '2015-12-31']);
});

test('each of many decisions has the answer that it has alone, and the answer lacks what they lack alone', () => {
  const dayOf = (n: number) => new Date(Date.UTC(2026, 0, 1 + n)).toISOString().slice(0, 10);
  const day = fc.integer({ min: 0, max: 300 });
  const held = fc.record({
    rows: fc.uniqueArray(fc.tuple(day, fc.integer({ min: -30, max: 60 })), {
      selector: ([date]) => date,
      maxLength: 8,
    }),
    // Ends of covered ranges, two by two.
    edges: fc.uniqueArray(day, { minLength: 2, maxLength: 7 }),
    isOpen: fc.boolean(),
    origin: fc.constantFrom('service', 'import:ALFRED'),
    known: fc.option(fc.tuple(day, day), { nil: undefined }),
  });
  const decisions = fc.array(fc.integer({ min: -20, max: 330 }), { minLength: 2, maxLength: 8 });
  fc.assert(
    fc.property(held, decisions, ({ rows, edges, isOpen, origin, known }, at) => {
      const sorted = edges.toSorted((a, b) => a - b);
      const parts = sorted.flatMap((from, i) =>
        i % 2 === 0 && sorted[i + 1] !== undefined ? [[dayOf(from), dayOf(sorted[i + 1] ?? from)] as const] : [],
      );
      const [from = 0, to = 0] = known?.toSorted((a, b) => a - b) ?? [];
      const series: Held = {
        rows: rows.map(([date, after]) => [dayOf(date), dayOf(date + after)]),
        coverage: { ranges: ranges(...parts), isOpen },
        origin,
        ...(known && { knownSpans: [{ from: Date.parse(dayOf(from)), to: Date.parse(dayOf(to)) }] }),
      };
      const days = at.map(dayOf);
      const alone = days.map((one) => panel(series, one));
      const company = panel(series, ...days);
      expect(company.found).toEqual(alone.flatMap(({ found }) => found));
      expect(company.missing.length > 0).toBe(alone.some(({ missing }) => missing.length > 0));
      for (const { found, missing } of alone) expect(missing.length > 0).toBe(found[0] === 'not_known_then');
    }),
    { numRuns: draws(100) },
  );
});
