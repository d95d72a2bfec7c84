import { describe, expect, it } from 'vitest';
import { datedOf } from '../../../src/mirror/core/as-of/dated.ts';
import type { Dated } from '../../../src/mirror/core/as-of/dated-value.ts';
import { captured, clock, DAY, entry, HOUR, keptRow, owner, START, TABLE, type Text } from './stored-row.ts';

/** What is known of a row that had these texts; its list is kept as a mirror keeps it, each entry once. */
function known(texts: readonly [Text, ...Text[]]): readonly unknown[] {
  return datedOf(TABLE, keptRow(texts), clock).map(shown);
}

const after = (ns: bigint) => Number(ns / 1_000_000_000n) - START;

/** A value, and seconds after the start since when the public, the service and the mirror knew it. */
function shown({ value, known, shown, withdrawnAt, dispute, isUnlisted }: Dated): unknown {
  return {
    is: [Number(value), after(known.public), after(known.captured), after(known.mirrored)],
    ...(shown && { shown: shown.map(({ by, at }) => [by, after(at)]) }),
    ...(withdrawnAt !== undefined && { gone: after(withdrawnAt) }),
    ...(dispute && { dispute: [after(dispute.from), dispute.until && after(dispute.until), dispute.wins] }),
    ...(isUnlisted && { own: true }),
  };
}

describe('a row that lists nothing', () => {
  it('is known to the public since its release, and to the mirror since its commit', () => {
    expect(known([{ seen: 1, val: 1, release: -DAY }])).toEqual([{ is: [1, -DAY, HOUR, HOUR], own: true }]);
    expect(known([{ seen: 1, val: 1 }])).toEqual([{ is: [1, HOUR, HOUR, HOUR], own: true }]);
  });

  it('has a changed value since the commit that saw it: the release is that of the first one', () => {
    const texts: [Text, ...Text[]] = [
      { seen: 1, ended: 4, val: 1, release: -DAY },
      { seen: 4, val: 2, release: -DAY },
    ];
    expect(known(texts)).toEqual([
      { is: [1, -DAY, HOUR, HOUR], own: true },
      { is: [2, 4 * HOUR, 4 * HOUR, 4 * HOUR], own: true },
    ]);
  });

  it('goes back to an old value as to a new one', () => {
    const texts: [Text, ...Text[]] = [
      { seen: 1, ended: 2, val: 1 },
      { seen: 2, ended: 3, val: 2 },
      { seen: 3, val: 1 },
    ];
    expect(known(texts)).toEqual(
      [1, 2, 1].map((val, i) => ({ is: [val, ...Array(3).fill((i + 1) * HOUR)], own: true })),
    );
  });

  it('that vanished was known until then, and what came back is known since its return', () => {
    const texts: [Text, ...Text[]] = [
      { seen: 1, ended: 3, val: 1, release: -DAY },
      { seen: 5, val: 1, release: -DAY },
    ];
    expect(known(texts)).toEqual([
      { is: [1, -DAY, HOUR, HOUR], own: true, gone: 3 * HOUR },
      { is: [1, 5 * HOUR, 5 * HOUR, 5 * HOUR], own: true },
    ]);
    expect(known([{ seen: 1, ended: 3, val: 1 }])).toEqual([{ is: [1, HOUR, HOUR, HOUR], own: true, gone: 3 * HOUR }]);
  });
});

