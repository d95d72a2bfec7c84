import { describe, expect, it } from 'vitest';
import type { Availability } from '../../../src/contract/time/moments.ts';
import { momentOf } from '../../../src/mirror/rules/as-of/past-row.ts';
import { settledText } from '../../../src/mirror/rules/as-of/past-stored.ts';
import { captured, clock, DAY, entry, HOUR, owner, START, storedRow, TABLE, type Text, textOf } from './stored-row.ts';

type Texts = readonly [Text, ...Text[]];

/** Does one look at the text tell what a row was, so many seconds after the start? Its text then, else undefined. */
function settled(texts: Texts, by: Availability, seconds: number): string | undefined {
  return settledText(TABLE, storedRow(texts), momentOf({ at: (START + seconds) * 1000, by }, clock, []));
}

/** The moments, of several, at which it tells the very text of a row with one. */
const settledAt = (text: Text, by: Availability, moments: readonly number[]) =>
  moments.filter((seconds) => settled([text], by, seconds) === textOf(text));

describe('to the mirror', () => {
  it('a text is that of the row from its commit on', () => {
    for (const list of [undefined, [entry(-DAY, 1)]])
      expect(
        settledAt({ seen: 2, val: 1, ...(list && { list }) }, 'mirrored', [0, 2 * HOUR - 1, 2 * HOUR, DAY]),
      ).toEqual([2 * HOUR, DAY]);
  });

  it('a text that was refreshed is, from then on', () => {
    const text = { seen: 2, refreshed: 4, val: 1 };
    expect(settledAt(text, 'mirrored', [2 * HOUR, 4 * HOUR - 1, 4 * HOUR])).toEqual([4 * HOUR]);
  });

  it('values that claim one time decide nothing', () => {
    const rivals = { seen: 2, val: 2, list: [entry(-DAY, 1), entry(-DAY, 2)] };
    expect(settledAt(rivals, 'mirrored', [2 * HOUR])).toEqual([2 * HOUR]);
  });
});

describe('to the service', () => {
  it('a text that lists nothing does not tell its capture', () => {
    expect(settledAt({ seen: 2, val: 1, release: -DAY }, 'captured', [0, 2 * HOUR, DAY])).toEqual([]);
  });

  it('a text is that of the row from its commit on, when all that it lists was known', () => {
    const list = [entry(-DAY, 1), entry(-HOUR, 2, captured(5 * HOUR))];
    const moments = [0, 2 * HOUR, 5 * HOUR - 1, 5 * HOUR, DAY];
    expect(settledAt({ seen: 2, val: 2, list }, 'captured', moments)).toEqual([5 * HOUR, DAY]);
    expect(settledAt({ seen: 2, val: 2, list: list.slice(0, 1) }, 'captured', moments)).toEqual(moments.slice(1));
    expect(settledAt({ seen: 2, val: 2, list: [entry(3 * HOUR, 2)] }, 'captured', [2 * HOUR, 3 * HOUR])).toEqual([
      3 * HOUR,
    ]);
  });

  it('values that claim one time decide nothing', () => {
    const rivals = { seen: 2, val: 2, list: [owner(-DAY, 1), owner(-DAY, 2)] };
    expect(settledAt(rivals, 'captured', [2 * HOUR])).toEqual([2 * HOUR]);
  });
});

