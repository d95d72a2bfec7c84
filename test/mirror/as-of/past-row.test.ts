import { describe, expect, it } from 'vitest';
import type { AsOf } from '../../../src/contract/time/moments.ts';
import { datedOf } from '../../../src/mirror/rules/as-of/dated.ts';
import { inForce, momentOf, pastRow, saysOfNeighbours } from '../../../src/mirror/rules/as-of/past-row.ts';
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
  TABLE,
  type Text,
  textOf,
} from './stored-row.ts';

type Texts = readonly [Text, ...Text[]];

const momentAt = (by: AsOf['by'], seconds: number) => momentOf({ at: (START + seconds) * 1000, by }, clock, []);

function historyOf(texts: Texts) {
  const kept = keptRow(texts);
  return { stages: kept.stages, dated: datedOf(TABLE, kept, clock) };
}

/** What was in force so many seconds after the start: the commit of the text, the value, and since when. */
function force(texts: Texts, by: AsOf['by'], seconds: number) {
  const found = inForce(historyOf(texts), momentAt(by, seconds));
  return found && [found.version.seen, found.dated?.value, Number(found.since / 1_000_000_000n) - START];
}

const past = (texts: Texts, by: AsOf['by'], seconds: number) =>
  pastRow(TABLE, historyOf(texts), { moment: momentAt(by, seconds), clock });

const first = entry(-DAY, 1);

describe('a moment', () => {
  const undone = [{ since: 1, until: 2, from: '2026-01-01', to: '2026-02-01' }];

  it('is compared by its nanosecond and the last commit by then', () => {
    expect(momentOf({ at: (START + 3 * HOUR) * 1000 + 1, by: 'captured' }, clock, [])).toEqual({
      by: 'captured',
      ns: ns(3 * HOUR) + 1_000_000n,
      commit: 3,
      undone: [],
    });
  });

  it('knows of imports that were taken back only for the public', () => {
    const of = (by: AsOf['by']) => momentOf({ at: 0, by }, clock, undone).undone;
    expect([of('public'), of('captured'), of('mirrored')]).toEqual([undone, [], []]);
  });
});

describe('to the mirror', () => {
  it('a row has the text that it had, with the newest vintage of its value', () => {
    const texts: Texts = [
      { seen: 1, ended: 3, val: 1, list: [first] },
      { seen: 3, ended: 5, val: 2, list: [first, entry(-HOUR, 2)] },
      { seen: 7, val: 1, list: [first, entry(-HOUR, 2), entry(6 * HOUR, 1)] },
    ];
    const hours = [0, 1, 2, 3, 4, 5, 6, 7, 8];
    expect(hours.map((hour) => force(texts, 'mirrored', hour * HOUR))).toEqual([
      undefined,
      [1, '1', HOUR],
      [1, '1', HOUR],
      [3, '2', 3 * HOUR],
      [3, '2', 3 * HOUR],
      // It was gone, and came back.
      undefined,
      undefined,
      [7, '1', 7 * HOUR],
      [7, '1', 7 * HOUR],
    ]);
  });

  it('a row has the vintage that is told last of those that came with one commit', () => {
    const texts: Texts = [{ seen: 1, val: 1, list: [entry(-DAY, 1), entry(-HOUR, 1), entry(-2, 2)] }];
    expect(past(texts, 'mirrored', HOUR)?.known.text).toBe(JSON.stringify(entry(-HOUR, 1)));
  });

  it('a row has the vintage that the mirror saw last, however early the public knew it', () => {
    const [ahead, back] = [entry(5 * HOUR, 1), entry(-DAY, 1)];
    const texts: Texts = [
      { seen: 1, ended: 3, val: 1, list: [ahead] },
      { seen: 3, val: 1, list: [ahead, back] },
    ];
    expect(past(texts, 'mirrored', 2 * HOUR)?.known).toMatchObject({
      text: JSON.stringify(ahead),
      ns: String(ns(HOUR)),
    });
    expect(past(texts, 'mirrored', 3 * HOUR)?.known).toMatchObject({
      ...{ text: JSON.stringify(back), ns: String(ns(3 * HOUR)) },
    });
  });

  it('a row has no vintage that it listed later', () => {
    const texts: Texts = [
      { seen: 1, ended: 3, val: 1, list: [first] },
      { seen: 3, val: 1, list: [first, entry(-HOUR, 1)] },
    ];
    expect(past(texts, 'mirrored', 2 * HOUR)?.known.text).toBe(JSON.stringify(first));
    expect(past(texts, 'mirrored', 3 * HOUR)?.known.text).toBe(JSON.stringify(entry(-HOUR, 1)));
  });
});

