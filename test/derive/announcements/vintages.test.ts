import { describe, expect, test } from 'vitest';
import type { KeptValue } from '../../../src/contract/hooks.ts';
import { deriveHistory, type HistoryArgs } from '../../../src/derive/announcements/indicator-history.ts';
import { at, JULY as JULY_ROW, JUNE as JUNE_ROW, revisedRow } from '../../support/revised-series.ts';
import { keptValue } from './kept.ts';
import { bodyOf, pageOf, rowsOf } from './page.ts';

const ARGS: HistoryArgs = {
  currency: 'USD',
  indicator: 'unemployment',
  start_date: '2026-01-01',
  end_date: '2026-12-31',
  revisions: 'latest',
  availability: 'public',
  value_mode: 'normalized',
  limit: 20,
  offset: 0,
};

const row = (...told: Parameters<typeof revisedRow>) => JSON.stringify(revisedRow(...told));
const [JULY, JUNE] = [JSON.stringify(JULY_ROW), JSON.stringify(JUNE_ROW)];
const HELD = [JULY, JUNE];

interface More {
  readonly rows?: readonly string[];
  readonly now?: string;
  readonly keyless?: boolean;
  readonly kept?: ReadonlyMap<string, readonly KeptValue[]>;
}

const ask = async (args: Partial<HistoryArgs>, more: More = {}) => {
  const { rows = HELD, now = '2026-11-21T12:00:00Z', keyless = false, kept } = more;
  const view = pageOf({
    rows,
    now,
    stored: { unit: '%' },
    args: { ...ARGS, ...args },
    caller: keyless ? 'keyless' : 'keyed',
    ...(kept && { kept }),
  });
  return deriveHistory(view);
};

const values = async (...question: Parameters<typeof ask>) =>
  rowsOf(await ask(...question)).map(({ date, val, previous_value }) => [date, val, previous_value]);

describe('revisions', () => {
  test('latest and all serve the newest value, with the whole list', async () => {
    for (const revisions of ['latest', 'all']) {
      expect(await values({ revisions })).toEqual([
        ['2026-07-31', 4, 4.3],
        ['2026-06-30', 4.3, undefined],
      ]);
      expect(rowsOf(await ask({ revisions }))[1]?.revisions).toHaveLength(3);
    }
  });

  test('first serves first releases, compared with each other', async () => {
    expect(await values({ revisions: 'first' })).toEqual([
      ['2026-07-31', 4, 4.1],
      ['2026-06-30', 4.1, undefined],
    ]);
  });

  test('first takes the earliest later vintage where no first release is known', async () => {
    const rows = [
      row('2026-06-30', 4.3, '2026-07-03T12:30:00Z', [
        { val: 4.2, first: false },
        { val: 4.3, first: false },
      ]),
    ];
    expect(await values({ revisions: 'first' }, { rows })).toEqual([['2026-06-30', 4.2, undefined]]);
  });

  test('final serves periods first released twelve months ago or earlier, and counts only those', async () => {
    const derived = await ask({ revisions: 'final', limit: 1 }, { now: '2027-07-03T00:00:00Z' });
    expect(rowsOf(derived)).toMatchObject([{ date: '2026-06-30', val: 4.3 }]);
    expect(derived.total).toBe(1);
    expect(await values({ revisions: 'final' }, { now: '2027-07-02T00:00:00Z' })).toEqual([]);
  });

  test('are echoed in the filters and in the selected series', async () => {
    expect(bodyOf(await ask({ revisions: 'first' }))).toMatchObject({
      filters: { revisions: 'first', frequency: null },
      selected_series: { revisions: 'first', frequency: 'level' },
    });
  });

  test('that a series does not offer are refused in the service’s words', async () => {
    const stored = { supported_options: { revisions: ['latest'], frequency: ['yoy'] } };
    const view = pageOf({ rows: HELD, now: '2026-11-21', stored, args: { ...ARGS, revisions: 'first' } });
    await expect(deriveHistory(view)).rejects.toMatchObject({
      message: "'revisions=first' is not offered for this series.",
      code: 'unsupported_series_option',
      status: 400,
      extra: { option: 'revisions', value: 'first', supported_values: ['latest'] },
    });
  });
});

