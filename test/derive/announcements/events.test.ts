import { describe, expect, test } from 'vitest';
import type { Caller } from '../../../src/contract/hooks.ts';
import { type ChangesArgs, composeChanges, readCursor, writeCursor } from '../../../src/derive/announcements/events.ts';
import { contextOf, type HeldSeries, loaded, rowsIn } from './loaded.ts';

const NOW = '2026-11-21T12:00:00Z';
const at = (iso: string) => Date.parse(iso) / 1000;

const event = (currency: string, indicator: string, processed: string, release = processed) => ({
  event_id: `${currency}_${indicator}_${at(release)}`,
  currency,
  indicator,
  records_written: 1,
  timestamp: at(processed),
  release_timestamp: at(release),
  latest_announcement: {
    date: '2026-10-31',
    val: 3.2,
    announcement_datetime: new Date(release).toISOString().replace('.000', ''),
  },
});

const A = event('usd', 'inflation', '2026-11-21T08:30:02Z', '2026-11-21T08:30:00Z');
const B = event('eur', 'gdp', '2026-11-21T09:00:01Z', '2026-11-21T09:00:00Z');
const C = event('usd', 'gdp', '2026-11-21T09:00:01Z', '2026-11-21T09:00:00Z');
const D = event('usd', 'wages', '2026-11-21T11:50:03Z', '2026-11-21T11:50:00Z');
const E = event('usd', 'm2', '2026-11-21T11:55:00Z', '2026-11-21T10:00:00Z');

const watched = (from: string, to = '2038-01-01T00:00:00Z') => ({
  ranges: [{ from: at(from), to: at(to) }],
  isOpen: true,
});

const EVENTS: HeldSeries = {
  endpoint: 'announcements_changes',
  coverage: watched('2026-11-14T12:00:00Z'),
  rows: [A, B, C, D, E],
};

const ask = (
  args: Partial<ChangesArgs> = {},
  more: { caller?: Caller['kind']; now?: string; held?: readonly HeldSeries[] } = {},
) => {
  const { caller = 'keyed', now = NOW, held = [EVENTS] } = more;
  const context = contextOf<ChangesArgs>({ payload: 'compact', limit: 100, ...args }, now, caller);
  return composeChanges.build(held.map(loaded), context);
};

const ids = (composed: ReturnType<typeof ask>) => rowsIn(composed).map((row) => row.event_id);
const cursorOf = (composed: ReturnType<typeof ask>) => String(composed?.envelope.next_cursor);

describe('a poll', () => {
  test('answers with the events of the last day in the order of processing, then of id, as they were stored', () => {
    const composed = ask();
    expect(rowsIn(composed)).toEqual([A, B, C, D, E]);
    expect(composed?.envelope).toEqual({
      count: 5,
      next_cursor: writeCursor({ timestamp: E.timestamp, eventId: E.event_id }),
      has_more: false,
      retention_seconds: 604800,
      scope: { currencies: null, indicators: null, payload: 'compact' },
    });
  });

  test('walks by cursor: every event once, also within one second, and ends with a cursor', () => {
    const seen: unknown[] = [];
    let since: string | undefined = '2026-11-21T08:00:00Z';
    for (let page = 0; page < 10; page += 1) {
      const composed = ask({ since, limit: 2 });
      seen.push(...ids(composed));
      since = cursorOf(composed);
      if (composed?.envelope.has_more === false) break;
    }
    expect(seen).toEqual([A, B, C, D, E].map(({ event_id }) => event_id));
    const after = ask({ since });
    expect([ids(after), cursorOf(after), after?.envelope.has_more]).toEqual([[], since, false]);
  });

  test('starts at an instant with the events of that very second', () => {
    expect(ids(ask({ since: '2026-11-21T09:00:01Z' }))).toEqual([B, C, D, E].map(({ event_id }) => event_id));
    expect(ids(ask({ since: String(at('2026-11-21T09:00:02Z')) }))).toEqual([D, E].map(({ event_id }) => event_id));
  });

  test('filters currencies and indicators, and its cursor passes what was filtered out', () => {
    const composed = ask({ currencies: ['usd'], indicators: ['gdp'] });
    expect(rowsIn(composed)).toEqual([C]);
    expect(composed?.envelope).toMatchObject({
      scope: { currencies: ['usd'], indicators: ['gdp'] },
      next_cursor: writeCursor({ timestamp: E.timestamp, eventId: E.event_id }),
    });
    expect(ids(ask({ currencies: ['g10'] }))).toHaveLength(5);
    expect(ids(ask({ currencies: ['all'] }))).toHaveLength(5);
    expect(ids(ask({ currencies: ['jpy'] }))).toEqual([]);
  });

  test('reads its own cursors only', () => {
    for (const since of ['m1.', 'm1.!!!!', 'm1.YWJj', 'c1.MTc5', 'yesterday', ''])
      expect(() => readCursor(since), since).toThrow(expect.objectContaining({ code: 'invalid_cursor', status: 400 }));
    // The form of the documents: a time without an id stands before all events of that second.
    expect(readCursor('m1.MTc5MTk4MTAwMg')).toEqual({ timestamp: 1791981002, eventId: '' });
    const position = { timestamp: 1791981002, eventId: 'usd_inflation_1791981000' };
    expect(readCursor(writeCursor(position))).toEqual(position);
  });
});

