import { describe, expect, it } from 'vitest';
import type { AsOf } from '../../../src/contract/time/moments.ts';
import type { Vintage } from '../../../src/mirror/api/series.ts';
import { vintagesOf } from '../../../src/mirror/rules/as-of/known-vintages.ts';
import type { UndoneDates } from '../../../src/mirror/rules/as-of/undone.ts';
import {
  captured,
  clock,
  DAY,
  entry,
  HOUR,
  ns,
  owner,
  START,
  storedRow,
  TABLE,
  type Text,
  textOf,
} from './stored-row.ts';

type Texts = readonly [Text, ...Text[]];

const [SEPTEMBER, OCTOBER] = ['2026-09-30', '2026-10-31'];

function vintages(rows: Readonly<Record<string, Texts>>, asOf?: AsOf, undone: readonly UndoneDates[] = []) {
  const inOrder = Object.entries(rows).sort(([a], [b]) => (a < b ? 1 : -1));
  const stored = inOrder.map(([date, texts]) => storedRow(texts, date));
  const commitTimes = new Map(Array.from({ length: 100 }, (_, commit) => [commit, clock.at(commit)]));
  const [texts, listed] = [stored.flatMap((one) => one.texts), stored.flatMap((one) => one.listed)];
  return vintagesOf(TABLE, { texts, listed, commitTimes, undone }, asOf);
}

/** Of each vintage its date, its value and when the public knew it. */
const short = (found: readonly Vintage[]) =>
  found.map(({ key, times, text }) => [
    key[0],
    JSON.parse(text).val,
    Number((times?.known.public ?? 0n) / 1_000_000_000n) - START,
  ]);

const asOf = (by: AsOf['by'], seconds: number): AsOf => ({ by, at: (START + seconds) * 1000 });
const first = entry(-DAY, 1);

describe('vintages', () => {
  it('say all that they are replayed by', () => {
    const second = entry(-HOUR, 2, captured(-HOUR + 5));
    const text: Text = { seen: 1, ended: 4, val: 1, list: [first, second] };
    expect(vintages({ [OCTOBER]: [text] })).toEqual([
      {
        key: [OCTOBER],
        epoch: START - DAY,
        observedAt: undefined,
        seenAt: START + HOUR,
        text: JSON.stringify(first),
        times: {
          known: { public: ns(-DAY), captured: ns(HOUR) },
          value: '1',
          isUnlisted: false,
          shown: [{ by: 'public', at: ns(HOUR) }],
        },
      },
      {
        key: [OCTOBER],
        epoch: START - HOUR,
        observedAt: START - HOUR + 5,
        observedNs: String(ns(-HOUR + 5)),
        seenAt: START + HOUR,
        text: JSON.stringify(second),
        withdrawnAt: START + 4 * HOUR,
        times: {
          known: { public: ns(-HOUR), captured: ns(-HOUR + 5) },
          value: '2',
          isUnlisted: false,
          withdrawnAt: ns(4 * HOUR),
        },
      },
    ]);
  });

  it('say who contradicts them, and which are no entries of a list', () => {
    const list = [owner(-DAY, 1), owner(-DAY, 2)];
    const dispute = { from: ns(-DAY), until: undefined, wins: false };
    expect(vintages({ [OCTOBER]: [{ seen: 1, val: 3, list }] }).map(({ times }) => times)).toMatchObject([
      { value: '1', dispute, isUnlisted: false },
      { value: '2', dispute, isUnlisted: false },
      { value: '3', isUnlisted: true },
    ]);
    const [only] = vintages({ [OCTOBER]: [{ seen: 1, val: 3, assumed: -DAY }] });
    expect(only).toEqual({
      key: [OCTOBER],
      epoch: START - DAY,
      observedAt: undefined,
      seenAt: START + HOUR,
      text: textOf({ seen: 1, val: 3 }),
      assumed: true,
      times: { known: { public: ns(-DAY), captured: ns(HOUR) }, value: '3', isUnlisted: true },
    });
  });

  it('of several rows stand in the order of their keys, each with its own', () => {
    const rows = {
      [OCTOBER]: [{ seen: 1, val: 2, list: [first, entry(-HOUR, 2)] }],
      [SEPTEMBER]: [{ seen: 2, val: 5, list: [entry(-2 * DAY, 5)] }],
    } as const;
    expect(short(vintages(rows))).toEqual([
      [SEPTEMBER, 5, -2 * DAY],
      [OCTOBER, 1, -DAY],
      [OCTOBER, 2, -HOUR],
    ]);
    expect(vintages({})).toEqual([]);
  });
});

describe('vintages at a moment', () => {
  const rows = {
    [OCTOBER]: [{ seen: 2, val: 2, list: [first, entry(-HOUR, 2, captured(3 * HOUR))] }],
    [SEPTEMBER]: [{ seen: 5, val: 5, list: [entry(4 * HOUR, 5)] }],
  } as const;
  const values = (by: AsOf['by'], seconds: number) =>
    short(vintages(rows, asOf(by, seconds))).map(([, value]) => value);

  it('are those that were known', () => {
    expect([-DAY - 1, -DAY, -HOUR, 4 * HOUR].map((at) => values('public', at))).toEqual([[], [1], [1, 2], [5, 1, 2]]);
    expect([2 * HOUR - 1, 2 * HOUR, 3 * HOUR, 5 * HOUR].map((at) => values('captured', at))).toEqual([
      [],
      [1],
      [1, 2],
      [5, 1, 2],
    ]);
    expect([2 * HOUR - 1, 2 * HOUR, 5 * HOUR].map((at) => values('mirrored', at))).toEqual([[], [1, 2], [5, 1, 2]]);
  });

  it('are not withdrawn before the mirror saw it', () => {
    const gone = { [OCTOBER]: [{ seen: 1, ended: 3, val: 1, list: [first] }] } as const;
    const at = (seconds: number) =>
      vintages(gone, asOf('public', seconds)).map((one) => [one.withdrawnAt, one.times?.withdrawnAt]);
    expect(at(3 * HOUR - 1)).toEqual([[undefined, undefined]]);
    expect(at(3 * HOUR)).toEqual([[START + 3 * HOUR, ns(3 * HOUR)]]);
    const [before] = vintages(gone, asOf('public', 0));
    expect([before && 'withdrawnAt' in before, before?.times && 'withdrawnAt' in before.times]).toEqual([false, false]);
  });
});

it('what an import brought that was taken back the public never knew', () => {
  const undone = [{ since: 3, until: 5, from: '2026-10-01', to: '2026-10-31' }];
  const rows = {
    [OCTOBER]: [
      { seen: 1, ended: 3, val: 1, assumed: -DAY },
      { seen: 3, ended: 5, val: 9, assumed: -DAY },
      { seen: 5, val: 1, assumed: -DAY },
    ],
  } as const;
  const values = (at?: AsOf) => short(vintages(rows, at, undone)).map(([, value]) => value);
  expect(values()).toEqual([1]);
  expect(values(asOf('public', DAY))).toEqual([1]);
  expect(values(asOf('captured', DAY))).toEqual([1, 9, 1]);
  expect(values(asOf('mirrored', DAY))).toEqual([1, 9, 1]);
});