describe('to the public', () => {
  it('a text that lists nothing is that of the row from its release on, however late it came', () => {
    const moments = [-DAY - 1, -DAY, 0, 2 * HOUR];
    expect(settledAt({ seen: 2, val: 1, release: -DAY }, 'public', moments)).toEqual(moments.slice(1));
    expect(settledAt({ seen: 2, val: 1, assumed: -DAY }, 'public', moments)).toEqual(moments.slice(1));
    const both = { seen: 2, val: 1, release: 0, assumed: -DAY };
    expect(settledAt(both, 'public', moments)).toEqual([0, 2 * HOUR]);
    expect(settledAt({ seen: 2, val: 1, release: DAY }, 'public', [2 * HOUR, DAY])).toEqual([DAY]);
  });

  it('a text that says no time has its value looked into', () => {
    expect(settledAt({ seen: 2, val: 1 }, 'public', [0, 2 * HOUR, DAY])).toEqual([]);
  });

  it('a text is that of the row once all that it lists was public, if its value was the last', () => {
    const list = [entry(-DAY, 1), entry(-HOUR, 2)];
    const moments = [-DAY, -HOUR - 1, -HOUR, 2 * HOUR - 1, 2 * HOUR];
    expect(settledAt({ seen: 2, val: 2, list }, 'public', moments)).toEqual(moments.slice(2));
    expect(settledAt({ seen: 2, val: 2, list: list.toReversed() }, 'public', moments)).toEqual(moments.slice(2));
    // What the row says besides its list it says since it was seen.
    expect(settledAt({ seen: 2, val: 1, list }, 'public', moments)).toEqual([2 * HOUR]);
    expect(settledAt({ seen: 2, val: 1, list: list.toReversed() }, 'public', moments)).toEqual([2 * HOUR]);
  });

  it('an entry without a publication time counts from its capture, once the text was seen', () => {
    const list = [{ val: 2, ...captured(5 * HOUR) }];
    expect(settledAt({ seen: 2, val: 2, list }, 'public', [HOUR, 2 * HOUR, 5 * HOUR - 1, 5 * HOUR])).toEqual([
      5 * HOUR,
    ]);
    const early = [{ val: 2, ...captured(-DAY) }];
    expect(settledAt({ seen: 2, val: 2, list: early }, 'public', [HOUR, 2 * HOUR - 1, 2 * HOUR])).toEqual([2 * HOUR]);
    expect(settledAt({ seen: 2, val: 2, list: [{ val: 2 }] }, 'public', [HOUR, 2 * HOUR])).toEqual([2 * HOUR]);
  });

  it('values that claim one time have to be looked into', () => {
    const of = (...list: readonly object[]) => settledAt({ seen: 2, val: 2, list }, 'public', [2 * HOUR]);
    expect(of(entry(-DAY, 1), entry(-DAY, 2))).toEqual([]);
    expect(of(entry(-DAY, 1), entry(-HOUR, 2), entry(-DAY, 3))).toEqual([]);
    expect(of(entry(-DAY, 1), entry(-HOUR, 2))).toEqual([2 * HOUR]);
    // Entries without a time claim none.
    expect(of({ val: 1 }, { val: 2 })).toEqual([2 * HOUR]);
  });
});

describe('a text', () => {
  it.each<Availability>(['public', 'captured', 'mirrored'])('that was not the only one tells nothing (%s)', (by) => {
    const list = [entry(-DAY, 1)];
    const [first, second] = [
      { seen: 1, ended: 2, val: 1, list },
      { seen: 2, val: 1, list, more: { unit: '%' } },
    ];
    expect(settled([first, second], by, DAY)).toBeUndefined();
    expect(settled([{ ...first, seen: 2, ended: 3 }], by, DAY)).toBeUndefined();
    expect(settled([second], by, DAY)).toBe(textOf(second));
  });

  it.each<Availability>(['public', 'captured', 'mirrored'])(
    'with an entry of another commit tells nothing (%s)',
    (by) => {
      const stored = storedRow([{ seen: 2, val: 1, list: [entry(-DAY, 1)] }]);
      const listed = stored.listed.map((one) => one.with(3, 4) as typeof one);
      const moment = momentOf({ at: (START + DAY) * 1000, by }, clock, []);
      expect(settledText(TABLE, { ...stored, listed }, moment)).toBeUndefined();
      expect(settledText(TABLE, stored, moment)).toBeDefined();
    },
  );

  it('says of its neighbours what it said when it came', () => {
    const text = { seen: 2, refreshed: 4, val: 1, release: -DAY, more: { previous_value: 5, unit: '%' } };
    const alone = '{"date":"2026-10-31","val":1,"announcement_datetime":1795132800,"unit":"%"}';
    expect([0, 2 * HOUR, 4 * HOUR - 1].map((at) => settled([text], 'public', at))).toEqual([alone, alone, alone]);
    expect(settled([text], 'public', 4 * HOUR)).toBe(textOf(text));
    const once = { ...text, refreshed: undefined as never };
    expect([0, 2 * HOUR - 1].map((at) => settled([once], 'public', at))).toEqual([alone, alone]);
    expect(settled([once], 'public', 2 * HOUR)).toBe(textOf(text));
    // Seen before the moment it says what it lists; only its neighbours are of later.
    const listed = { ...text, val: 1, list: [entry(-DAY, 1), entry(-HOUR, 2)] };
    expect(settled([listed], 'public', 3 * HOUR)).toBe(textOf({ ...listed, more: { unit: '%' } }));
    expect(settled([listed], 'public', HOUR)).toBeUndefined();
  });
});
