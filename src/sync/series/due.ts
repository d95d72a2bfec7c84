import { DELAY_STEP_SECONDS, readableAt } from '../../contract/access.ts';
import { freshFor } from '../../contract/endpoint.ts';
import { type JsonText, parseObject } from '../../contract/json/json.ts';
import { isCalendarDate } from '../../contract/time/time.ts';
import announcements from '../../endpoints/announcements/series.ts';
import releaseCalendar from '../../endpoints/calendar/calendar.ts';
import type { MirrorReader } from '../../mirror/api/mirror.ts';
import type { StoredRow } from '../../mirror/api/series.ts';
import type { Clock } from '../../platform/platform.ts';
import type { SyncTarget } from './select.ts';
import type { Asker } from './states.ts';

/** Seconds in which a release is processed once it is out; then it is looked for. */
const PROCESSING = 10;

/** Seconds between two looks for a release that is late, and for how long it is looked for. */
const LATE_STEP = { keyed: 60, keyless: DELAY_STEP_SECONDS } as const;
const LATE_FOR = 1800;

/** Most releases are out within so many seconds, and whoever waits for one cannot spare a minute of them. */
const HASTE = 120;

/** Min and max sleep, in seconds. */
const SHORTEST = 15;
const MAX_PAUSE_SECONDS = 3600;

export interface DueOptions {
  readonly reader: Pick<MirrorReader, 'find' | 'rows'>;
  readonly asker: Pick<Asker, 'access'>;
  readonly targets: readonly SyncTarget[];
  /** Milliseconds. */
  readonly now: number;
  /** When the first of the targets stops being fresh, in milliseconds; counted from now on when left out. */
  readonly freshUntil?: number | undefined;
}

/** A scheduled release of something that is tracked. */
interface DueRelease {
  readonly currency: string;
  readonly indicator: string;
  /** Unix seconds at which it is published. */
  readonly out: number;
  /** Unix seconds at which it can be read. */
  readonly at: number;
}

/** When it makes sense to sync again, in milliseconds, and for whose sake. */
export interface Due {
  readonly at: number;
  readonly release: DueRelease | undefined;
}

export interface ReleaseSeries {
  readonly currency: string;
  readonly indicator: string;
}

/** Rows that are looked at. */
const NEWEST = 400;

type Reader = Pick<MirrorReader, 'find' | 'rows'>;

/** Timers stand still while a machine sleeps, and clocks are set: the time is looked at again after so many milliseconds. */
const CHECK_INTERVAL_MS = 60_000;
/** The same while something may end the sleep. */
const EARLY_CHECK_MS = 1_000;

/**
 * The next moment of news: a scheduled release, a late one again, or the shortest freshness. Without `freshUntil` it is
 * seconds to an hour ahead.
 */
export async function nextDue({ reader, asker, targets, now, freshUntil }: DueOptions): Promise<Due> {
  const seconds = Math.floor(now / 1000);
  const keyless = asker.access === 'keyless';
  const fresh = targets.map(({ endpoint }) => freshFor(endpoint, now)).filter((span) => span > 0);
  const pause = Math.min(MAX_PAUSE_SECONDS, ...fresh.map((span) => Math.max(span, LATE_STEP.keyless)));
  const calm = freshUntil === undefined ? seconds + pause : Math.floor(freshUntil / 1000);
  const releases = await releasesOf(reader, targets, { from: seconds - LATE_FOR, to: calm, keyless });
  const ahead = releases.filter(({ at }) => at + PROCESSING > seconds);
  const late = await firstLate(
    reader,
    releases.filter(({ at }) => at + PROCESSING <= seconds),
  );
  const again = late ? seconds + lateStep(seconds - late.at, keyless) : calm;
  const next = ahead.reduce<DueRelease | undefined>((best, one) => (best && best.at <= one.at ? best : one), undefined);
  const at = Math.min(calm, again, next ? next.at + PROCESSING : calm);
  const release = next && next.at + PROCESSING === at ? next : at === again ? late : undefined;
  return { at: Math.max(at, seconds + SHORTEST) * 1000, release };
}

/** Seconds until the next check for a release that has been late for so many; without a key, answers move in steps. */
function lateStep(late: number, keyless: boolean): number {
  if (keyless) return LATE_STEP.keyless;
  return late < HASTE ? SHORTEST : LATE_STEP.keyed;
}

/** Release moments of tracked series in milliseconds, earliest first, as far as the calendar goes. */
export async function releaseMoments(options: DueOptions, until: number): Promise<readonly number[]> {
  const { reader, asker, targets, now } = options;
  const [from, to] = [Math.floor(now / 1000) - PROCESSING, Math.floor(until / 1000)];
  const releases = await releasesOf(reader, targets, { from, to, keyless: asker.access === 'keyless' });
  const moments = releases.map(({ at }) => (at + PROCESSING) * 1000).filter((moment) => moment > now);
  return [...new Set(moments)].sort((a, b) => a - b);
}

