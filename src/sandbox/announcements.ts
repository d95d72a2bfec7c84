import type { JsonObject } from '../contract/json.ts';
import { daysBetween, isoSeconds } from '../contract/time.ts';
import { roundHalfEven } from '../derive/round.ts';
import type { NewRow } from '../mirror/mirror.ts';
import { announcementsEnvelope, seriesId } from './announcements-envelope.ts';
import type { Indicator } from './indicator-table.ts';
import { indicatorOf, isFull } from './indicators.ts';
import { publisherOf } from './publishers.ts';
import { streamOf } from './random.ts';
import { type GeneratedSeries, rowOf, SANDBOX_LABEL, SANDBOX_URL } from './rows.ts';
import { type Period, type Series, scheduleOf, seriesName } from './schedule.ts';
import { drawRevisions, type Print, printsOf } from './vintages.ts';
import { printed, type Walked, walk } from './walks.ts';
import { WALK_START, type World, yesterday } from './world.ts';
import { isoLocal } from './zones.ts';

/** One published period of a series with everything that was printed for it. */
export interface Observation extends Period {
  readonly prints: readonly Print[];
  readonly monthly?: number;
}

/** A series with its rows and, for those who tell more about it, what they were made of. Oldest first. */
export interface Announcements {
  readonly series: Series;
  readonly observations: readonly Observation[];
  readonly generated: GeneratedSeries;
}

/** The history of one series up to the horizon. */
export function generateAnnouncements(world: World, series: Series): Announcements {
  const { currency, indicator } = series;
  const observations = observe(world, series);
  const rows = observations.map((_, i) => announcementRow(series, observations, i)).reverse();
  const window = { from: WALK_START, to: world.today };
  const generated: GeneratedSeries = {
    endpoint: 'announcements',
    scope: { currency, indicator: indicator.slug },
    envelope: announcementsEnvelope(world, series, observations),
    rows,
    window,
  };
  return { series, observations, generated };
}

function observe(world: World, series: Series): readonly Observation[] {
  const { indicator } = series;
  const since = sinceOf(world, series);
  const periods = scheduleOf(world, series, { from: since, until: world.horizon });
  const count = (periods.at(-1)?.index ?? -1) + 1;
  const { values, monthly } = valuesOf(world, series, count);
  const draws = drawRevisions(streamOf(world.seed, `${seriesName(series)}/revisions`), count);
  return periods.flatMap((period, i) => {
    const value = values[period.index];
    const draw = draws[period.index];
    if (value === undefined || draw === undefined) return [];
    const later = [periods[i + 1], periods[i + 2]];
    const prints = printsOf(indicator, value, { period, later, draw, horizon: world.horizon });
    const month = monthly?.[period.index];
    return [{ ...period, prints, ...(month !== undefined && { monthly: printed(month, indicator.decimals) }) }];
  });
}

/** Daily series of currencies with the short list are short as well. */
function sinceOf({ since }: World, { currency, indicator }: Series): string {
  if (indicator.frequency !== 'Daily') return since.periodic;
  return isFull(currency) ? since.daily : since.brief;
}

function valuesOf(world: World, series: Series, count: number): Walked {
  const { currency, indicator } = series;
  const own = walk(indicator.walk, streamOf(world.seed, `${seriesName(series)}/values`), count);
  if (!indicator.between) return own;
  const { slugs, at } = indicator.between;
  const [near, far] = slugs.map(
    (slug) => valuesOf(world, { currency, indicator: indicatorOf(slug, currency) }, count).values,
  );
  return {
    values: own.values.map((value, i) => {
      const [from, to] = [near?.[i] ?? 0, far?.[i] ?? 0];
      return from + at * (to - from) + value;
    }),
  };
}

/** The value of a period as it stands now. */
export function latestPrint(observation: Observation): Print {
  const last = observation.prints.at(-1);
  if (!last) throw new RangeError(`Nothing was printed for ${observation.date}`);
  return last;
}

