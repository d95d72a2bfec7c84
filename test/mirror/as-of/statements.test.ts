import { describe, expect, it } from 'vitest';
import type { Selection, StoredRow } from '../../../src/mirror/api/series.ts';
import { datedRows, sinceSelect, withinRange } from '../../../src/mirror/rules/as-of/known-vintages.ts';
import {
  horizonSelect,
  inForceConditions,
  isSelected,
  rowVersionCondition,
  rowVersionsInOrder,
} from '../../../src/mirror/rules/as-of/past-conditions.ts';
import { momentOf, type PastMoment } from '../../../src/mirror/rules/as-of/past-row.ts';
import { clock, EVENTS, HOUR, ns, START, TABLE } from './stored-row.ts';

const plain = (sql: string) => sql.replace(/\s+/g, ' ').trim();
const at = (by: PastMoment['by']): PastMoment => momentOf({ at: (START + 3 * HOUR) * 1000, by }, clock, []);
const question = (more: object = {}, selection: Selection = {}) => ({
  series: 7,
  selection,
  moment: at('public'),
  ...more,
});

describe('the condition of rows', () => {
  it('has the bounds of the window and of keys, in the direction of the answer', () => {
    const bounds = { from: ['2026-05-01'], after: ['2026-04-01'], to: ['2026-03-01'], before: ['2026-02-01'] };
    const asked = question(bounds, { from: '2026-01-01', to: '2026-12-31', where: { val: 1 }, releasedBy: 5 });
    const { sql, values } = rowVersionCondition(TABLE, asked);
    expect([plain(sql), values]).toEqual([
      'series = ? and "date" >= ? and "date" <= ? and ("date") <= (?) and ("date") < (?) and ("date") >= (?) and ("date") > (?)',
      [7, '2026-01-01', '2026-12-31', '2026-05-01', '2026-04-01', '2026-03-01', '2026-02-01'],
    ]);
  });

  it('compares keys of several columns as one', () => {
    const { sql, values } = rowVersionCondition(EVENTS, question({ from: [1, 'a'], before: [9, 'b'] }));
    expect([plain(sql), values]).toEqual([
      'series = ? and ("announcement_datetime", "calendar_event_id") >= (?, ?) and "announcement_datetime" >= ? and ' +
        '("announcement_datetime", "calendar_event_id") < (?, ?) and "announcement_datetime" <= ?',
      [7, 1, 'a', 1, 9, 'b', 9],
    ]);
    expect(rowVersionCondition(EVENTS, question())).toEqual({ sql: 'series = ?', values: [7] });
    const one = rowVersionCondition(EVENTS, question({}, { from: 3 }));
    expect([plain(one.sql), one.values]).toEqual(['series = ? and "announcement_datetime" >= ?', [7, 3]]);
  });

  it('selects texts in the order of the answer, or from its other end', () => {
    const { sql, values } = rowVersionsInOrder(EVENTS, question());
    expect(plain(sql)).toMatch(/ order by 8 asc, 9 asc$/);
    expect(values).toEqual([7, 7]);
    expect(plain(rowVersionsInOrder(EVENTS, question(), true).sql)).toMatch(/ order by 8 desc, 9 desc$/);
  });

  it('of a row in force has what the mirror held by the commit', () => {
    const { superseded, current } = inForceConditions(EVENTS, question({ moment: at('mirrored') }));
    expect([superseded, current]).toEqual([
      { sql: 'series = ? and seen <= ? and superseded > ?', values: [7, 3, 3] },
      { sql: 'series = ? and seen <= ?', values: [7, 3] },
    ]);
  });

  it('of a row in force to the public has its release and what was taken back', () => {
    const undone = [{ since: 2, until: 5, from: '2026-11-20', to: '2026-11-21' }];
    const moment = { ...at('public'), undone };
    const { superseded, current } = inForceConditions(EVENTS, question({ moment }));
    const dates = [2, 5, START - 86_400, START + 86_399];
    const hidden = (name: string, moved = 'seen') =>
      `((${name}${moved} >= ? and ${name}${moved} < ? and ${name}"announcement_datetime" >= ? and ${name}"announcement_datetime" <= ?))`;
    const same = (table: string) =>
      ['series', '"announcement_datetime"', '"calendar_event_id"']
        .map((one) => `past.${one} = ${table}.${one}`)
        .join(' and ');
    const release = 'assumed_release';
    const notBefore = (table: string, more = '') =>
      `not exists (select 1 from "calendar_superseded" as past where ${same(table)}${more} and not ${hidden('past.')})`;
    const known = `series = ? and (${release} is null or ${release} <= ?) and`;
    expect([plain(superseded.sql), superseded.values]).toEqual([
      `${known} not ${hidden('')} and ((seen <= ? and (superseded > ? or ${hidden('', 'superseded')})) or ` +
        `(seen > ? and ${release} is not null and ${notBefore('"calendar_superseded"', ' and past.revision < "calendar_superseded".revision')}))`,
      [7, START + 3 * HOUR, ...dates, 3, 3, ...dates, 3, ...dates],
    ]);
    expect([plain(current.sql), current.values]).toEqual([
      `${known} (seen <= ? or (${release} is not null and ${notBefore('"calendar"')}))`,
      [7, START + 3 * HOUR, 3, ...dates],
    ]);
  });
});

