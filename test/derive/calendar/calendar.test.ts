import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { PageView } from '../../../src/contract/hooks.ts';
import { cutBody, listAt } from '../../../src/contract/json/body.ts';
import { asJsonText, type JsonObject } from '../../../src/contract/json/json.ts';
import { FULL_COVERAGE } from '../../../src/contract/time/coverage.ts';
import { type CalendarArgs, deriveCalendar, localIso } from '../../../src/derive/calendar/calendar.ts';
import { bodyOf, LABELS, rowsOf } from '../announcements/page.ts';

const at = (iso: string) => Date.parse(iso) / 1000;

const view = (
  rows: readonly string[],
  args: Partial<CalendarArgs>,
  stored: JsonObject = {},
): PageView<CalendarArgs> => ({
  args: { currency: 'USD', ...args },
  now: at('2026-10-20T12:00:00Z'),
  caller: { kind: 'keyless' },
  labels: LABELS,
  coverage: FULL_COVERAGE,
  stored,
  rows: rows.map((text) => ({ key: [], text: asJsonText(text) })),
  total: rows.length,
  window: async () => [],
  following: async () => [],
  edge: async () => undefined,
});

describe('an instant on the wall clock of a zone', () => {
  test.each([
    ['2026-07-01T12:30:00Z', 'America/New_York', '2026-07-01T08:30:00-04:00'],
    ['2026-12-10T13:30:00Z', 'America/New_York', '2026-12-10T08:30:00-05:00'],
    // The hour that happens twice in autumn, and the one that is skipped in spring.
    ['2026-11-01T05:30:00Z', 'America/New_York', '2026-11-01T01:30:00-04:00'],
    ['2026-11-01T06:30:00Z', 'America/New_York', '2026-11-01T01:30:00-05:00'],
    ['2026-03-08T06:59:59Z', 'America/New_York', '2026-03-08T01:59:59-05:00'],
    ['2026-03-08T07:00:00Z', 'America/New_York', '2026-03-08T03:00:00-04:00'],
    ['2026-10-24T23:00:00Z', 'Europe/London', '2026-10-25T00:00:00+01:00'],
    ['2026-10-25T01:00:00Z', 'Europe/London', '2026-10-25T01:00:00+00:00'],
    ['2026-10-20T18:45:00Z', 'Asia/Kolkata', '2026-10-21T00:15:00+05:30'],
    ['2026-10-20T00:00:00Z', 'Asia/Kathmandu', '2026-10-20T05:45:00+05:45'],
    ['2026-04-04T15:30:00Z', 'Australia/Lord_Howe', '2026-04-05T02:00:00+10:30'],
    ['2026-10-20T12:00:00Z', 'UTC', '2026-10-20T12:00:00+00:00'],
    ['1969-12-31T23:59:59Z', 'UTC', '1969-12-31T23:59:59+00:00'],
  ])('%s in %s is %s', (instant, zone, expected) => {
    expect(localIso(at(instant), zone)).toBe(expected);
    expect(at(expected)).toBe(at(instant));
  });
});

