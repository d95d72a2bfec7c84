import { describe, expect, it } from 'vitest';
import { type Dated, datedOf } from '../../../src/mirror/rules/as-of/dated.ts';
import { captured, clock, DAY, entry, HOUR, keptRow, owner, START, TABLE, type Text } from './stored-row.ts';

/** What is known of a row that had these texts; its list is kept as a mirror keeps it, each entry once. */
function known(texts: readonly [Text, ...Text[]]): readonly unknown[] {
  return datedOf(TABLE, keptRow(texts), clock).map(shown);
}

/** Entries of one answer that say no time, and a value of the row itself. */
const TIMELESS: readonly [Text, ...Text[]] = [{ seen: 1, val: 5, list: [{ val: 8 }, { val: 7 }, { val: 9 }] }];
/** Entries of two answers that were captured in one moment. */
const CAPTURED: readonly [Text, ...Text[]] = [
  { seen: 1, ended: 3, val: 1, list: [{ val: 1, ...captured(5 * HOUR) }] },
  { seen: 3, val: 2, list: [3, 2, 1].map((val) => ({ val, ...captured(5 * HOUR) })) },
];

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

describe('values that claim one publication time, which none of them owns', () => {
  const [one, two, three] = [entry(-DAY, 1), entry(-DAY, 2), entry(-DAY, 3)];
  const disputed = (until: number, wins = true) => ({ dispute: [-DAY, until, wins] });

  it('leave it open until they were captured; then the row decides', () => {
    expect(known([{ seen: 1, val: 2, list: [one, two] }])).toEqual([
      { is: [1, HOUR, HOUR, HOUR], ...disputed(HOUR) },
      {
        ...{ is: [2, HOUR, HOUR, HOUR], ...disputed(HOUR) },
        shown: [
          ['public', HOUR],
          ['captured', HOUR],
        ],
      },
    ]);
  });

  it('leave it open until the last of them was captured, which holds', () => {
    const list = [entry(-DAY, 1, captured(-HOUR)), entry(-DAY, 2, captured(2 * HOUR)), entry(-2 * DAY, 5)];
    expect(known([{ seen: 1, val: 2, list }])).toEqual([
      { is: [5, -2 * DAY, HOUR, HOUR] },
      { is: [1, -HOUR, -HOUR, HOUR], ...disputed(2 * HOUR, false) },
      { is: [2, 2 * HOUR, 2 * HOUR, HOUR], ...disputed(2 * HOUR) },
    ]);
  });

  it('are several where a list has one beside another, and one where it took the place of it', () => {
    const replaced = [
      { seen: 1, ended: 3, val: 1, list: [one] },
      { seen: 3, val: 2, list: [two] },
    ] as const;
    expect(known(replaced)).toEqual([{ is: [1, -DAY, HOUR, HOUR] }, { is: [2, 3 * HOUR, 3 * HOUR, 3 * HOUR] }]);
    const beside = known([
      { seen: 1, ended: 3, val: 2, list: [one, two] },
      { seen: 3, val: 3, list: [two, three] },
    ]);
    expect(beside.map((value) => (value as { dispute?: unknown }).dispute)).toEqual([
      [-DAY, 3 * HOUR, false],
      [-DAY, 3 * HOUR, false],
      [-DAY, 3 * HOUR, true],
    ]);
  });

  it('have an owner once any text of the row says so', () => {
    const texts = [
      { seen: 1, ended: 3, val: 2, list: [one, two, entry(-HOUR, 2)] },
      { seen: 3, val: 2, list: [one, owner(-DAY, 2), entry(-HOUR, 2)] },
    ] as const;
    expect(known(texts).map((value) => (value as { is: number[] }).is)).toEqual([
      [2, -DAY, HOUR, HOUR],
      [2, -HOUR, HOUR, HOUR],
      [1, HOUR, HOUR, HOUR],
    ]);
  });

  it('have the first owner where a later one took its place', () => {
    const texts = [
      { seen: 1, ended: 3, val: 1, list: [owner(-DAY, 1)] },
      { seen: 3, val: 2, list: [owner(-DAY, 2)] },
    ] as const;
    expect(known(texts)).toEqual([{ is: [1, -DAY, HOUR, HOUR] }, { is: [2, 3 * HOUR, 3 * HOUR, 3 * HOUR] }]);
  });

  it('were not known before the row came back', () => {
    const gone = { seen: 1, ended: 2, val: 7, list: [entry(-2 * DAY, 7)] };
    const dispute = (...list: readonly object[]) =>
      known([gone, { seen: 5, val: 2, list: [entry(-2 * DAY, 7), ...list] }])
        .slice(1)
        .map((value) => (value as { dispute?: unknown }).dispute);
    expect(dispute(owner(-HOUR, 2), owner(-HOUR, 3))).toEqual(Array(2).fill([5 * HOUR, undefined, false]));
    expect(dispute(entry(-HOUR, 2, captured(-5)), entry(-HOUR, 3, captured(7 * HOUR)))).toEqual([
      [5 * HOUR, 7 * HOUR, false],
      [5 * HOUR, 7 * HOUR, true],
    ]);
    expect(dispute(entry(-HOUR, 2, captured(-5)), entry(-HOUR, 3, captured(-4)))).toEqual([
      [5 * HOUR, 5 * HOUR, false],
      [5 * HOUR, 5 * HOUR, true],
    ]);
  });
});

