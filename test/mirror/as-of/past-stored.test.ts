import { describe, expect, it } from 'vitest';
import { type AsOf, AVAILABILITIES } from '../../../src/contract/time/moments.ts';
import { datedOf } from '../../../src/mirror/rules/as-of/dated.ts';
import { momentOf, pastRow } from '../../../src/mirror/rules/as-of/past-row.ts';
import { rowThen, settledText, stagesIn } from '../../../src/mirror/rules/as-of/past-stored.ts';
import type { RowVersionTuple, StoredRowVersion } from '../../../src/mirror/rules/vintages.ts';
import {
  captured,
  clock,
  DAY,
  entry,
  HOUR,
  keptRow,
  ns,
  owner,
  START,
  storedRow,
  TABLE,
  type Text,
  textOf,
} from './stored-row.ts';

const asOf = (seconds: number, by: AsOf['by']): AsOf => ({ at: (START + seconds) * 1000, by });
const then = (stored: StoredRowVersion, at: AsOf, undone: Parameters<typeof momentOf>[2] = []) =>
  rowThen(TABLE, stored, { moment: momentOf(at, clock, undone), clock });

const list = [entry(-DAY, 1), entry(-HOUR, 2)];
const LISTED: Text = { seen: 2, refreshed: 4, val: 2, keyed: true, release: -DAY, list };

describe('a row that one look tells', () => {
  it('says everything when it is asked for it', () => {
    const { columns, known, ...rest } = then(storedRow([LISTED]), asOf(5 * HOUR, 'public')) ?? {};
    expect(rest).toEqual({
      key: ['2026-10-31'],
      text: textOf(LISTED),
      commit: 4,
      seenAt: (START + 2 * HOUR) * 1000,
      keyed: true,
    });
    expect(columns).toEqual({
      date: '2026-10-31',
      val: 2,
      announcement_datetime: START - DAY,
      released: START - DAY,
    });
    expect({ ...known }).toEqual({ ns: String(ns(-HOUR)), text: JSON.stringify(list[1]), byRelease: false });
  });

  it('is of the commit that saw it where none refreshed it', () => {
    const row = then(storedRow([{ seen: 3, val: 1, release: -DAY }]), asOf(5 * HOUR, 'public'));
    expect([row?.commit, row?.keyed, row?.known.byRelease]).toEqual([3, false, true]);
  });

  it('is known by its release alone only to the public, and where it lists nothing', () => {
    const bare: Text = { seen: 2, val: 1, release: -DAY };
    const byRelease = (text: Text, by: AsOf['by']) => then(storedRow([text]), asOf(DAY, by))?.known.byRelease;
    expect([byRelease(bare, 'public'), byRelease(bare, 'mirrored')]).toEqual([true, false]);
    expect([byRelease(LISTED, 'public'), byRelease(LISTED, 'captured')]).toEqual([false, false]);
  });

  it('is told from what was read, when the connection is closed', () => {
    let isClosed = false;
    const closing = {
      at(commit: number) {
        if (isClosed) throw new Error('closed');
        return clock.at(commit);
      },
    };
    const row = rowThen(TABLE, storedRow([LISTED]), {
      moment: momentOf(asOf(DAY, 'public'), clock, []),
      clock: closing,
    });
    isClosed = true;
    expect([row?.columns.val, row?.known.ns]).toEqual([2, String(ns(-HOUR))]);
    expect(row?.columns).toBe(row?.columns);
  });
});

/** Rows of every kind that one look may tell, or may not. */
const ROWS: readonly (readonly [Text, ...Text[]])[] = [
  [{ seen: 2, val: 1 }],
  [{ seen: 2, val: 1, release: -DAY }],
  [{ seen: 2, val: 1, assumed: -DAY, keyed: true }],
  [{ seen: 2, refreshed: 4, val: 1, release: 3 * HOUR, more: { previous_value: 5 } }],
  [{ seen: 2, refreshed: 4, val: 1, release: -DAY, more: { previous_value: 5 } }],
  [{ seen: 2, val: 1, list: [entry(-DAY, 1)] }],
  [LISTED],
  [{ seen: 2, val: 1, list }],
  [{ seen: 2, val: 3, release: -DAY, list }],
  [{ seen: 2, val: 2, list: [entry(-DAY, 1, captured(-DAY)), entry(-HOUR, 2, captured(3 * HOUR))] }],
  [{ seen: 2, val: 2, list: [entry(-DAY, 1), entry(3 * HOUR, 2)] }],
  [{ seen: 2, val: 2, list: [{ val: 2, ...captured(-DAY) }] }],
  [{ seen: 2, val: 2, list: [{ val: 2 }] }],
  [{ seen: 2, val: 2, list: [entry(-DAY, 1), entry(-DAY, 2)] }],
  [{ seen: 2, val: 2, list: [owner(-DAY, 1), owner(-DAY, 2)] }],
  [{ seen: 2, ended: 4, val: 1, release: -DAY }],
  [
    { seen: 2, ended: 4, val: 1, list: [entry(-DAY, 1)] },
    { seen: 4, val: 2, list: [entry(-DAY, 1), entry(3 * HOUR, 2)] },
  ],
];

