import { describe, expect, test } from 'vitest';
import type { KeptValue } from '../../../src/contract/hooks.ts';
import type { JsonObject } from '../../../src/contract/json/json.ts';
import type { Coverage } from '../../../src/contract/time/coverage.ts';
import { composePanel, type PanelArgs } from '../../../src/derive/panel/panel.ts';
import fc, { draws } from '../../support/properties.ts';
import { keptValue } from '../announcements/kept.ts';
import { contextOf, loaded } from '../announcements/loaded.ts';

const SEPTEMBER = 1789129800; // 2026-09-11T12:30:00Z, August 2026
const OCTOBER = 1791981000; // 2026-10-14T12:30:00Z, September 2026
const NOVEMBER = 1794576600; // 2026-11-13T13:30:00Z, October 2026

interface Entry {
  readonly epoch?: number;
  readonly observed_at_ns_string?: string;
  readonly val: number | null;
}

/** A row as the service sends it: released with its first entry, revised by the others. */
const row = (date: string, release: number, entries: readonly Entry[]) => ({
  date,
  val: entries.at(-1)?.val ?? null,
  announcement_datetime: release,
  observation_id: `usd_inflation_x_${date}`,
  revisions: entries,
});

const august = row('2026-08-31', SEPTEMBER, [
  { epoch: SEPTEMBER, val: 3.1 },
  { epoch: OCTOBER, val: 3.0 },
]);
const september = row('2026-09-30', OCTOBER, [{ epoch: OCTOBER, val: 3.2 }]);

interface Asking {
  readonly rows?: readonly object[];
  readonly times: readonly string[];
  readonly series?: readonly string[];
  readonly availability?: string;
  readonly window?: readonly [string, string];
  readonly kept?: ReadonlyMap<string, readonly KeptValue[]>;
  readonly coverage?: Coverage;
}

function panel({ rows = [september, august], times, series = ['USD:inflation'], ...rest }: Asking): JsonObject {
  const [start_date, end_date] = rest.window ?? ['2026-01-01', '2026-12-31'];
  const args: PanelArgs = {
    series,
    decision_times: times,
    start_date,
    end_date,
    availability: rest.availability ?? 'public',
  };
  const held = ['USD', 'EUR'].map((currency) => ({
    ...loaded({
      endpoint: 'announcements',
      scope: { currency, indicator: 'inflation' },
      rows: currency === 'USD' ? rows : [],
      ...(rest.coverage && { coverage: rest.coverage }),
    }),
    ...(currency === 'USD' && rest.kept && { kept: rest.kept }),
  }));
  const built = composePanel.build(held, contextOf(args, '2026-11-21T12:00:00Z'));
  if (!built) throw new Error('no panel');
  return JSON.parse(JSON.stringify({ ...built.envelope, data: built.rows.map((text) => JSON.parse(text)) }));
}

/** The values of one series, decision by decision. */
function valuesAt(asking: Asking): readonly JsonObject[] {
  return (panel(asking).data as { values: JsonObject[] }[]).map(({ values }) => values[0] ?? {});
}

const found = (asking: Asking) => valuesAt(asking).map(({ date, val, reason }) => [date, val, reason]);

describe('the panel', () => {
  test('is what was known before: known since September, asked in the second of the next release', () => {
    expect(panel({ times: ['2026-10-14T12:30:00Z'] })).toEqual({
      availability: 'public',
      start_date: '2026-01-01',
      end_date: '2026-12-31',
      series: [{ currency: 'USD', indicator: 'inflation', max_age_days: null }],
      count: 1,
      missing_count: 0,
      data: [
        {
          decision_time: '2026-10-14T12:30:00Z',
          values: [
            {
              currency: 'USD',
              indicator: 'inflation',
              val: 3.1,
              date: '2026-08-31',
              announcement_datetime: SEPTEMBER,
              known_at: '2026-09-11T12:30:00Z',
              age_days: 44,
              observation_id: 'usd_inflation_x_2026-08-31',
            },
          ],
        },
      ],
    });
  });

  test('knows a value strictly after its publication', () => {
    const times = ['2026-09-11T12:30:00Z', '2026-09-11T12:30:01Z', '2026-10-14T12:30:00Z', '2026-10-14T12:30:01Z'];
    expect(found({ times })).toEqual([
      [undefined, null, 'not_known_yet'],
      ['2026-08-31', 3.1, undefined],
      ['2026-08-31', 3.1, undefined],
      ['2026-09-30', 3.2, undefined],
    ]);
  });

  test('takes the newest period, and of it the newest value known by then', () => {
    const late = row('2026-08-31', SEPTEMBER, [
      { epoch: SEPTEMBER, val: 3.1 },
      { epoch: NOVEMBER, val: 2.9 },
    ]);
    const revised = row('2026-09-30', OCTOBER, [
      { epoch: OCTOBER, val: 3.2 },
      { epoch: NOVEMBER, val: 3.3 },
    ]);
    const times = ['2026-11-13T13:30:00Z', '2026-11-13T13:30:01Z'];
    expect(found({ rows: [revised, late], times })).toEqual([
      ['2026-09-30', 3.2, undefined],
      ['2026-09-30', 3.3, undefined],
    ]);
  });

  test('answers in the order of the question, repeats included', () => {
    const times = ['2026-11-01T00:00:00Z', '2026-01-01T00:00:00Z', '2026-11-01T00:00:00Z'];
    const answer = panel({ times, series: ['EUR:inflation', 'USD:inflation', 'USD:inflation:1'] });
    expect((answer.data as { decision_time: string }[]).map((one) => one.decision_time)).toEqual(times);
    expect(
      (answer.data as { values: JsonObject[] }[])[0]?.values.map(({ currency, reason }) => [currency, reason]),
    ).toEqual([
      ['EUR', 'no_data'],
      ['USD', undefined],
      ['USD', 'too_old'],
    ]);
    expect([answer.count, answer.missing_count]).toEqual([3, 7]);
  });
});