describe('to the public', () => {
  it('nothing is known of a row without texts, before it was known, or once it is gone', () => {
    expect(inForce({ stages: [], dated: [] }, momentAt('public', 0))).toBeUndefined();
    const texts: Texts = [{ seen: 2, ended: 4, val: 1, release: -DAY }];
    expect(force(texts, 'public', -DAY - 1)).toBeUndefined();
    expect(force(texts, 'public', -DAY)).toEqual([2, '1', -DAY]);
    expect(force(texts, 'public', 4 * HOUR - 1)).toEqual([2, '1', -DAY]);
    expect(force(texts, 'public', 4 * HOUR)).toBeUndefined();
    // Whatever its values say: the mirror saw it vanish.
    const { stages } = historyOf(texts);
    const { dated } = historyOf([{ seen: 2, val: 1, release: -DAY }]);
    expect(inForce({ stages, dated }, momentAt('public', 4 * HOUR))).toBeUndefined();
    expect(inForce({ stages, dated }, momentAt('public', 3 * HOUR))?.dated?.value).toBe('1');
  });

  it('the newest value counts, in the text of then where it has it', () => {
    const texts: Texts = [
      { seen: 1, ended: 3, val: 1, list: [first] },
      { seen: 3, ended: 5, val: 1, list: [first], more: { unit: '%' } },
      { seen: 5, val: 2, list: [first, entry(2 * HOUR, 2)] },
    ];
    expect(force(texts, 'public', HOUR)).toEqual([1, '1', -DAY]);
    expect(force(texts, 'public', 4 * HOUR)).toEqual([5, '2', 2 * HOUR]);
    // Before the mirror saw any of them, the first text that has it.
    expect(force(texts, 'public', 0)).toEqual([1, '1', -DAY]);
    // What the mirror saw later says since when it was so.
    expect(force(texts, 'public', 2 * HOUR)).toEqual([5, '2', 2 * HOUR]);
  });

  it('a value that the text of then has not is shown in the newest text by then that has it', () => {
    const known = [first, entry(5 * HOUR, 3)];
    const texts: Texts = [
      { seen: 1, ended: 2, val: 1, list: [first] },
      { seen: 2, ended: 3, val: 1, list: [first], more: { unit: '%' } },
      { seen: 3, ended: 9, val: 3, list: known },
      { seen: 9, val: 1, list: [...known, entry(6 * HOUR, 1)], more: { unit: 'later' } },
    ];
    expect(force(texts, 'public', 5 * HOUR)).toEqual([3, '3', 5 * HOUR]);
    expect(force(texts, 'public', 6 * HOUR)).toEqual([2, '1', 6 * HOUR]);
    expect(force(texts, 'public', 9 * HOUR)).toEqual([9, '1', 6 * HOUR]);
  });

  it('a value that no text has is shown in the one that listed it', () => {
    const middle = entry(-HOUR, 5);
    const texts: Texts = [
      { seen: 1, ended: 3, val: 1, list: [first] },
      { seen: 3, val: 2, list: [first, middle, entry(2 * HOUR, 2)] },
    ];
    expect(force(texts, 'public', 0)).toEqual([3, '5', -HOUR]);
    expect(past(texts, 'public', 0)?.text).toBe(
      JSON.stringify({ date: '2026-10-31', val: 5, revisions: [first, middle] }),
    );
    // Where that one is none of its own, in the first.
    const { stages, dated } = historyOf(texts);
    const foreign = dated.map((one) => ({ ...one, seen: 99 }));
    expect(inForce({ stages, dated: foreign }, momentAt('public', 0))?.version.seen).toBe(1);
  });

  it('owners that contradict each other leave the row without a value', () => {
    const texts: Texts = [
      { seen: 1, val: 2, list: [owner(-DAY, 1), owner(-DAY, 2)], more: { previous_value: 7, unit: '%' } },
    ];
    expect(force(texts, 'public', 0)).toEqual([1, undefined, -DAY]);
    expect(force(texts, 'public', HOUR)).toEqual([1, undefined, -DAY]);
    expect(past(texts, 'public', HOUR)).toMatchObject({
      text: JSON.stringify({
        ...{ date: '2026-10-31', val: null, revisions: texts[0].list, unit: '%', reason: 'ambiguous' },
      }),
      columns: { date: '2026-10-31', val: null },
      known: { ns: String(ns(-DAY)), text: '{}', byRelease: false },
    });
  });
});

