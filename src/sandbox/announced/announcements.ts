import type { JsonObject } from '../../contract/json/json.ts';
import { isoSeconds } from '../../contract/time/time.ts';
import { comparedWith } from '../../derive/announcements/change-members.ts';
import { type Cadence, percentChange, RHYTHMS } from '../../derive/cadence.ts';
import type { NewRow } from '../../mirror/api/page-commit.ts';
import { publisherOf } from '../publishers.ts';
import { printed, randomWalk, streamOf, type WalkedValues } from '../random-walks.ts';
import { type GeneratedSeries, rowOf, SANDBOX_LABEL, SANDBOX_URL } from '../rows.ts';
import { type Series, scheduleOf, seriesName } from '../schedule.ts';
import type { World } from '../world.ts';
import { isoLocal } from '../zones.ts';
import { announcementsEnvelope, seriesId } from './announcements-envelope.ts';
import { type Indicator, indicatorOf, isLarge } from './indicator-table.ts';
import { drawRevisions, type GeneratedObservation, type GeneratedPrint, latestPrint, printsOf } from './vintages.ts';

/** A series with its rows and, for those who tell more about it, what they were made of. Oldest first. */
export interface Announcements {
  readonly series: Series;
  readonly observations: readonly GeneratedObservation[];
  readonly generated: GeneratedSeries;
}

/** The history of one series up to the horizon. */
export function generateAnnouncements(world: World, series: Series): Announcements {
  const { currency, indicator } = series;
  const observations = observe(world, series);
  const rows = observations.map((_, i) => announcementRow(series, observations, i)).reverse();
  const generated: GeneratedSeries = {
    endpoint: 'announcements',
    scope: { currency, indicator: indicator.slug },
    envelope: announcementsEnvelope(world, series, observations),
    rows,
  };
  return { series, observations, generated };
}

function observe(world: World, series: Series): readonly GeneratedObservation[] {
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
  return isLarge(currency) ? since.daily : since.brief;
}

function valuesOf(world: World, series: Series, count: number): WalkedValues {
  const { currency, indicator } = series;
  const own = randomWalk(indicator.walk, streamOf(world.seed, `${seriesName(series)}/values`), count);
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

/** The row of one observation among its neighbours. */
function announcementRow(series: Series, observations: readonly GeneratedObservation[], at: number): NewRow {
  const { currency, indicator } = series;
  const observation = observations[at];
  if (!observation) throw new RangeError(`There is no observation ${at}`);
  const { date, release, prints } = observation;
  const id = `${currency.toLowerCase()}_${indicator.slug}_${date}`;
  return rowOf('announcements', {
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

function vintage(prints: readonly GeneratedPrint[], print: GeneratedPrint, at: number): JsonObject {
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

/** When the sandbox saw a print, in whole seconds, so that a double stores the nanoseconds exactly. */
function capture(epoch: number): JsonObject {
  const seconds = epoch + LATENCY;
  return {
    observed_at_ns: seconds * 1e9,
    observed_at_ns_string: `${seconds}000000000`,
    capture_time_basis: 'first_fresh_fetch_completed',
  };
}

/** Releases that move markets are bracketed by seconds, so their latency can be measured. */
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

/** Differences of shares and rates, growth of levels. See docs/interface-endpoints.md#announcements. */
function changes({ indicator }: Series, observations: readonly GeneratedObservation[], at: number): JsonObject {
  const current = observations[at];
  const previous = observations[at - 1];
  if (!current) return {};
  const { val } = latestPrint(current);
  const monthly = current.monthly === undefined ? {} : { val_mom: current.monthly };
  if (!previous) return monthly;
  const before = latestPrint(previous).val;
  if (indicator.unit.startsWith('%'))
    return {
      previous_value: before,
      previous_date: previous.date,
      previous_announcement_datetime: previous.release,
      change_from_previous: val - before,
      ...growth('pct_change_from_previous', val, previous),
      ...monthly,
    };
  const cadence = CADENCES[indicator.frequency];
  const older = observations.slice(Math.max(0, at - (cadence ? RHYTHMS[cadence].rowsPerYear : 0)), at).reverse();
  const { monthAgo, yearAgo } = comparedWith(current, older, cadence);
  return {
    change: val - before,
    ...growth('pct_change_mom', val, monthAgo),
    ...growth('pct_change_yoy', val, yearAgo),
  };
}

const CADENCES: Readonly<Record<Indicator['frequency'], Cadence | undefined>> = {
  Daily: 'daily',
  Weekly: 'weekly',
  Monthly: 'monthly',
  Quarterly: 'quarterly',
  Irregular: undefined,
};

/** A member with the change in per cent since an earlier period; none where there is no such change. */
function growth(name: string, val: number, since: GeneratedObservation | undefined): JsonObject {
  const change = since && percentChange(val, latestPrint(since).val);
  return change === undefined ? {} : { [name]: change };
}