describe('a keyless poll', () => {
  test('is narrowed to USD and stops at the first withheld event, with the cursor before it', () => {
    const composed = ask({ currencies: ['eur', 'usd'] }, { caller: 'keyless' });
    expect(ids(composed)).toEqual([A.event_id, C.event_id]);
    expect(composed?.envelope).toMatchObject({
      has_more: false,
      next_cursor: writeCursor({ timestamp: C.timestamp, eventId: C.event_id }),
      scope: { currencies: ['usd'] },
    });
    expect(composed?.withheld).toEqual([D.release_timestamp]);
  });

  test('goes on once the release is readable, and loses nothing', () => {
    const first = ask({}, { caller: 'keyless' });
    const since = cursorOf(first);
    expect(ids(ask({ since }, { caller: 'keyless', now: '2026-11-21T12:04:59Z' }))).toEqual([]);
    expect(ids(ask({ since }, { caller: 'keyless', now: '2026-11-21T12:05:00Z' }))).toEqual([D.event_id, E.event_id]);
  });

  test('keeps its cursor before a withheld event that its filter does not ask for', () => {
    const composed = ask({ indicators: ['m2'] }, { caller: 'keyless' });
    expect(ids(composed)).toEqual([]);
    expect(cursorOf(composed)).toBe(writeCursor({ timestamp: C.timestamp, eventId: C.event_id }));
    expect(composed?.withheld).toEqual([]);
  });
});

describe('retention', () => {
  const old = event('usd', 'm1', '2026-11-10T09:00:00Z');
  const held = [{ ...EVENTS, coverage: watched('2026-11-10T09:00:00Z'), rows: [old, A] }];

  test('a position from before it is told of the gap', () => {
    const composed = ask({ since: '2026-11-01' }, { held });
    expect(rowsIn(composed)).toEqual([A]);
    expect(composed?.envelope).toMatchObject({ gap: true, oldest_available: '2026-11-21T08:30:02Z' });
    expect(ask({ since: '2026-11-15' }, { held })?.envelope).not.toHaveProperty('gap');
  });

  test('does not hide from its owner what the mirror still holds', () => {
    const composed = ask({ since: '2026-11-10' }, { held, caller: 'owner' });
    expect(rowsIn(composed)).toEqual([old, A]);
    expect(composed?.envelope).toMatchObject({ gap: true, oldest_available: '2026-11-10T09:00:00Z' });
    expect(ask({ since: '2026-11-11' }, { held, caller: 'owner' })?.envelope).not.toHaveProperty('gap');
  });
});