describe('a row as it was known', () => {
  const selected = (columns: object, selection: Selection, table = TABLE) =>
    isSelected(table, { columns } as StoredRow, selection);

  it('is selected by all of its columns', () => {
    expect(selected({ val: 1, unit: 'a' }, {})).toBe(true);
    expect(selected({ val: 1, unit: 'a' }, { where: { val: 1, unit: 'a' } })).toBe(true);
    expect(selected({ val: 1, unit: 'a' }, { where: { val: 1, unit: 'b' } })).toBe(false);
    expect(selected({ val: 1, unit: 'a' }, { where: { val: 2, unit: 'a' } })).toBe(false);
  });

  it('is selected by its release, where it has one', () => {
    const by = (released: number | null | undefined, table = TABLE) => selected({ released }, { releasedBy: 5 }, table);
    expect([by(5), by(6), by(null), by(undefined)]).toEqual([true, false, true, true]);
    expect(by(6, EVENTS)).toBe(true);
    expect(selected({ released: 6 }, {})).toBe(true);
  });
});

describe('the first row that may have been known', () => {
  const select = (by: PastMoment['by'], reverse?: boolean) => {
    const { sql, values } = horizonSelect(TABLE, question({ moment: at(by) }), reverse);
    return [plain(sql), values];
  };
  const whole = (order: string, ...conditions: readonly string[]) => {
    const tables = ['"announcements_superseded"', '"announcements"', '"announcements_vintages"'];
    const each = conditions.map(
      (condition, i) =>
        `select * from (select "date" from ${tables[i]} where series = ? and (${condition}) ${order}) as candidate_${i}`,
    );
    return `select "date" from (${each.join(' union all ')}) as candidates ${order}`;
  };
  const newest = 'order by "date" desc limit 1';
  const captured = 'observed_ns <= cast(? as bigint)';
  const [second, nanosecond] = [START + 3 * HOUR, String(ns(3 * HOUR))];

  it('is, to the mirror, one of a text that it had', () => {
    expect(select('mirrored')).toEqual([whole(newest, 'seen <= ?', 'seen <= ?'), [7, 3, 7, 3]]);
    expect(select('mirrored', true)).toEqual([
      whole('order by "date" asc limit 1', 'seen <= ?', 'seen <= ?'),
      [7, 3, 7, 3],
    ]);
  });

  it('is, to the service, one that was captured, or whose text came without entries', () => {
    const bare = (table: string) => {
      const same = ['series', '"date"', 'seen'].map((one) => `listed.${one} = ${table}.${one}`).join(' and ');
      return `seen <= ? or not exists (select 1 from "announcements_vintages" as listed where ${same})`;
    };
    expect(select('captured')).toEqual([
      whole(newest, bare('"announcements_superseded"'), bare('"announcements"'), captured),
      [7, 3, 7, 3, 7, nanosecond],
    ]);
  });

  it('is, to the public, one that was released, published or captured', () => {
    const text = 'seen <= ? or "released" is null or "released" <= ?';
    const { sql } = horizonSelect(TABLE, question());
    const release = /coalesce\([^)]*\)/.exec(sql)?.[0] ?? '"released"';
    const [shown, values] = select('public');
    expect([String(shown).replaceAll(release, '"released"'), values]).toEqual([
      whole(newest, text, text, `epoch <= ? or ${captured}`),
      [7, 3, second, 7, 3, second, 7, second, nanosecond],
    ]);
  });

  it('is one of a text alone where rows list no vintages', () => {
    const { sql, values } = horizonSelect(EVENTS, question({ moment: at('mirrored') }));
    expect([sql.match(/candidate_\d/g), values]).toEqual([
      ['candidate_0', 'candidate_1'],
      [7, 3, 7, 3],
    ]);
    const open = horizonSelect(EVENTS, question());
    expect(open.sql.match(/candidate_\d/g)).toHaveLength(2);
    expect(plain(open.sql)).toContain('select "announcement_datetime", "calendar_event_id" from');
  });
});

describe('a range of keys', () => {
  const range = (table: typeof TABLE, asked: Parameters<typeof withinRange>[2]) => withinRange(table, 7, asked);

  it('has a prefix and dates', () => {
    expect(range(TABLE, { prefix: [] })).toEqual({ sql: 'series = ?', values: [7] });
    expect(range(EVENTS, { prefix: [3, 'a'] })).toEqual({
      sql: 'series = ? and "announcement_datetime" = ? and "calendar_event_id" = ?',
      values: [7, 3, 'a'],
    });
    expect(range(TABLE, { prefix: ['2026-01-31'], from: '2026-01-01', to: '2026-12-31' })).toEqual({
      sql: 'series = ? and "date" = ? and "date" >= ? and "date" <= ?',
      values: [7, '2026-01-31', '2026-01-01', '2026-12-31'],
    });
    expect(range(EVENTS, { prefix: [], to: '2026-11-21' })).toEqual({
      sql: 'series = ? and "announcement_datetime" <= ?',
      values: [7, START + 86_399],
    });
  });

  it('has no dates where rows are not dated by their first key column', () => {
    const none = { sql: 'series = ?', values: [7] };
    const dates = { prefix: [], from: '2026-01-01', to: '2026-12-31' };
    const { window: _, ...mapping } = TABLE.mapping;
    expect(range({ ...TABLE, mapping }, dates)).toEqual(none);
    expect(range({ ...EVENTS, key: EVENTS.key.toReversed() }, dates)).toEqual(none);
    expect(range({ ...TABLE, key: [] }, dates)).toEqual(none);
    expect(range({ ...TABLE, mapping, key: [] }, dates)).toEqual(none);
  });
});

it('what a mirror can tell of a moment is read from the first commit and from any release', () => {
  expect(sinceSelect(7)).toEqual({
    sql: 'select at from commits where series = ? order by number limit 1',
    values: [7],
  });
  expect(datedRows(EVENTS)).toBe(
    'select 1 from "calendar" where series = ? and assumed_release is not null union all ' +
      'select 1 from "calendar_superseded" where series = ? and assumed_release is not null limit 1',
  );
});