describe('the row as it was known', () => {
  const LISTED: Text = { seen: 2, refreshed: 4, val: 2, keyed: true, list: [first, entry(-HOUR, 2)] };

  it('says whose text it is', () => {
    const { columns, ...rest } = past([LISTED], 'public', 5 * HOUR) ?? {};
    expect([rest, { ...columns }]).toEqual([
      {
        key: ['2026-10-31'],
        text: textOf(LISTED),
        commit: 4,
        seenAt: (START + 2 * HOUR) * 1000,
        keyed: true,
        known: { ns: String(ns(-HOUR)), text: JSON.stringify(entry(-HOUR, 2)), byRelease: false },
      },
      { date: '2026-10-31', val: 2, announcement_datetime: null, released: null },
    ]);
    expect(past([{ seen: 3, val: 1 }], 'public', 5 * HOUR)?.commit).toBe(3);
  });

  it('lists what was known, to whom', () => {
    const late = { ...LISTED, list: [first, entry(-HOUR, 2, captured(3 * HOUR)), entry(5 * HOUR, 4)] };
    const listed = (by: AsOf['by'], hours: number) =>
      (past([late], by, hours * HOUR)?.text.match(/"val":(\d)/g) ?? []).slice(1).map((one) => one.at(-1));
    expect(listed('public', 0)).toEqual(['1', '2']);
    expect(listed('captured', 2)).toEqual(['1', '4']);
    expect(listed('captured', 3)).toEqual(['1', '2', '4']);
    expect(listed('public', 5)).toEqual(['1', '2', '4']);
    // To the mirror the text is what it was.
    expect(listed('mirrored', 2)).toEqual(['1', '2', '4']);
  });

  it('keeps the spelling of a list of which all was known', () => {
    const { stages, dated } = historyOf([
      { seen: 1, ended: 3, val: 1, list: [first, entry(-HOUR, 1)] },
      { seen: 3, val: 9, list: [first] },
    ]);
    const spaced = stages.map((one) => ({ ...one, text: one.text.replaceAll('{"epoch"', ' { "epoch"') }));
    const textAt = (hours: number) =>
      pastRow(TABLE, { stages: spaced, dated }, { moment: momentAt('public', hours * HOUR), clock })?.text;
    expect([textAt(2), textAt(4)]).toEqual(spaced.map(({ text }) => text));
  });

  it('has no list where nothing of it was known', () => {
    const texts: Texts = [
      { seen: 1, ended: 2, val: 3, release: -DAY },
      { seen: 2, val: 3, release: -DAY, list: [entry(5 * HOUR, 4)] },
    ];
    expect(past(texts, 'public', 2 * HOUR)?.text).toBe(textOf({ seen: 2, val: 3, release: -DAY }));
    // What is no list stays what it is.
    const none: Texts = [
      { seen: 2, val: 3, more: { revisions: 'none' } },
      { seen: 5, val: 4 },
    ];
    expect(
      past(
        [
          { ...none[0], ended: 5 },
          { seen: 5, val: 4 },
        ],
        'public',
        2 * HOUR,
      )?.text,
    ).toBe(textOf(none[0]));
  });

  it('says of another vintage what that one says, and nothing in its place', () => {
    const before = { ...first, vintage_status: 'first', val_mom: 0.5 };
    const texts: Texts = [
      {
        ...{ seen: 2, val: 2, list: [before, entry(-HOUR, 2)] },
        more: { vintage_status: 'revised', capture_time_basis: 'service', val_mom: 0.7, unit: '%' },
      },
    ];
    expect(past(texts, 'public', -DAY)?.text).toBe(
      JSON.stringify({
        date: '2026-10-31',
        val: 1,
        revisions: [before],
        vintage_status: 'first',
        val_mom: 0.5,
        unit: '%',
      }),
    );
    expect(past(texts, 'public', 3 * HOUR)?.text).toBe(textOf(texts[0]));
  });

  it('says of its neighbours nothing that came later', () => {
    const text: Text = { seen: 2, refreshed: 4, val: 1, release: -DAY, more: { previous_value: 5, change: null } };
    const alone = textOf({ seen: 2, val: 1, release: -DAY });
    for (const by of ['public', 'captured'] as const)
      expect([3, 4].map((hours) => past([text], by, hours * HOUR)?.text)).toEqual([alone, textOf(text)]);
    expect(past([text], 'mirrored', 3 * HOUR)).toMatchObject({ text: alone, columns: { val: 1 } });
    const once: Text = { seen: 2, val: 1, release: -DAY, more: { previous_value: 5 } };
    expect([0, 2].map((hours) => past([once], 'public', hours * HOUR)?.text)).toEqual([alone, textOf(once)]);
  });

  it('is known by its release alone to the public, where that is the whole text', () => {
    const byRelease = (text: Text, by: AsOf['by']) => past([text], by, DAY)?.known.byRelease;
    expect(byRelease({ seen: 2, val: 1, release: -DAY }, 'public')).toBe(true);
    expect(byRelease({ seen: 2, val: 1, release: -DAY }, 'captured')).toBe(false);
    expect(byRelease({ seen: 2, val: 1, release: -DAY }, 'mirrored')).toBe(false);
    expect(byRelease({ seen: 2, val: 1 }, 'public')).toBe(false);
    expect(byRelease({ seen: 2, val: 1, list: [first] }, 'public')).toBe(false);
  });
});

it('a row says of its neighbours by any member of theirs', () => {
  const says = (row: object) => saysOfNeighbours(TABLE, row as never);
  expect([says({ change: 1 }), says({ previous_value: null }), says({ val: 1 }), says({})]).toEqual([
    true,
    true,
    false,
    false,
  ]);
});
