import { describe, expect, it } from 'vitest';
import { columnsBy } from '../../../src/mirror/rules/as-of/past-conditions.ts';
import { byRow, listedInOrder, withoutLastRow } from '../../../src/mirror/rules/as-of/past-stored.ts';
import { keyOfRowVersion } from '../../../src/mirror/rules/vintages.ts';
import { EVENTS, entry, storedRow, TABLE } from './stored-row.ts';

describe('texts of several rows', () => {
  const [first, second] = [
    storedRow(
      [
        { seen: 1, ended: 2, val: 1 },
        { seen: 2, val: 2 },
      ],
      '2026-10-31',
    ),
    storedRow([{ seen: 1, val: 3, list: [entry(0, 3), entry(1, 4)] }], '2026-09-30'),
  ];
  const tuples = [...first.texts, ...second.texts];

  it('are those of one row after the other', () => {
    expect(byRow(tuples)).toEqual([
      { key: ['2026-10-31'], texts: first.texts },
      { key: ['2026-09-30'], texts: second.texts },
    ]);
    expect(byRow([])).toEqual([]);
  });

  it('may lack some of the last row, which goes', () => {
    expect(withoutLastRow(tuples)).toEqual(first.texts);
    expect(withoutLastRow([...second.texts, ...first.texts])).toEqual(second.texts);
    expect(withoutLastRow(first.texts)).toEqual([]);
    expect(withoutLastRow([])).toEqual([]);
  });

  it('are given their vintages when these are asked for in their order', () => {
    const dates = ['2026-10-31', '2026-09-30', '2026-08-31', '2026-07-31'];
    const [october, september, , july] = dates.map(
      (date) => storedRow([{ seen: 1, val: 1, list: [entry(0, 1), entry(1, 2)] }], date).listed,
    );
    const listed = [...(october ?? []), ...(september ?? []), ...(july ?? [])];
    const given = (table: typeof TABLE, reverse: boolean, asked: readonly string[], all = listed) => {
      const of = listedInOrder(table, all, reverse);
      return asked.map((date) => of([date]).map((one) => one.at(-1)));
    };
    const expected = [['2026-10-31', '2026-10-31'], ['2026-09-30', '2026-09-30'], [], ['2026-07-31', '2026-07-31']];
    expect(given(TABLE, false, dates)).toEqual(expected);
    expect(given(EVENTS, true, dates)).toEqual(expected);
    const backward = [dates.toReversed(), listed.toReversed(), expected.toReversed()] as const;
    expect(given(TABLE, true, backward[0], backward[1])).toEqual(backward[2]);
    expect(given(EVENTS, false, backward[0], backward[1])).toEqual(backward[2]);
    // Rows that nobody asks for are passed over.
    expect(given(TABLE, false, ['2026-09-30', '2026-07-31'])).toEqual([expected[1], expected[3]]);
    expect(given(TABLE, false, ['2026-06-30'])).toEqual([[]]);
  });

  it('have the keys that they are found by', () => {
    expect(tuples.map(keyOfRowVersion)).toEqual([['2026-10-31'], ['2026-10-31'], ['2026-09-30']]);
  });
});

it('a column without any value is none', () => {
  const columns = columnsBy(['a', 'b', 'c'], (name, place) => (name === 'b' ? [null, null] : [null, place]));
  expect(columns).toEqual({ a: [null, 0], b: undefined, c: [null, 2] });
  expect(columnsBy(['a'], () => [])).toEqual({ a: undefined });
});