describe('a calendar', () => {
  const row = (iso: string, more = '') =>
    `{"calendar_event_id":"usd_${at(iso)}","announcement_datetime":${at(iso)}${more}}`;
  const past = row('2026-10-20T12:00:00Z');
  const next = row('2026-10-28T12:30:00Z', ',"announcement_datetime_local":"2026-10-28T08:30:00-04:00","odd":1.0');
  const later = row('2026-11-04T13:30:00Z');
  const stored = { timezone: 'America/New_York' };

  test('without a start shows what is still ahead of now', async () => {
    const derived = await deriveCalendar(view([past, next, later], {}, stored));
    expect(rowsOf(derived).map((shown) => shown.announcement_datetime)).toEqual([
      at('2026-10-28T12:30:00Z'),
      at('2026-11-04T13:30:00Z'),
    ]);
    expect(derived.total).toBe(2);
    const from = await deriveCalendar(view([past, next], { start_date: '2026-10-01' }, stored));
    expect(from.total).toBe(2);
  });

  test('keeps the publisher’s local time and writes a missing one in the publisher’s zone', async () => {
    const derived = await deriveCalendar(view([next, later], {}, stored));
    expect(rowsOf(derived)).toEqual([
      { ...JSON.parse(next), announcement_datetime_utc: '2026-10-28T12:30:00+00:00' },
      {
        ...JSON.parse(later),
        announcement_datetime_utc: '2026-11-04T13:30:00+00:00',
        announcement_datetime_local: '2026-11-04T08:30:00-05:00',
      },
    ]);
    expect(derived.rows?.[0]).toContain('"odd":1.0');
    expect(bodyOf(derived)).toMatchObject({ timezone: 'America/New_York' });
  });

  test('in an asked zone says so in every row and above them', async () => {
    const args = { timezone: 'Europe/London', indicator: 'gdp', start_date: '2026-10-21', end_date: '2026-12-01' };
    const derived = await deriveCalendar(view([next], args, stored));
    expect(rowsOf(derived)).toMatchObject([
      {
        announcement_datetime_local: '2026-10-28T12:30:00+00:00',
        announcement_datetime_requested_timezone: '2026-10-28T12:30:00+00:00',
      },
    ]);
    expect(bodyOf(derived)).toMatchObject({ ...args, requested_timezone: 'Europe/London' });
  });

  test('echoes only what was asked, even where a stored answer had more', async () => {
    const asked = {
      ...stored,
      indicator: 'gdp',
      requested_timezone: 'UTC',
      start_date: '2026-01-01',
      end_date: '2026-02-01',
    };
    const derived = await deriveCalendar(view([next], {}, asked));
    for (const name of ['indicator', 'requested_timezone', 'start_date', 'end_date'])
      expect(derived.envelope, name).toHaveProperty(name, undefined);
  });

  test('counts its rows and leaves out what only histories have', async () => {
    const body = bodyOf(await deriveCalendar(view([next, later], {}, stored)));
    expect(body.data_quality).toEqual({
      is_official: true,
      is_proxy: false,
      is_fallback: false,
      is_stale: false,
      is_derived: false,
      source_type: 'official',
      has_announcement_datetime: true,
      point_in_time_safe: false,
      unverified_vintage_count: 2,
      unknown_publication_time_count: 0,
      row_count: 2,
      announcement_datetime_count: 2,
      missing_announcement_datetime_count: 0,
      has_assumed_release_times: false,
      assumed_release_time_count: 0,
      bounded_release_time_count: 0,
      unbounded_release_time_count: 0,
      latest_available_date: '2026-11-04',
      quality_scope: 'scheduled_releases',
    });
  });

  test('without rows is an empty calendar, not an error', async () => {
    const derived = await deriveCalendar(view([past], {}, stored));
    expect([derived.rows, derived.total]).toEqual([[], 0]);
    expect(bodyOf(derived).data_quality).not.toHaveProperty('latest_available_date');
  });
});

const PATH = '../shared/fixtures/recorded/probe/calendar_usd_excerpt.json';

describe.skipIf(!existsSync(PATH))(`a recorded calendar (skipped without ${PATH})`, () => {
  test('comes out as it came, save the counts of an excerpt', async () => {
    const { envelope, rows } = cutBody(listAt(), readFileSync(PATH, 'utf8'));
    const texts = rows.map((row) => row.text);
    const now = at('2026-09-19T08:57:59Z');
    const derived = await deriveCalendar({ ...view(texts, {}, envelope), now });
    expect(derived.rows).toEqual(texts);
    const counts = { unverified_vintage_count: 5, row_count: 5, announcement_datetime_count: 5 };
    expect({ ...envelope, ...bodyOf(derived) }).toEqual({
      ...envelope,
      data_quality: { ...(envelope.data_quality as JsonObject), ...counts, latest_available_date: '2026-10-14' },
    });
    // The service's own local times are what the zone's rules give.
    for (const { value } of rows)
      expect(localIso(Number(value.announcement_datetime), 'America/New_York')).toBe(value.announcement_datetime_local);
  });
});
