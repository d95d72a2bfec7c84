import type { JsonObject } from '../contract/json/json.ts';
import { addDays, dateOf, dateToMs } from '../contract/time/time.ts';
import { MAIN_CURRENCIES } from '../contract/words/words.ts';
import { type Indicator, indicatorsOf, scheduledOf } from './announced/indicator-table.ts';
import { publisherOf } from './publishers.ts';
import { type GeneratedSeries, generatedSeries, SANDBOX_LABEL, SANDBOX_URL } from './rows.ts';
import { type SchedulePeriod, type Series, scheduleOf } from './schedule.ts';
import { SCHEDULE_AHEAD, SCHEDULE_BACK, type World } from './world.ts';
import { isoLocal } from './zones.ts';

const TIERS = { high: 1, medium: 2, low: 3 } as const;
/** The max time from the end of a period to its release, with room. */
const MAX_LAG_DAYS = 130;
/** Days ahead for which a publisher has confirmed its dates. */
const CONFIRMED = 60;

/** The release schedule of one currency around today. Series that are printed every day have no release to wait for. */
export function generateCalendar(world: World, currency: string): GeneratedSeries {
  const series = calendarIndicators(world, currency).map((indicator) => ({ currency, indicator }));
  const releases = series
    .flatMap((one) => around(world, one).map((period) => ({ series: one, period })))
    .sort((a, b) => a.period.release - b.period.release || (slugOf(a.series) < slugOf(b.series) ? -1 : 1));
  const quality = qualityOf(releases.length, releases.at(-1)?.period.date ?? world.today);
  const envelope = { currency, timezone: publisherOf(currency).zone, data_quality: quality };
  const rows = releases.map(({ series: one, period }) => calendarEventOf(world, one, period));
  return generatedSeries('calendar', { currency }, envelope, rows);
}

export function calendarIndicators(world: World, currency: string): readonly Indicator[] {
  if (!MAIN_CURRENCIES.includes(currency)) return scheduledOf(currency);
  return indicatorsOf(currency, world.size).filter(({ frequency }) => frequency !== 'Daily');
}

const slugOf = (series: Series): string => series.indicator.slug;

function around(world: World, series: Series): readonly SchedulePeriod[] {
  const from = dateToMs(addDays(world.today, -SCHEDULE_BACK)) / 1000;
  const until = dateToMs(addDays(world.today, SCHEDULE_AHEAD)) / 1000;
  return eventsBetween(world, series, { from, until });
}

/** The releases of a series between two instants (Unix seconds), the second one left out. */
export function eventsBetween(
  world: World,
  series: Series,
  { from, until }: { from: number; until: number },
): readonly SchedulePeriod[] {
  const first = addDays(dateOf(from * 1000), -MAX_LAG_DAYS);
  return scheduleOf(world, series, { from: first, until }).filter(({ release }) => release >= from);
}

export function calendarEventOf(
  world: World,
  { currency, indicator }: Series,
  { date, release }: SchedulePeriod,
): JsonObject {
  const code = currency.toLowerCase();
  const tier = TIERS[indicator.importance];
  return {
    calendar_event_id: `${code}_${indicator.slug}_${release}`,
    announcement_datetime: release,
    announcement_datetime_utc: `${new Date(release * 1000).toISOString().slice(0, 19)}+00:00`,
    announcement_datetime_local: isoLocal(release, publisherOf(currency).zone),
    release: indicator.slug,
    name: indicator.name,
    date,
    reference_period: periodName(indicator, date),
    release_date_confirmed: release < world.horizon + CONFIRMED * 86_400,
    event_importance: indicator.importance,
    market_tier: tier,
    top_tier_for_currency: tier === 1,
    source: SANDBOX_LABEL,
    source_url: `${SANDBOX_URL}${code}/${indicator.slug}/schedule`,
  };
}

const MONTHS = 'January February March April May June July August September October November December'.split(' ');

function periodName({ frequency }: Indicator, date: string): string {
  const [year, month = ''] = date.split('-');
  if (frequency === 'Quarterly') return `Q${Number(month) / 3} ${year}`;
  if (frequency === 'Monthly') return `${MONTHS[Number(month) - 1]} ${year}`;
  return date;
}

function qualityOf(count: number, latest: string): JsonObject {
  return {
    is_official: false,
    is_proxy: false,
    is_fallback: false,
    is_stale: false,
    is_derived: false,
    has_announcement_datetime: true,
    point_in_time_safe: false,
    has_assumed_release_times: false,
    unverified_vintage_count: 0,
    unknown_publication_time_count: 0,
    latest_available_date: latest,
    source_name: SANDBOX_LABEL,
    source_type: 'synthetic',
    row_count: count,
    announcement_datetime_count: count,
    missing_announcement_datetime_count: 0,
    assumed_release_time_count: 0,
    bounded_release_time_count: 0,
    unbounded_release_time_count: 0,
    quality_scope: 'scheduled_releases',
  };
}
