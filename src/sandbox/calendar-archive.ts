import { createHash } from 'node:crypto';
import type { JsonObject } from '../contract/json/json.ts';
import { isoSeconds } from '../contract/time/time.ts';
import { calendarEventOf, calendarIndicators, eventsBetween } from './calendar.ts';
import { publisherOf } from './publishers.ts';
import { hashOf } from './random-walks.ts';
import { type GeneratedSeries, generatedSeries, SANDBOX_LABEL, SANDBOX_URL } from './rows.ts';
import type { SchedulePeriod, Series } from './schedule.ts';
import { SCHEDULE_AHEAD, type World } from './world.ts';
import { isoLocal } from './zones.ts';

const DAY = 86_400;
const HOUR = 3600;

/** Days before a release at which it is first announced, at the least and at the most: before the calendar lists it. */
const ANNOUNCED = { least: SCHEDULE_AHEAD + 10, most: SCHEDULE_AHEAD + 40 };

/** Days before a release at which it is moved or called off, so that the calendar never listed it otherwise. */
const SETTLED = SCHEDULE_AHEAD + 1;

/** Days before a release at which its date is confirmed. */
const CONFIRMED = 60;

/** One in `MOVED` events was first announced for another time, and one in `CALLED_OFF` is beside a cancelled one. */
const MOVED = 6;
const CALLED_OFF = 17;

/** One state of an event's schedule. */
interface Stage {
  /** Unix seconds. */
  readonly at: number;
  readonly change: 'created' | 'rescheduled' | 'details_changed' | 'confirmed' | 'cancelled';
  readonly status: 'scheduled' | 'tentative' | 'cancelled' | 'released';
  readonly release: number;
}

/** A time in which nobody looked, in Unix seconds: from the last capture before it to the first one after. */
interface ArchiveGap {
  readonly from: number;
  readonly to: number;
}

/** All versions and captures of a schedule since the last quarter but one; the last version is the calendar's. */
export function* generateCalendarArchive(world: World, currency: string): Iterable<GeneratedSeries> {
  const start = archiveStart(world);
  const gaps = archiveGaps(world, currency, start);
  const releases = calendarIndicators(world, currency).flatMap((indicator) => {
    const series = { currency, indicator };
    const until = world.horizon + SCHEDULE_AHEAD * DAY;
    return eventsBetween(world, series, { from: start, until }).flatMap((period) => eventRows(world, series, period));
  });
  const capturing = { world, start, gaps };
  const events = [...releases, reviewOf(world, currency, start)];
  const rows = events.map((event) => versionsOf(event, capturing)).filter((versions) => versions.length > 0);
  rows.sort((a, b) => (String(a[0]?.archive_event_id) < String(b[0]?.archive_event_id) ? -1 : 1));
  yield generatedSeries('calendar_versions', { currency }, { currency, source: SANDBOX_LABEL }, rows.flat());
  yield coverageOf(world, currency, { start, gaps, events: rows });
}

/** The first day of the quarter before this one: it stays for a quarter, and so does every row. */
function archiveStart({ today }: World): number {
  return quarterStart(today, -1);
}

/** The first instant of the quarter of a date, or of one so many quarters later. */
function quarterStart(date: string, later: number): number {
  const [year = 0, month = 0] = date.split('-').map(Number);
  return Date.UTC(year, (Math.floor((month - 1) / 3) + later) * 3, 1) / 1000;
}

interface ArchivedEvent {
  readonly id: string;
  readonly stages: readonly Stage[];
  readonly kind: 'release' | 'decision' | 'other';
  /** The calendar's row of the event, if scheduled for an instant. */
  readonly row: (release: number) => JsonObject;
}

/** An event put off every quarter, with one id on every day and seed, so that documents can name it. */
function reviewOf(world: World, currency: string, start: number): ArchivedEvent {
  const code = currency.toLowerCase();
  const zone = publisherOf(currency).zone;
  const row = (release: number): JsonObject => ({
    calendar_event_id: `${code}_strategy_review_${release}`,
    announcement_datetime: release,
    announcement_datetime_utc: `${isoSeconds(release).slice(0, 19)}+00:00`,
    announcement_datetime_local: isoLocal(release, zone),
    release: 'strategy_review',
    name: 'Strategy Review',
    event_importance: 'low',
    market_tier: 3,
    top_tier_for_currency: false,
    source: SANDBOX_LABEL,
    source_url: `${SANDBOX_URL}${code}/strategy_review`,
  });
  const [earlier, later] = [1, 2].map((quarters) => quarterStart(world.today, quarters) + 15 * HOUR);
  const stages: readonly Stage[] = [
    { at: start, change: 'created', status: 'tentative', release: earlier ?? start },
    { at: quarterStart(world.today, 0), change: 'rescheduled', status: 'tentative', release: later ?? start },
  ];
  return { id: idOf(0, `calendar/${currency}/strategy_review`), kind: 'other', stages, row };
}

/** An event of the calendar, and now and then one beside it that was called off. */
function eventRows(world: World, series: Series, period: SchedulePeriod): readonly ArchivedEvent[] {
  const { currency, indicator } = series;
  const name = `calendar/${currency}/${indicator.slug}/${period.date}`;
  const hash = hashOf(world.seed, name);
  const row = (release: number) => calendarEventOf(world, series, { ...period, release });
  const kind = indicator.slug.startsWith('policy_rate') ? 'decision' : 'release';
  const event: ArchivedEvent = { id: idOf(world.seed, name), kind, stages: stagesOf(hash, period.release), row };
  if (kind === 'decision' || hash % CALLED_OFF !== 0) return [event];
  const flash = (release: number) => ({ ...row(release), name: `${indicator.name} (flash)`, release_stage: 'flash' });
  const stages = calledOff(hash, period.release - 10 * DAY);
  return [event, { id: idOf(world.seed, `${name}/flash`), kind, stages, row: flash }];
}