/** The row of one observation among its neighbours. */
function announcementRow(series: Series, observations: readonly Observation[], at: number): NewRow {
  const { currency, indicator } = series;
  const observation = observations[at];
  if (!observation) throw new RangeError(`There is no observation ${at}`);
  const { date, release, prints } = observation;
  const id = `${currency.toLowerCase()}_${indicator.slug}_${date}`;
  return rowOf({
    announcement_id: id,
    date,
    val: latestPrint(observation).val,
    source: SANDBOX_LABEL,
    source_url: `${SANDBOX_URL}${currency.toLowerCase()}/${indicator.slug}/${date}`,
    source_url_scope: 'release',
    ...changes(series, observations, at),
    observation_id: `${seriesId(series)}_${date}`,
    announcement_datetime: release,
    announcement_datetime_local: isoLocal(release, publisherOf(currency).zone),
    publication_time_status: 'confirmed',
    publication_time_precision: 'minute',
    vintage_status: 'captured_snapshot',
    // A market's close is never revised: its release time says all.
    ...(indicator.frequency !== 'Daily' && {
      official_planned_release_datetime: release,
      ...timing(indicator, release),
      ...capture(latestPrint(observation).epoch),
      revisions: prints.map((print, i) => vintage(prints, print, i)),
    }),
  });
}

function vintage(prints: readonly Print[], print: Print, at: number): JsonObject {
  const before = prints[at - 1];
  return {
    epoch: print.epoch,
    val: print.val,
    ...(before && { change: print.val - before.val }),
    ...capture(print.epoch),
    publication_time_status: 'confirmed',
    vintage_status: 'captured_snapshot',
    is_first_release: at === 0,
  };
}

/** Seconds from a publication to its capture. */
const LATENCY = 4;

/** When the sandbox saw a print, in whole seconds, so that a double holds the nanoseconds exactly. */
function capture(epoch: number): JsonObject {
  const seconds = epoch + LATENCY;
  return {
    observed_at_ns: seconds * 1e9,
    observed_at_ns_string: `${seconds}000000000`,
    capture_time_basis: 'first_fresh_fetch_completed',
  };
}

/** Of what markets wait for, the moment of publication is bracketed by seconds, so that its latency can be measured. */
function timing({ importance }: Indicator, release: number): JsonObject {
  if (importance !== 'high') return {};
  return {
    release_timing: {
      scheduled_at: isoSeconds(release),
      published_after: isoSeconds(release - 1),
      published_by: isoSeconds(release + 1),
      picked_up_at: isoSeconds(release + LATENCY),
      available_at: isoSeconds(release + LATENCY),
    },
  };
}

/** What a row says about its predecessors: differences for shares and rates, growth for levels. Wire facts, section 9.19. */
function changes({ indicator }: Series, observations: readonly Observation[], at: number): JsonObject {
  const current = observations[at];
  const previous = observations[at - 1];
  if (!current) return {};
  const { val } = latestPrint(current);
  const monthly = current.monthly === undefined ? {} : { val_mom: current.monthly };
  if (!previous) return monthly;
  const before = latestPrint(previous).val;
  const growth = percentage(val, before);
  if (indicator.unit.startsWith('%'))
    return {
      previous_value: before,
      previous_date: previous.date,
      previous_announcement_datetime: previous.release,
      change_from_previous: val - before,
      ...(growth !== undefined && { pct_change_from_previous: growth }),
      ...monthly,
    };
  const yearAgo = observations[at - (PER_YEAR[indicator.frequency] ?? at + 1)];
  const yearly = yearAgo && percentage(val, latestPrint(yearAgo).val);
  return {
    change: val - before,
    ...(indicator.frequency === 'Monthly' && growth !== undefined && { pct_change_mom: growth }),
    ...(yearly !== undefined && { pct_change_yoy: yearly }),
  };
}

const PER_YEAR: Readonly<Record<string, number>> = { Weekly: 52, Monthly: 12, Quarterly: 4 };

/** Change in per cent, two decimals; undefined over nothing. A negative base counts by its size. */
export function percentage(value: number, base: number): number | undefined {
  if (base === 0) return undefined;
  return roundHalfEven(((value - base) / Math.abs(base)) * 100, 2);
}

/** Days from the newest period of a series to today. */
export function lagOf(world: World, observations: readonly Observation[]): number {
  const last = observations.at(-1)?.date ?? yesterday(world);
  return daysBetween(last, world.today);
}
