import { describe, expect, it } from 'vitest';
import { asJsonText } from '../../../src/contract/json/json.ts';
import type { KeyValue, StoredRow } from '../../../src/mirror/api/series.ts';
import { asKnownBy } from '../../../src/mirror/rules/as-of/past-conditions.ts';
import { doNow, wait } from '../../../src/mirror/statements/engine.ts';
import { differencesOf } from '../../../src/mirror/statements/past.ts';
import { EVENTS, TABLE } from './stored-row.ts';

const row = (date: KeyValue, members: object, commit = 1): StoredRow => ({
  key: [date],
  columns: {},
  text: asJsonText(JSON.stringify({ date, ...members })),
  commit,
  seenAt: 0,
  keyed: false,
});

const differences = (left: readonly StoredRow[], right: readonly StoredRow[], { limit = 9, table = TABLE } = {}) =>
  doNow(differencesOf(table, { left: taking(left), right: taking(right) }, limit));

function taking(rows: readonly StoredRow[]) {
  let place = 0;
  return () => wait(rows[place++]);
}

const [JANUARY, MARCH, MAY] = ['2026-01-31', '2026-03-31', '2026-05-31'];

describe('between two states', () => {
  it('rows came, went and changed, in the order of the answer', () => {
    const [old, changed] = [row(MARCH, { val: 1 }), row(MARCH, { val: 2 })];
    const [gone, come] = [row(JANUARY, { val: 1 }), row(MAY, { val: 1 })];
    expect(differences([old, gone], [come, changed])).toEqual([
      { key: [MAY], before: undefined, after: come },
      { key: [MARCH], before: old, after: changed },
      { key: [JANUARY], before: gone, after: undefined },
    ]);
    expect(differences([gone, old], [changed, come], { table: EVENTS })).toEqual([
      { key: [JANUARY], before: gone, after: undefined },
      { key: [MARCH], before: old, after: changed },
      { key: [MAY], before: undefined, after: come },
    ]);
  });

  it('one may have no rows at all', () => {
    const [may, march] = [row(MAY, { val: 1 }), row(MARCH, { val: 1 })];
    const [none, all] = [differences([may, march], []), differences([], [may, march])];
    expect(none.map(({ key, before, after }) => [key, before, after])).toEqual([
      [[MAY], may, undefined],
      [[MARCH], march, undefined],
    ]);
    expect(all.map(({ before, after }) => [before, after])).toEqual([
      [undefined, may],
      [undefined, march],
    ]);
    expect(differences([], [])).toEqual([]);
  });

  it('no more are told than are asked for', () => {
    const rows = [MAY, MARCH, JANUARY].map((date) => row(date, { val: 1 }));
    expect(differences(rows, [], { limit: 2 }).map(({ key }) => key)).toEqual([[MAY], [MARCH]]);
    expect(differences(rows, [], { limit: 0 })).toEqual([]);
  });

  it('what depends on neighbours is no difference, nor is the list of vintages', () => {
    const same = (a: object, b: object, table = TABLE) =>
      differences([row(MAY, a)], [row(MAY, b)], { table }).length === 0;
    expect(same({ val: 1, previous_value: 2 }, { val: 1, previous_value: 3 })).toBe(true);
    expect(same({ val: 1, revisions: [] }, { val: 1, revisions: [{ val: 1 }] })).toBe(true);
    expect(same({ val: 1, unit: 'a' }, { val: 1, unit: 'b' })).toBe(false);
    expect(same({ val: 1 }, { val: 1 })).toBe(true);
    // Rows of the calendar list none, and their local time follows from the question.
    expect(same({ announcement_datetime_local: 'a' }, { announcement_datetime_local: 'b' }, EVENTS)).toBe(true);
    expect(same({ revisions: [] }, { revisions: [1] }, EVENTS)).toBe(false);
  });
});

describe('a row in force at a commit', () => {
  const members = { val: 1, previous_value: 2 };

  it('says of its neighbours what came by then', () => {
    const [then, later] = [row(MAY, members, 3), row(MAY, members, 4)];
    expect(asKnownBy(TABLE, then, 3)).toBe(then);
    expect(asKnownBy(TABLE, later, 3)).toEqual({ ...later, text: JSON.stringify({ date: MAY, val: 1 }) });
  });

  it('stays as it is where no member depends on any', () => {
    const later = row(MAY, members, 4);
    expect(asKnownBy({ ...TABLE, dependent: new Set() }, later, 3)).toBe(later);
  });
});
