import { describe, expect, it } from 'vitest';
import { publicStages, undoneConditions } from '../../../src/mirror/rules/as-of/dated.ts';
import type { UndoneDates } from '../../../src/mirror/rules/as-of/undone.ts';
import { EVENTS, entry, HOUR, keptRow, START, TABLE, type Text } from './stored-row.ts';

type Texts = readonly [Text, ...Text[]];

/** An import of October by the third and the fourth commit, taken back by the seventh. */
const UNDONE: UndoneDates = { since: 3, until: 7, from: '2026-10-01', to: '2026-10-31' };

/** Of the texts that the public knew: which commit brought each, and which ended it. Of the entries: value and commit. */
function known(texts: Texts, undone: readonly UndoneDates[] = [UNDONE], date = '2026-10-31') {
  const { stages, listed } = publicStages(TABLE, keptRow(texts, date), undone);
  return {
    texts: stages.map(({ seen, ended }) => [seen, ended]),
    entries: listed.map(({ value, seen }) => [Number(value), seen]),
  };
}

describe('a text of an import that was taken back', () => {
  it('goes, and the one that it ended goes on in the one that came back', () => {
    const texts: Texts = [
      { seen: 1, ended: 3, val: 1 },
      { seen: 3, ended: 7, val: 2 },
      { seen: 7, ended: 9, val: 1 },
      { seen: 9, val: 4 },
    ];
    expect(known(texts).texts).toEqual([
      [1, 9],
      [9, undefined],
    ]);
  });

  it('goes where there was no other, whichever commit of the import brought it', () => {
    expect(known([{ seen: 3, ended: 7, val: 2 }]).texts).toEqual([]);
    expect(known([{ seen: 4, ended: 7, val: 2 }]).texts).toEqual([]);
    expect(known([{ seen: 6, ended: 7, val: 2 }]).texts).toEqual([]);
  });

  it('leaves those that came before it or with the commit that took it back', () => {
    expect(known([{ seen: 2, ended: 7, val: 2 }]).texts).toEqual([[2, 7]]);
    expect(known([{ seen: 7, val: 2 }]).texts).toEqual([[7, undefined]]);
    expect(
      known([
        { seen: 1, ended: 2, val: 1 },
        { seen: 7, val: 1 },
      ]).texts,
    ).toEqual([
      [1, 2],
      [7, undefined],
    ]);
    expect(
      known([
        { seen: 1, ended: 7, val: 1 },
        { seen: 7, val: 2 },
      ]).texts,
    ).toEqual([
      [1, 7],
      [7, undefined],
    ]);
  });

  it('ended a text that did not come back', () => {
    expect(
      known([
        { seen: 1, ended: 4, val: 1 },
        { seen: 9, val: 2 },
      ]).texts,
    ).toEqual([
      [1, 4],
      [9, undefined],
    ]);
  });

  it('is one of the dates of the import, the first and the last one included', () => {
    const texts: Texts = [{ seen: 3, ended: 7, val: 2 }];
    const left = (date: string, undone: Partial<UndoneDates> = {}) =>
      known(texts, [{ ...UNDONE, ...undone }], date).texts.length;
    expect([left('2026-10-01', { from: '2026-10-01' }), left('2026-10-31', { to: '2026-10-31' })]).toEqual([0, 0]);
    expect([left('2026-09-30'), left('2026-11-01')]).toEqual([1, 1]);
    const kept = keptRow(texts, '2026-09-30');
    expect(publicStages(TABLE, kept, [UNDONE])).toBe(kept);
    expect(publicStages(TABLE, kept, [])).toBe(kept);
    const none = { stages: [], listed: [] };
    expect(publicStages(TABLE, none, [UNDONE])).toBe(none);
  });

  it('may belong to several that were taken back: then the last of them counts', () => {
    const later = { ...UNDONE, since: 2, until: 9 };
    const texts: Texts = [
      { seen: 1, ended: 3, val: 1 },
      { seen: 3, ended: 7, val: 2 },
      { seen: 7, ended: 9, val: 2 },
      { seen: 9, val: 1 },
    ];
    const expected = [[1, undefined]];
    expect(known(texts, [UNDONE, later]).texts).toEqual(expected);
    expect(known(texts, [later, UNDONE]).texts).toEqual(expected);
    // Two that did not overlap.
    const again = { ...UNDONE, since: 9, until: 11 };
    const twice: Texts = [
      { seen: 1, ended: 3, val: 1 },
      { seen: 3, ended: 7, val: 2 },
      { seen: 7, ended: 9, val: 1 },
      { seen: 9, ended: 11, val: 3 },
      { seen: 11, val: 1 },
    ];
    expect(known(twice, [UNDONE, again]).texts).toEqual(expected);
    expect(known(twice, [again, UNDONE]).texts).toEqual(expected);
  });
});