async function releasesOf(
  reader: DueOptions['reader'],
  targets: readonly SyncTarget[],
  { from, to, keyless }: { from: number; to: number; keyless: boolean },
): Promise<readonly DueRelease[]> {
  const tracked = new Set(targets.filter(({ endpoint }) => endpoint.id === announcements.id).map(nameOf));
  const currencies = new Set([...tracked].map((name) => name.slice(0, 3)));
  const releases: DueRelease[] = [];
  for (const currency of currencies)
    for (const calendar of await reader.find({ endpoint: releaseCalendar.id, scope: { currency } }))
      for (const { columns } of await reader.rows(calendar, { from: from - 2 * LATE_FOR, to })) {
        const indicator = String(columns.release);
        const out = Number(columns.announcement_datetime);
        const at = keyless ? readableAt(out) : out;
        if (tracked.has(`${currency}/${indicator}`) && at >= from && at <= to)
          releases.push({ currency, indicator, out, at });
      }
  return releases;
}

/** The first release whose row is not stored yet. */
async function firstLate(reader: DueOptions['reader'], out: readonly DueRelease[]): Promise<DueRelease | undefined> {
  for (const release of out) {
    const { currency, indicator } = release;
    const [series] = await reader.find({ endpoint: announcements.id, scope: { currency, indicator }, exact: true });
    const [newest] = series ? await reader.rows(series, {}, { limit: 1, offset: 0 }) : [];
    if (Number(newest?.columns.announcement_datetime ?? 0) < release.out) return release;
  }
  return undefined;
}

function nameOf({ args }: SyncTarget): string {
  return `${String(args.currency)}/${String(args.indicator)}`;
}

/**
 * The newest period of a series, empty for none. With a release since the wait began (Unix seconds) its rows count as
 * new, else as revisions.
 */
export async function newestPeriod(
  reader: Reader,
  series: ReleaseSeries,
  { begun, now }: { begun: number; now: number },
): Promise<string> {
  const rows = await releasedRows(reader, series);
  const announced = await announcedSince(reader, series, begun);
  const isOut = announced.some(({ out }) => out <= now);
  const before = ({ columns }: StoredRow) => Number(columns.announcement_datetime ?? 0) < begun;
  const [newest] = isOut ? rows.filter(before) : rows;
  return newest ? periodOf(newest) : '';
}

/** The newest row, if it is of a period after another one: a revision of that one or of an older one is none. */
export async function newestAfter(
  reader: Reader,
  series: ReleaseSeries,
  period: string,
): Promise<JsonText | undefined> {
  const [newest] = await releasedRows(reader, series);
  return newest && periodOf(newest) > period ? newest.text : undefined;
}

/** A release that the calendar announces. */
interface Announced {
  /** Unix seconds at which it is published. */
  readonly out: number;
  /** End of the period that it is about, where the calendar says it. */
  readonly period: string | undefined;
  readonly isConfirmed: boolean;
}

/** The next release that the calendar announces of a period after another one; undefined when it announces none. */
export async function announcedAfter(
  reader: Reader,
  series: ReleaseSeries,
  { period, now }: { period: string; now: number },
): Promise<Announced | undefined> {
  const announced = await announcedSince(reader, series, now - LATE_FOR);
  return announced.find((one) => one.period === undefined || one.period > period);
}

/** Earliest first. */
async function announcedSince(
  reader: Reader,
  { currency, indicator }: ReleaseSeries,
  from: number,
): Promise<readonly Announced[]> {
  const [calendar] = await reader.find({ endpoint: releaseCalendar.id, scope: { currency } });
  const rows = calendar ? await reader.rows(calendar, { from, where: { release: indicator } }) : [];
  return rows.map(announcedIn).sort((a, b) => a.out - b.out);
}

function announcedIn(row: StoredRow): Announced {
  const { date, release_date_confirmed: confirmed } = parseObject(row.text);
  return {
    out: Number(row.columns.announcement_datetime),
    period: typeof date === 'string' && isCalendarDate(date) ? date : undefined,
    isConfirmed: confirmed === true,
  };
}

/** The newest rows first: as many as may be new since the wait began. */
async function releasedRows(reader: Reader, { currency, indicator }: ReleaseSeries): Promise<readonly StoredRow[]> {
  const [stored] = await reader.find({ endpoint: announcements.id, scope: { currency, indicator }, exact: true });
  return stored ? reader.rows(stored, {}, { limit: NEWEST, offset: 0 }) : [];
}

const periodOf = ({ key }: StoredRow): string => String(key[0]);

/** Sleeps until the clock shows a moment, in milliseconds, however it gets there, or until something ends the sleep early. */
export async function sleepUntil(
  clock: Clock,
  at: number,
  signal?: AbortSignal,
  isOver?: () => Promise<boolean>,
): Promise<void> {
  const longest = isOver ? EARLY_CHECK_MS : CHECK_INTERVAL_MS;
  for (let left = at - clock.now(); left > 0; left = at - clock.now()) {
    await clock.sleep(Math.min(left, longest), signal);
    if (await isOver?.()) break;
  }
  signal?.throwIfAborted();
}