describe('a value is missing', () => {
  test('when it is older than the series may be: 44 days are, 43 are not enough', () => {
    const times = ['2026-10-14T12:30:00Z'];
    expect(found({ times, series: ['USD:inflation:44'] })).toEqual([['2026-08-31', 3.1, undefined]]);
    expect(found({ times, series: ['USD:inflation:43'] })).toEqual([['2026-08-31', null, 'too_old']]);
  });

  test('when two different values have one moment', () => {
    const torn = row('2026-09-30', OCTOBER, [
      { epoch: OCTOBER, val: 3.2 },
      { epoch: OCTOBER, val: 3.4 },
    ]);
    const times = ['2026-10-14T12:30:00Z', '2026-10-15T00:00:00Z'];
    expect(found({ rows: [torn, august], times })).toEqual([
      ['2026-08-31', 3.1, undefined],
      ['2026-09-30', null, 'ambiguous'],
    ]);
  });

  test('but not when the same value has it twice, nor after a later one has settled it', () => {
    const twice = row('2026-09-30', OCTOBER, [
      { epoch: OCTOBER, val: 3.2 },
      { epoch: OCTOBER, val: 3.2 },
    ]);
    const settled = row('2026-09-30', OCTOBER, [
      { epoch: OCTOBER, val: 3.2 },
      { epoch: OCTOBER, val: 3.4 },
      { epoch: NOVEMBER, val: 3.4 },
    ]);
    const times = ['2026-11-20T00:00:00Z'];
    expect(found({ rows: [twice], times })).toEqual([['2026-09-30', 3.2, undefined]]);
    expect(found({ rows: [settled], times })).toEqual([['2026-09-30', 3.4, undefined]]);
  });

  test('when no period of the window has a row, or the publisher printed none', () => {
    const times = ['2026-11-20T00:00:00Z'];
    expect(found({ times, window: ['2020-01-01', '2020-12-31'] })).toEqual([[undefined, null, 'no_data']]);
    const blank = row('2026-09-30', OCTOBER, [{ epoch: OCTOBER, val: null }]);
    expect(found({ rows: [blank], times })).toEqual([['2026-09-30', null, 'no_data']]);
  });

  test('where the mirror holds no periods that may have been known, which a reason says too', () => {
    const coverage = { ranges: [{ from: '2026-01-01', to: '2026-08-31' }], isOpen: false };
    const times = ['2026-09-20T00:00:00Z', '2026-10-20T00:00:00Z'];
    expect(valuesAt({ rows: [august], times, coverage })).toEqual(
      times.map(() => ({ currency: 'USD', indicator: 'inflation', val: null, reason: 'not_known_then' })),
    );
  });

  test('periods outside of the window do not count, however new', () => {
    const times = ['2026-11-20T00:00:00Z'];
    expect(found({ times, window: ['2026-01-01', '2026-08-31'] })).toEqual([['2026-08-31', 3, undefined]]);
  });
});