describe('a row that lists its vintages', () => {
  const first = entry(-DAY, 1);

  it('is dated by them, whatever the row adds', () => {
    const list = [entry(-DAY, 1, captured(-DAY + 5)), entry(-HOUR, 2, captured(-HOUR + 5))];
    expect(known([{ seen: 1, val: 2, release: -DAY, list }])).toEqual([
      { is: [1, -DAY, -DAY + 5, HOUR] },
      { is: [2, -HOUR, -HOUR + 5, HOUR] },
    ]);
  });

  it('stands in the order in which the public knew it, not in that of the list', () => {
    const list = [entry(-HOUR, 3), entry(-2 * DAY, 1), entry(-DAY, 2)];
    expect(known([{ seen: 1, val: 3, list }]).map((one) => (one as { is: number[] }).is[0])).toEqual([1, 2, 3]);
  });

  it('has a value that it does not list since the commit that saw it', () => {
    const texts: [Text, ...Text[]] = [
      { seen: 1, ended: 3, val: 1, list: [first] },
      { seen: 3, val: 9, list: [first] },
    ];
    expect(known(texts)).toEqual([{ is: [1, -DAY, HOUR, HOUR] }, { is: [9, 3 * HOUR, 3 * HOUR, 3 * HOUR], own: true }]);
  });

  it('may say again what it lists as older: it is shown since the list was known, and to the service since the commit', () => {
    const list = [first, entry(3 * HOUR, 2)];
    expect(known([{ seen: 1, val: 1, list }])).toEqual([
      {
        is: [1, -DAY, HOUR, HOUR],
        shown: [
          ['public', 3 * HOUR],
          ['captured', HOUR],
        ],
      },
      { is: [2, 3 * HOUR, HOUR, HOUR] },
    ]);
    expect(known([{ seen: 4, val: 1, list }])[0]).toEqual({
      is: [1, -DAY, 4 * HOUR, 4 * HOUR],
      shown: [
        ['public', 4 * HOUR],
        ['captured', 4 * HOUR],
      ],
    });
  });

  it('keeps its value while only its list grows, and shows it where the new entry is another value', () => {
    const texts: [Text, ...Text[]] = [
      { seen: 1, ended: 3, val: 1, list: [first] },
      { seen: 3, val: 1, list: [first, entry(-HOUR, 2)] },
    ];
    expect(known(texts)).toEqual([
      {
        is: [1, -DAY, HOUR, HOUR],
        shown: [
          ['public', 3 * HOUR],
          ['captured', 3 * HOUR],
        ],
      },
      { is: [2, -HOUR, 3 * HOUR, 3 * HOUR] },
    ]);
  });

  it('was gone between two commits: what it lists anew counts since the return, later times as they are', () => {
    const texts: [Text, ...Text[]] = [
      { seen: 1, ended: 2, val: 1, list: [first] },
      { seen: 5, val: 3, list: [first, entry(-HOUR, 2), entry(6 * HOUR, 3, captured(7 * HOUR))] },
    ];
    expect(known(texts)).toEqual([
      { is: [1, -DAY, HOUR, HOUR], gone: 2 * HOUR },
      { is: [2, 5 * HOUR, 5 * HOUR, 5 * HOUR] },
      { is: [3, 6 * HOUR, 7 * HOUR, 5 * HOUR] },
    ]);
  });

  it('and came back as it was: the value that it has again is known since then', () => {
    const texts: [Text, ...Text[]] = [
      { seen: 1, ended: 2, val: 1, list: [first] },
      { seen: 5, val: 1, list: [first] },
    ];
    expect(known(texts)).toEqual([
      { is: [1, -DAY, HOUR, HOUR], gone: 2 * HOUR },
      { is: [1, 5 * HOUR, 5 * HOUR, 5 * HOUR], own: true },
    ]);
  });

  it('is dated by its return alone in texts that follow it without a gap', () => {
    const texts: [Text, ...Text[]] = [
      { seen: 1, ended: 2, val: 1, list: [first] },
      { seen: 5, ended: 7, val: 2, list: [first, entry(-HOUR, 2)] },
      { seen: 7, val: 3, list: [first, entry(-HOUR, 2), entry(6 * HOUR, 3)] },
    ];
    expect(known(texts)).toEqual([
      { is: [1, -DAY, HOUR, HOUR], gone: 2 * HOUR },
      { is: [2, 5 * HOUR, 5 * HOUR, 5 * HOUR] },
      { is: [3, 6 * HOUR, 7 * HOUR, 7 * HOUR] },
    ]);
  });
});

describe('two owners of one publication time', () => {
  it('contradict each other since then, and the value of the row does not decide', () => {
    const dispute = [-DAY, undefined, false];
    expect(known([{ seen: 1, val: 2, list: [owner(-DAY, 1), owner(-DAY, 2)] }])).toEqual([
      { is: [1, -DAY, HOUR, HOUR], dispute, ...seenByService(2, 1) },
      { is: [2, -DAY, HOUR, HOUR], dispute, ...seenByService(2, 2) },
    ]);
  });

  it('stand in the order of the list', () => {
    const values = (list: readonly object[], val: number) =>
      known([{ seen: 1, val, list }]).map((one) => (one as { is: number[] }).is[0]);
    expect(values([owner(-DAY, 2), owner(-DAY, 1)], 1)).toEqual([2, 1]);
    expect(values([owner(-DAY, 1), owner(-DAY, 2)], 2)).toEqual([1, 2]);
  });

  it('of another value than theirs, the row has one of its own', () => {
    const [, , third] = known([{ seen: 1, val: 3, list: [owner(-DAY, 1), owner(-DAY, 2)] }]);
    expect(third).toEqual({ is: [3, HOUR, HOUR, HOUR], own: true });
  });
});

/** Captures of one moment and one publication time tell nothing apart, so the row shows its value to the service. */
function seenByService(rowValue: number, value: number): object {
  return rowValue === value ? { shown: [['captured', HOUR]] } : {};
}