describe('what only the mirror remembers', () => {
  // The service replaced 4.1 by 4.6 without a list of revisions; the mirror saw it happen on 1 September.
  const replaced = row('2026-06-30', 4.1, '2026-07-03T12:30:00Z');
  const current = row('2026-06-30', 4.6, '2026-07-03T12:30:00Z');
  const keptOf = (...values: readonly KeptValue[]) => new Map([['2026-06-30', values]]);
  const value = (text: string, seen: string, epoch?: number): KeptValue => keptValue({ text, seen: at(seen), epoch });
  const first = value(replaced, '2026-08-01', at('2026-07-03T12:30:00Z'));
  const kept = keptOf(first, value(current, '2026-09-01'));
  const rows = [current];

  test('a replaced value is the first release of its period', async () => {
    expect(await values({ revisions: 'first' }, { rows, kept })).toEqual([['2026-06-30', 4.1, undefined]]);
    expect(await values({}, { rows, kept })).toEqual([['2026-06-30', 4.6, undefined]]);
  });

  test('all completes a list that the service has shortened', async () => {
    const [newest] = [JUNE].map((text) => JSON.parse(text));
    const shortened = JSON.stringify({ ...newest, revisions: newest.revisions.slice(1) });
    const listed = newest.revisions.map((entry: { val: number; epoch: number }) =>
      value(JSON.stringify(entry), '2026-10-01', entry.epoch),
    );
    const [june] = rowsOf(await ask({ revisions: 'all' }, { rows: [shortened], kept: keptOf(...listed) }));
    expect(june?.revisions).toEqual(newest.revisions);
  });
});

describe('a keyless caller inside the delay', () => {
  const release = '2026-09-04T12:30:00Z';
  const rows = [row('2026-08-31', 4.5, release, [{ val: 4.5, seen: '2026-09-04T12:30:06Z', first: true }]), JUNE];
  const args = { start_date: '2026-06-15' };

  test('does not see the revision that came with the withheld release, nor what follows from it', async () => {
    expect(await values(args, { rows, now: '2026-09-04T12:44:59Z', keyless: true })).toEqual([
      ['2026-06-30', 4.2, undefined],
    ]);
    const [june] = rowsOf(await ask(args, { rows, now: '2026-09-04T12:44:59Z', keyless: true }));
    expect(june?.revisions).toHaveLength(2);
  });

  test('sees the release at 12:45, its first value and the revision published with it, however they were captured', async () => {
    expect(await values(args, { rows, now: '2026-09-04T12:45:00Z', keyless: true })).toEqual([
      ['2026-08-31', 4.5, 4.3],
      ['2026-06-30', 4.3, undefined],
    ]);
  });

  test('sees a value without a publication time of its own when its capture is old enough', async () => {
    const borrowed = [
      { val: 4.4, epoch: release, seen: '2026-09-04T12:31:00Z', first: false },
      { val: 4.5, epoch: release, seen: '2026-09-04T12:36:00Z', first: true },
    ];
    const torn = [row('2026-08-31', 4.4, release, borrowed)];
    const seen = async (now: string) =>
      rowsOf(await ask(args, { rows: torn, now, keyless: true })).map(({ val, revisions }) => [
        val,
        (revisions as { val: number }[]).map((entry) => entry.val),
      ]);
    expect(await seen('2026-09-04T12:49:59Z')).toEqual([[4.5, [4.5]]]);
    expect(await seen('2026-09-04T12:50:00Z')).toEqual([[4.4, [4.4, 4.5]]]);
  });

  test('a release at 12:27 opens at 12:45 too, and a key removes the delay', async () => {
    const early = [row('2026-08-31', 4.5, '2026-09-04T12:27:00Z')];
    expect(await values(args, { rows: early, now: '2026-09-04T12:44:59Z', keyless: true })).toEqual([]);
    expect(await values(args, { rows: early, now: '2026-09-04T12:45:00Z', keyless: true })).toHaveLength(1);
    expect(await values(args, { rows, now: '2026-09-04T12:31:00Z' })).toHaveLength(2);
  });
});