describe('known to whom', () => {
  const captured = row('2026-09-30', OCTOBER, [
    { epoch: OCTOBER, observed_at_ns_string: `${OCTOBER + 4}000000001`, val: 3.2 },
  ]);

  test('captured trusts the captures of the service alone, to the nanosecond', () => {
    const times = ['2026-10-14T12:30:04Z', '2026-10-14T12:30:05Z'];
    expect(found({ rows: [captured], times, availability: 'captured' })).toEqual([
      [undefined, null, 'not_known_yet'],
      ['2026-09-30', 3.2, undefined],
    ]);
    expect(found({ rows: [captured], times })).toEqual([
      ['2026-09-30', 3.2, undefined],
      ['2026-09-30', 3.2, undefined],
    ]);
  });

  test('a value that nobody captured is never known to the service', () => {
    const times = ['2026-11-20T00:00:00Z'];
    expect(found({ times, availability: 'captured' })).toEqual([[undefined, null, 'not_known_yet']]);
  });

  test('a row without vintages is public since its release', () => {
    const plain = { date: '2026-09-30', val: 3.2, announcement_datetime: OCTOBER };
    expect(found({ rows: [plain], times: ['2026-10-14T12:30:00Z', '2026-10-14T12:30:01Z'] })).toEqual([
      [undefined, null, 'not_known_yet'],
      ['2026-09-30', 3.2, undefined],
    ]);
  });
});

describe('what only the mirror remembers', () => {
  const plain = { date: '2026-09-30', val: 3.4, announcement_datetime: OCTOBER };
  const SEEN = 1793836800; // 2026-11-05T00:00:00Z
  const text = (value: object) => JSON.stringify(value);

  test('a value that replaced another one without saying so is known since it was seen', () => {
    const kept = new Map([
      [
        '2026-09-30',
        [
          keptValue({ epoch: OCTOBER, seen: OCTOBER + 60, text: text({ ...plain, val: 3.2 }) }),
          keptValue({ seen: SEEN, text: text(plain) }),
        ],
      ],
    ]);
    const times = ['2026-11-05T00:00:00Z', '2026-11-05T00:00:01Z'];
    expect(found({ rows: [plain], times, kept })).toEqual([
      ['2026-09-30', 3.2, undefined],
      ['2026-09-30', 3.4, undefined],
    ]);
  });

  test('a period that vanished was known until then', () => {
    const kept = new Map([
      ['2026-09-30', [keptValue({ epoch: OCTOBER, seen: OCTOBER + 60, text: text(plain), withdrawn: SEEN })]],
    ]);
    const times = ['2026-11-05T00:00:00Z', '2026-11-05T00:00:01Z'];
    expect(found({ rows: [august], times, kept })).toEqual([
      ['2026-09-30', 3.4, undefined],
      ['2026-08-31', 3, undefined],
    ]);
  });
});

interface Vintage {
  readonly epoch: number;
  readonly val: number;
}

/** A recorder as simple as it gets: at each decision it goes through everything that had been said. */
function recorder(periods: ReadonlyMap<string, readonly Vintage[]>, decision: number): readonly unknown[] {
  let answer: readonly unknown[] = [undefined, null, periods.size === 0 ? 'no_data' : 'not_known_yet'];
  for (const date of [...periods.keys()].sort()) {
    let newest: number | undefined;
    const said = (periods.get(date) ?? []).filter(({ epoch }) => epoch < decision);
    for (const { epoch } of said) if (newest === undefined || epoch > newest) newest = epoch;
    if (newest === undefined) continue;
    const values = new Set(said.filter(({ epoch }) => epoch === newest).map(({ val }) => val));
    const [only] = values;
    answer = values.size > 1 ? [date, null, 'ambiguous'] : [date, only, undefined];
  }
  return answer;
}

test('at any moments the panel says what a recorder would have said', () => {
  const day = fc.integer({ min: 1, max: 28 }).map((n) => `2026-02-${String(n).padStart(2, '0')}`);
  // Few moments and few values, so that they meet.
  const vintages = fc.array(
    fc.record({ epoch: fc.integer({ min: -3, max: 12 }), val: fc.integer({ min: 1, max: 3 }) }),
    {
      minLength: 1,
      maxLength: 5,
    },
  );
  const history = fc.uniqueArray(fc.tuple(day, vintages), { selector: ([date]) => date, maxLength: 6 });
  const decisions = fc.array(fc.integer({ min: -5, max: 14 }), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(history, decisions, (periods, times) => {
      const rows = periods.map(([date, said]) => row(date, said[0]?.epoch ?? 0, said));
      const iso = times.map((second) => `${new Date(second * 1000).toISOString().slice(0, 19)}Z`);
      expect(found({ rows, times: iso })).toEqual(times.map((second) => recorder(new Map(periods), second)));
    }),
    { numRuns: draws(100) },
  );
});
