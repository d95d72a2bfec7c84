import type { Derived, Envelope, PageView, ViewRow } from '../../contract/hooks.ts';
import { patchRow } from '../../contract/json/body.ts';
import {
  isJsonObject,
  type JsonObject,
  type JsonText,
  parseObject,
  readJson,
  toJsonText,
} from '../../contract/json/json.ts';
import { dateOf } from '../../contract/time/time.ts';
import { releaseCounts, sourceQuality } from '../../coverage/data-quality.ts';
import type { CoverageArgs } from './archive.ts';

export interface CalendarArgs extends CoverageArgs {
  readonly timezone?: string | undefined;
}

type Schedule = Pick<PageView<unknown>, 'rows' | 'everything'>;
/** One formatter a zone: making them is slow, and a calendar has hundreds of rows. */
const formatters = new Map<string, Intl.DateTimeFormat>();

/** The release schedule on the clock of a zone or publisher. See docs/interface-endpoints.md#calendar. */
export async function deriveCalendar(view: PageView<CalendarArgs>): Promise<Derived> {
  const { args, now, stored } = view;
  const rows = (await withoutMoved(view))
    .map(({ text }) => ({ text, row: parseObject(text) }))
    .filter(({ row }) => args.start_date !== undefined || releaseOf(row) > now);
  const home = typeof stored.timezone === 'string' ? stored.timezone : undefined;
  const zone = args.timezone ?? home ?? 'UTC';
  return {
    envelope: {
      timezone: zone,
      requested_timezone: args.timezone,
      indicator: args.indicator,
      start_date: args.start_date,
      end_date: args.end_date,
      data_quality: scheduleQuality(
        rows.map(({ row }) => row),
        stored,
      ),
    },
    rows: rows.map(({ text, row }) => withTimes(text, row, { requestedZone: args.timezone, zone })),
    total: rows.length,
  };
}

function releaseOf({ announcement_datetime: release }: JsonObject): number {
  return typeof release === 'number' ? release : Number.NaN;
}

interface Zones {
  readonly requestedZone: string | undefined;
  readonly zone: string;
}

function withTimes(text: JsonText, row: JsonObject, { requestedZone, zone }: Zones): JsonText {
  const release = releaseOf(row);
  if (Number.isNaN(release)) return text;
  const local = toJsonText(localIso(release, zone));
  const requested = 'announcement_datetime_requested_timezone';
  const changes: Record<string, JsonText | undefined> = {};
  if (row.announcement_datetime_utc === undefined)
    changes.announcement_datetime_utc = toJsonText(localIso(release, 'UTC'));
  // The publisher's local time stays as received, because its zone may differ from the zone of the envelope.
  if (requestedZone !== undefined || row.announcement_datetime_local === undefined)
    changes.announcement_datetime_local = local;
  if (requestedZone !== undefined) changes[requested] = local;
  else if (row[requested] !== undefined) changes[requested] = undefined;
  return Object.keys(changes).length === 0 ? text : patchRow(text, changes);
}

/** A schedule has no values, so lag, staleness and window do not apply to it. */
function scheduleQuality(rows: readonly JsonObject[], stored: JsonObject): Envelope {
  const latest = Math.max(...rows.map(releaseOf).filter((release) => !Number.isNaN(release)));
  return {
    ...sourceQuality(stored),
    is_stale: false,
    ...releaseCounts(rows),
    latest_available_date: Number.isFinite(latest) ? dateOf(latest * 1000) : undefined,
    quality_scope: 'scheduled_releases',
  };
}

/** A schedule without moved releases, known by period since ids hold times. See docs/interface-endpoints.md#calendar. */
async function withoutMoved({ rows, everything }: Schedule): Promise<readonly ViewRow[]> {
  const newest = new Map<string, number>();
  for (const { text, commit } of (await everything?.()) ?? rows) {
    const name = releaseName(text);
    if (name === undefined || commit === undefined) continue;
    newest.set(name, Math.max(commit, newest.get(name) ?? commit));
  }
  return rows.filter(({ text, commit }) => {
    const name = releaseName(text);
    return name === undefined || commit === undefined || commit >= (newest.get(name) ?? commit);
  });
}

/** A name that a release keeps when it is rescheduled; undefined if the row does not state its period. */
function releaseName(text: JsonText): string | undefined {
  const row: unknown = readJson(text);
  if (!isJsonObject(row)) return undefined;
  const { release, name, release_stage: stage }: JsonObject = row;
  const period = row.date ?? row.reference_period;
  return typeof period === 'string' ? JSON.stringify([release, period, name, stage]) : undefined;
}

/** An instant (Unix seconds) on the wall clock of an IANA zone, ISO with the offset of that day. */
export function localIso(unixSeconds: number, zone: string): string {
  const offset = offsetMinutes(unixSeconds, zone);
  const wall = new Date((unixSeconds + offset * 60) * 1000).toISOString().slice(0, 19);
  const size = Math.abs(offset);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${wall}${offset < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

/** Minutes that a zone's clock is ahead of UTC at an instant, daylight saving included. */
function offsetMinutes(unixSeconds: number, zone: string): number {
  const parts = Object.fromEntries(
    formatterOf(zone)
      .formatToParts(unixSeconds * 1000)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Math.round((Date.UTC(year, month - 1, day, hour, minute, second) / 1000 - unixSeconds) / 60);
}

function formatterOf(zone: string): Intl.DateTimeFormat {
  const known = formatters.get(zone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    calendar: 'iso8601',
    numberingSystem: 'latn',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  formatters.set(zone, made);
  return made;
}