describe('a value of the row that its list does not have', () => {
  it('counts behind what the list says of later, to whom it says so', () => {
    expect(known([{ seen: 1, val: 9, list: [entry(5 * HOUR, 2)] }])).toEqual([
      { is: [2, 5 * HOUR, HOUR, HOUR] },
      { is: [9, 5 * HOUR, HOUR, HOUR], own: true },
    ]);
    expect(known([{ seen: 1, val: 9, list: [entry(-DAY, 2, captured(5 * HOUR))] }])).toEqual([
      { is: [2, -DAY, 5 * HOUR, HOUR] },
      { is: [9, HOUR, 5 * HOUR, HOUR], own: true },
    ]);
    const [, , third] = known([{ seen: 1, val: 3, list: [owner(5 * HOUR, 1), owner(5 * HOUR, 2)] }]);
    expect(third).toEqual({ is: [3, 5 * HOUR, HOUR, HOUR], own: true });
  });

  it('is dated by the capture that the row states, by the first that it does', () => {
    const [exact, whole] = [{ observed_at_ns_string: `${START - HOUR}000000000` }, { collected_at: START - 30 }];
    const both = known([{ seen: 1, val: 1, release: -DAY, more: { ...whole, ...exact } }]);
    expect(both).toEqual([{ is: [1, -DAY, -HOUR, HOUR], own: true }]);
    const collected: Text = { seen: 1, val: 1, more: whole };
    expect(known([collected])).toEqual([{ is: [1, -30, -30, HOUR], own: true }]);
    const [dated] = datedOf(TABLE, keptRow([{ seen: 1, val: 1, release: -DAY, more: exact }]), clock);
    expect(dated?.vintage).toMatchObject({
      epoch: START - DAY,
      observedAt: START - HOUR,
      observedNs: `${START - HOUR}000000000`,
      seenAt: START + HOUR,
    });
    const [bare] = datedOf(TABLE, keptRow([{ seen: 1, val: 1 }]), clock);
    expect(bare?.vintage).toEqual({
      ...{ key: ['2026-10-31'], epoch: undefined, observedAt: undefined, seenAt: START + HOUR },
      text: '{"date":"2026-10-31","val":1}',
    });
  });

  it('has no capture but its own commit in any later text', () => {
    const stated = (after: number) => ({ collected_at: START + after });
    const texts = [
      { seen: 1, ended: 4, val: 1, more: stated(-30) },
      { seen: 4, val: 2, more: stated(-20) },
    ] as const;
    expect(known(texts)).toEqual([
      { is: [1, -30, -30, HOUR], own: true },
      { is: [2, 4 * HOUR, 4 * HOUR, 4 * HOUR], own: true },
    ]);
  });
});

it('a row that lists its value ends with it when it vanishes', () => {
  expect(known([{ seen: 1, ended: 3, val: 1, list: [entry(-DAY, 1)] }])).toEqual([
    { is: [1, -DAY, HOUR, HOUR], gone: 3 * HOUR },
  ]);
});

it('values that the public knew at one moment stand as they came, those of one answer as its list has them', () => {
  const order = (texts: readonly [Text, ...Text[]]) => known(texts).map((value) => (value as { is: number[] }).is[0]);
  expect(order(TIMELESS)).toEqual([8, 7, 9, 5]);
  expect(order(CAPTURED)).toEqual([1, 3, 2]);
});

it.each<[string, readonly [Text, ...Text[]]]>([
  ['entries without a time', TIMELESS],
  ['captures of one moment', CAPTURED],
  ['entries of several moments', [{ seen: 1, val: 3, list: [entry(-DAY, 1), entry(-HOUR, 2), { val: 3 }] }]],
  ['owners', [{ seen: 1, val: 2, list: [owner(-DAY, 2), owner(-DAY, 1), owner(-DAY, 4)] }]],
  [
    'owners of several commits',
    [
      { seen: 1, ended: 3, val: 1, list: [owner(-DAY, 1)] },
      { seen: 3, val: 2, list: [owner(-DAY, 2), owner(-DAY, 1)] },
    ],
  ],
  [
    'one in the place of the other',
    [
      { seen: 1, ended: 3, val: 1, list: [entry(-DAY, 1)] },
      { seen: 3, val: 2, list: [entry(-DAY, 2)] },
    ],
  ],
])('the values of a row stand in an order of their own, in whichever they were read: %s', (_, texts) => {
  const { stages, listed } = keptRow(texts);
  const values = (entries: typeof listed) => datedOf(TABLE, { stages, listed: entries }, clock).map(shown);
  expect(values(listed.toReversed())).toEqual(values(listed));
});