function stagesOf(hash: number, release: number): readonly Stage[] {
  const announced =
    release - (ANNOUNCED.least + (hash % (ANNOUNCED.most - ANNOUNCED.least))) * DAY - captureDelay(hash);
  const planned = hash % MOVED === 0 ? release + (hash % 2 === 0 ? DAY : -2 * DAY) : release;
  const moved: Stage = {
    at: release - SETTLED * DAY,
    change: 'rescheduled',
    status: 'tentative',
    release,
  };
  return [
    { at: announced, change: 'created', status: 'tentative', release: planned },
    ...(planned === release ? [] : [moved]),
    { at: release - CONFIRMED * DAY, change: 'confirmed', status: 'scheduled', release },
    { at: release + HOUR, change: 'details_changed', status: 'released', release },
  ];
}

function calledOff(hash: number, release: number): readonly Stage[] {
  return [
    { at: release - ANNOUNCED.most * DAY - captureDelay(hash), change: 'created', status: 'tentative', release },
    { at: release - SETTLED * DAY, change: 'cancelled', status: 'cancelled', release },
  ];
}

function captureDelay(hash: number): number {
  return ((hash >>> 8) % 24) * HOUR;
}

interface Capturing {
  readonly world: World;
  readonly start: number;
  readonly gaps: readonly ArchiveGap[];
}

/** Rows captured by today. Several stages between two captures are one version: the last of them. */
function versionsOf(
  { id, kind, stages, row }: ArchivedEvent,
  { world, start, gaps }: Capturing,
): readonly JsonObject[] {
  const seen = new Map<number, Stage>();
  for (const stage of stages) {
    const at = capturedAt(stage.at, start, gaps);
    // Past stages that today does not know yet have not happened.
    if (at < world.horizon) seen.set(at, stage);
  }
  return [...seen].map(([at, { change, status, release }], i) => {
    const content = {
      ...row(release),
      archive_event_id: id,
      release_date_confirmed: status === 'scheduled' || status === 'released',
      schedule_status: status,
      event_kind: kind,
    };
    return {
      ...content,
      version: i + 1,
      captured_at: isoSeconds(at),
      change_type: i === 0 ? 'created' : change,
      content_sha256: createHash('sha256').update(JSON.stringify(content)).digest('hex'),
    };
  });
}

/** The first capture after something happened: on the hour, from the start of the archive on, and not inside of a gap. */
function capturedAt(at: number, start: number, gaps: readonly ArchiveGap[]): number {
  const hour = Math.max(start, Math.ceil(at / HOUR) * HOUR);
  return gaps.find(({ from, to }) => hour > from && hour < to)?.to ?? hour;
}

function idOf(seed: number, name: string): string {
  const hex = (salt: string) => hashOf(seed, `${name}${salt}`).toString(16).padStart(8, '0');
  return `cae_${hex('')}${hex('/id').slice(0, 2)}`;
}

/** Gaps of a few hours, about one a month, on days that depend on the month and the currency alone. */
function archiveGaps(world: World, currency: string, start: number): readonly ArchiveGap[] {
  const gaps: ArchiveGap[] = [];
  for (let month = new Date(start * 1000); month.getTime() / 1000 < world.horizon; month = nextMonth(month)) {
    const hash = hashOf(world.seed, `calendar/${currency}/gap/${month.toISOString().slice(0, 7)}`);
    const from = month.getTime() / 1000 + (1 + (hash % 25)) * DAY + ((hash >>> 5) % 18) * HOUR;
    const to = from + (2 + ((hash >>> 10) % 5)) * HOUR;
    if (hash % 4 !== 3 && to < world.horizon) gaps.push({ from, to });
  }
  return gaps;
}

function nextMonth(month: Date): Date {
  return new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1, 1));
}

/** The coverage of a currency's archive: captures every hour, with gaps. */
function coverageOf(
  world: World,
  currency: string,
  archive: {
    readonly start: number;
    readonly gaps: readonly ArchiveGap[];
    readonly events: readonly (readonly JsonObject[])[];
  },
): GeneratedSeries {
  const { start, gaps, events } = archive;
  const last = world.horizon - HOUR;
  const missed = gaps.reduce((sum, { from, to }) => sum + (to - from) / HOUR - 1, 0);
  const captures = (last - start) / HOUR + 1 - missed;
  const [first_capture_at, last_capture_at] = [isoSeconds(start), isoSeconds(last)];
  const envelope = {
    currency,
    archive_start: first_capture_at,
    archive_end: last_capture_at,
    event_count: events.length,
    version_count: events.flat().length,
    capture_count: captures,
    last_capture_at,
    coverage_quality: gaps.length === 0 ? 'complete' : 'partial',
    sources: [{ source: SANDBOX_LABEL, first_capture_at, last_capture_at, capture_count: captures }],
  };
  const rows = gaps.map(({ from, to }) => ({
    gap_start: isoSeconds(from),
    gap_end: isoSeconds(to),
    duration_seconds: to - from,
    reason: 'source_unavailable',
  }));
  return generatedSeries('calendar_coverage', { currency }, envelope, rows);
}