describe('the payload', () => {
  const history: HeldSeries = {
    endpoint: 'announcements',
    scope: { currency: 'USD', indicator: 'inflation' },
    envelope: { unit: '%YoY' },
    rows: [
      `{"date":"2026-10-31","val":3.20,"announcement_datetime":${A.release_timestamp},"source":"BLS"}`,
      '{"date":"2026-09-30","val":3.0,"announcement_datetime":1791981000}',
    ],
  };
  const full = {
    date: '2026-10-31',
    val: 3.2,
    announcement_datetime: '2026-11-21T08:30:00Z',
    source: 'BLS',
    previous_value: 3,
    previous_date: '2026-09-30',
    previous_announcement_datetime: 1791981000,
    change_from_previous: 0.20000000000000018,
    pct_change_from_previous: 6.67,
    announcement_id: 'usd_inflation_2026-10-31',
    observation_id: 'usd_inflation_canonical_yoy_default_standard_period_2026-10-31',
  };
  const args = { payload: 'full', currencies: ['usd'], indicators: ['inflation'] };

  test('full carries the row of the history, its release time in the form of events', () => {
    expect(rowsIn(ask(args, { held: [EVENTS, history] }))).toEqual([{ ...A, latest_announcement: full }]);
    expect(ask(args, { held: [EVENTS, history] })?.missingParts).toEqual([]);
  });

  test('full of a row that is not held is the event as it came, and the answer lacks that row', () => {
    const composed = ask(args, { held: [EVENTS] });
    const scope = { currency: 'USD', indicator: 'inflation' };
    const range = { from: '2026-10-31', to: '2026-10-31' };
    expect(rowsIn(composed)).toEqual([A]);
    expect(composed?.missingParts).toEqual([{ series: { endpoint: 'announcements', scope, exact: true }, range }]);
  });

  test('full compares with no row before that may not be the one before, and says so', () => {
    const late = { ...history, coverage: { ranges: [{ from: '2026-10-01', to: '2026-10-31' }], isOpen: true } };
    const composed = ask(args, { held: [EVENTS, late] });
    const { previous_value, previous_date, change_from_previous, ...rest } = full;
    const { previous_announcement_datetime, pct_change_from_previous, ...uncompared } = rest;
    expect(rowsIn(composed)).toEqual([{ ...A, latest_announcement: uncompared }]);
    expect(composed?.missingParts?.map((missingPart) => missingPart.range)).toEqual([
      { from: '2026-09-30', to: '2026-09-30', for: 'previous_value' },
    ]);
  });

  test('full of a value that the row lists no vintage of is the event as it came: somebody made it up', () => {
    const shown = (vals: readonly number[]) => {
      const revisions = JSON.stringify(vals.map((val) => ({ val })));
      const row = String(history.rows[0]).replace('3.20', '3.0').replace(/\}$/, `,"revisions":${revisions}}`);
      return rowsIn(ask(args, { held: [EVENTS, { ...history, rows: [row] }] }))[0]?.latest_announcement;
    };
    expect(shown([3.1, 3.0])).toEqual(A.latest_announcement);
    expect(shown([3.2, 3.0])).toMatchObject({ val: 3.2, revisions: [{ val: 3.2 }, { val: 3.0 }] });
  });

  test('full tells the announced value even when the row was revised since', () => {
    const [newest, before] = history.rows;
    const revised = { ...history, rows: [String(newest).replace('3.20', '3.5'), String(before)] };
    expect(rowsIn(ask(args, { held: [EVENTS, revised] }))).toEqual([{ ...A, latest_announcement: full }]);
  });

  test('compact cuts a stored row down to the print', () => {
    const held = [{ ...EVENTS, rows: [{ ...A, latest_announcement: full }] }];
    expect(rowsIn(ask({}, { held }))).toEqual([A]);
    expect(rowsIn(ask({ payload: 'full' }, { held }))).toEqual([{ ...A, latest_announcement: full }]);
  });

  test('full reads the canonical histories of the asked events, and none for events that carry their row', () => {
    const whole = { ...C, latest_announcement: { ...C.latest_announcement, observation_id: 'x' } };
    const held = [loaded({ ...EVENTS, rows: [A, B, whole, D, E] })];
    const follow = (more: Partial<ChangesArgs>) =>
      composeChanges.follow?.({ limit: 1, payload: 'full', ...more }, held, at(NOW))?.map(({ scope }) => scope);
    expect(follow({ currencies: ['usd'] })).toEqual(
      ['inflation', 'wages', 'm2'].map((indicator) => ({ currency: 'USD', indicator })),
    );
    expect(follow({ since: '2026-11-21T09:00:00Z', indicators: ['inflation', 'gdp'] })).toEqual([
      { currency: 'EUR', indicator: 'gdp' },
    ]);
    expect(follow({ payload: 'compact' })).toEqual([]);
  });

  test('has nothing to answer from where no events are held', () => {
    expect(ask({}, { held: [history] })).toBeUndefined();
  });
});