describe('an entry of an import that was taken back', () => {
  const [first, wrong, right] = [entry(-9, 1), entry(-8, 2), entry(-7, 3)];

  it('goes, unless a text that stays lists it: then that one brought it', () => {
    const texts: Texts = [
      { seen: 1, ended: 3, val: 1, list: [first] },
      { seen: 3, ended: 7, val: 2, list: [first, wrong, right] },
      { seen: 7, ended: 9, val: 1, list: [first] },
      { seen: 9, val: 3, list: [first, right] },
    ];
    expect(known(texts).entries).toEqual([
      [1, 1],
      [3, 9],
    ]);
  });

  it('goes where no row lists any', () => {
    const { stages, listed } = keptRow([
      { seen: 3, val: 2, list: [wrong] },
      { seen: 7, val: 2, list: [wrong] },
    ]);
    const { vintages: _, ...mapping } = TABLE.mapping;
    expect(publicStages({ ...TABLE, mapping }, { stages, listed }, [UNDONE]).listed).toEqual([]);
    expect(publicStages(TABLE, { stages, listed }, [UNDONE]).listed).toEqual([{ ...listed[0], seen: 7 }]);
  });
});

describe('rows that are found by an instant', () => {
  it('belong to an import of their day, to its last second', () => {
    const dates = { ...UNDONE, from: '2026-11-20', to: '2026-11-21' };
    const left = (second: number) => {
      const [stage] = keptRow([{ seen: 3, val: 1 }]).stages;
      if (!stage) throw new Error('one text');
      const row = { stages: [{ ...stage, key: [second, 'id'] }], listed: [] };
      return publicStages(EVENTS, row, [dates]).stages.length;
    };
    const day = 24 * HOUR;
    expect([START - day - 1, START - day, START + day - 1, START + day].map(left)).toEqual([1, 0, 0, 1]);
  });
});

describe('the conditions of rows', () => {
  const later: UndoneDates = { since: 5, until: 12, from: '2026-11-01', to: '2026-11-02' };
  const plain = (sql: string) => sql.replace(/\s+/g, ' ');

  it('say which texts an import brought that was taken back', () => {
    const { hidden } = undoneConditions(TABLE, [UNDONE, later]);
    const one = '(past.seen >= ? and past.seen < ? and past."date" >= ? and past."date" <= ?)';
    expect([plain(hidden('past.').sql), hidden('past.').values]).toEqual([
      `(${one} or ${one})`,
      [3, 7, '2026-10-01', '2026-10-31', 5, 12, '2026-11-01', '2026-11-02'],
    ]);
    expect(hidden('').sql).toContain('(seen >= ? and seen < ? and "date" >= ? and "date" <= ?)');
  });

  it('say which ones such a commit ended that was taken back later', () => {
    const { goesOn } = undoneConditions(TABLE, [UNDONE, later]);
    const one = '(superseded >= ? and superseded < ? and "date" >= ? and "date" <= ?)';
    expect(goesOn(7)).toEqual({ sql: `(${one})`, values: [5, 12, '2026-11-01', '2026-11-02'] });
    expect(goesOn(6).values).toHaveLength(8);
    expect(goesOn(12)).toEqual({ sql: '(1 = 0)', values: [] });
  });

  it('are none where nothing was taken back', () => {
    const { hidden, goesOn } = undoneConditions(TABLE, []);
    expect([hidden('past.'), goesOn(1)]).toEqual(Array(2).fill({ sql: '(1 = 0)', values: [] }));
  });

  it('name the column that rows are found by, in its own terms', () => {
    const dates = { ...UNDONE, from: '2026-11-20', to: '2026-11-21' };
    const { sql, values } = undoneConditions(EVENTS, [dates]).hidden('');
    expect([sql, values]).toEqual([
      '((seen >= ? and seen < ? and "announcement_datetime" >= ? and "announcement_datetime" <= ?))',
      [3, 7, START - 86_400, START + 86_399],
    ]);
  });
});