/** Everything that a row says. */
const told = (row: ReturnType<typeof rowThen>) =>
  row && { ...row, columns: { ...row.columns }, known: { ...row.known, ns: row.known.ns } };

it.each(ROWS.map((texts) => [JSON.stringify(texts), texts] as const))(
  'one look tells what all looks tell: %s',
  (_, texts) => {
    const moments = [-DAY, -HOUR, 0, 2 * HOUR, 3 * HOUR, 4 * HOUR].flatMap((at) => [at - 1, at]);
    for (const seconds of moments)
      for (const by of AVAILABILITIES) {
        const moment = momentOf(asOf(seconds, by), clock, []);
        const { stages, listed } = keptRow(texts);
        const dated = datedOf(TABLE, { stages, listed }, clock);
        const looked = pastRow(TABLE, { stages, dated }, { moment, clock });
        const one = then(storedRow(texts), asOf(seconds, by));
        expect([seconds, by, told(one)]).toEqual([seconds, by, told(looked)]);
        const text = settledText(TABLE, storedRow(texts), moment);
        if (text !== undefined) expect([seconds, by, text]).toEqual([seconds, by, looked?.text]);
      }
  },
);

it('a row of an import that was taken back is as if it had never come, to the public alone', () => {
  const undone = [{ since: 3, until: 5, from: '2026-10-01', to: '2026-10-31' }];
  const [old, wrong] = [
    { seen: 1, ended: 3, val: 1, assumed: -DAY },
    { seen: 3, ended: 5, val: 9, assumed: -DAY },
  ];
  const row = storedRow([old, wrong, { seen: 5, val: 1, assumed: -DAY }]);
  const value = (by: AsOf['by'], hours: number) => then(row, asOf(hours * HOUR, by), undone)?.columns.val;
  expect([2, 4, 6].map((hours) => value('public', hours))).toEqual([1, 1, 1]);
  expect([2, 4, 6].map((hours) => value('mirrored', hours))).toEqual([1, 9, 1]);
});

describe('what is stored of a row', () => {
  it('stands in an order of its own, however it was read', () => {
    const stored = storedRow([
      { seen: 1, ended: 2, val: 1, list: [entry(-HOUR, 1), entry(-DAY, 2)] },
      { seen: 2, ended: 5, val: 2, list: [entry(-HOUR, 3), { val: 7 }, { val: 8 }] },
      { seen: 5, val: 3 },
    ]);
    const [first, ...others] = stored.texts.toReversed();
    const expected = [
      [1, 2, 5],
      [
        [-HOUR, '3'],
        [-HOUR, '1'],
        [-DAY, '2'],
        [undefined, '8'],
        [undefined, '7'],
      ],
    ];
    const shuffled = { texts: [first, ...others] as [RowVersionTuple], listed: stored.listed.toReversed() };
    for (const one of [stored, shuffled]) {
      const { stages, listed } = stagesIn(TABLE, one);
      const times = listed.map(({ epoch, value }) => [epoch === undefined ? undefined : epoch - START, value]);
      expect([stages.map(({ seen }) => seen), times]).toEqual(expected);
    }
  });

  it('is read as it is, one entry too', () => {
    const { stages, listed } = stagesIn(TABLE, storedRow([LISTED]));
    expect(stages).toEqual([
      {
        ...{ key: ['2026-10-31'], seen: 2, refreshed: 4, ended: undefined, release: START - DAY, assumed: false },
        ...{ keyed: true, text: textOf(LISTED), row: JSON.parse(textOf(LISTED)), value: '2' },
      },
    ]);
    expect(listed).toHaveLength(2);
    expect(stagesIn(TABLE, storedRow([{ seen: 1, val: 1, list: [entry(0, 1)] }])).listed).toEqual([
      {
        ...{ key: ['2026-10-31'], known: ns(0), epoch: START, observed: undefined, seen: 1, value: '1' },
        text: JSON.stringify(entry(0, 1)),
      },
    ]);
  });
});
