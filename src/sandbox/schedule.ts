import { addDays, dateOf, dateToMs } from '../contract/time/time.ts';
import type { Frequency, Indicator } from './announced/indicator-table.ts';
import { publisherOf } from './publishers.ts';
import { hashOf } from './random-walks.ts';
import { WALK_START, type World } from './world.ts';
import { localInstant } from './zones.ts';

/** A reference period of a series and its one planned release. Periods are numbered from the start of all walks. */
export interface SchedulePeriod {
  readonly index: number;
  /** Last day of the period. */
  readonly date: string;
  /** Unix seconds. */
  readonly release: number;
}

const DAY = 86_400_000;
const START = dateToMs(WALK_START);
/** Months of the meetings that set a policy rate. */
const MEETINGS = [0, 2, 3, 5, 6, 8, 9, 11];

/** Days on which nothing is published or traded. */
function isClosed(date: string): boolean {
  // The walks start on a Monday.
  return ((dateToMs(date) - START) / DAY) % 7 > 4 || isHoliday(date);
}

function isHoliday(date: string): boolean {
  return date.endsWith('-01-01') || date.endsWith('-12-25');
}

/** A day of the week (1 is Monday) in a numbered week from the start of the walks. */
export function weekdayOn(week: number, day: number): string {
  return dateOf(START + (week * 7 + day - 1) * DAY);
}

/** The date itself when there is business on it, else the first day after it that has some. */
export function nextBusinessDay(date: string): string {
  let day = date;
  while (isClosed(day)) day = addDays(day, 1);
  return day;
}

export interface Day {
  readonly date: string;
  /** Unix seconds. */
  readonly midnight: number;
}

/** Every business day from the start of the walks to the day before today. */
export function businessDays(world: World): readonly Day[] {
  const days: Day[] = [];
  for (let index = 0; ; index += 1) {
    const ms = weekdayMs(index);
    if (ms >= world.horizon * 1000) return days;
    const date = dateOf(ms);
    if (!isHoliday(date)) days.push({ date, midnight: ms / 1000 });
  }
}

/** Midnight of a numbered weekday. */
function weekdayMs(index: number): number {
  return START + (Math.floor(index / 5) * 7 + (index % 5)) * DAY;
}

/** The last day of a numbered period; undefined for a day without business. */
function periodDate(frequency: Frequency, index: number): string | undefined {
  switch (frequency) {
    case 'Daily': {
      const date = dateOf(weekdayMs(index));
      return isHoliday(date) ? undefined : date;
    }
    case 'Weekly':
      return dateOf(START + (index * 7 + 4) * DAY);
    case 'Monthly':
      return monthEnd(index + 1);
    case 'Quarterly':
      return monthEnd(index * 3 + 3);
    case 'Irregular':
      return meeting(index);
  }
}

/** The last day of month number `months`, where 1 is January 2000. */
function monthEnd(months: number): string {
  return dateOf(Date.UTC(2000, months, 0));
}

/** The second Wednesday of eight months, for all central banks, so that policy rates share dates. */
function meeting(index: number): string {
  const month = MEETINGS[index % MEETINGS.length] ?? 0;
  const eighth = new Date(Date.UTC(2000 + Math.floor(index / MEETINGS.length), month, 8));
  return dateOf(eighth.getTime() + ((3 - eighth.getUTCDay() + 7) % 7) * DAY);
}

/** About the number of the period that a date lies in. */
function indexNear(frequency: Frequency, date: string): number {
  const days = (dateToMs(date) - START) / DAY;
  const perDay = { Daily: 5 / 7, Weekly: 1 / 7, Monthly: 12 / 365.25, Quarterly: 4 / 365.25, Irregular: 8 / 365.25 };
  return Math.max(0, Math.floor(days * perDay[frequency]));
}

/** Periods from `from` released before `until` (Unix seconds), oldest first, the same in every window. */
export function scheduleOf(
  world: World,
  series: Series,
  range: { from: string; until: number },
): readonly SchedulePeriod[] {
  const { indicator } = series;
  const periods: SchedulePeriod[] = [];
  for (let index = Math.max(0, indexNear(indicator.frequency, range.from) - 3); ; index += 1) {
    const date = periodDate(indicator.frequency, index);
    if (date === undefined) continue;
    const release = releaseOf(world, series, date);
    if (release >= range.until) return periods;
    if (date >= range.from) periods.push({ index, date, release });
  }
}

/** A series by its currency and what it measures. */
export interface Series {
  readonly currency: string;
  readonly indicator: Indicator;
}

export const seriesName = ({ currency, indicator }: Series): string => `announcements/${currency}/${indicator.slug}`;

function releaseOf(world: World, series: Series, date: string): number {
  const { currency, indicator } = series;
  const { zone, times } = publisherOf(currency);
  return localInstant(zone, releaseDay(world, series, date), times[indicator.desk]);
}

/** The first business day after the normal lag; a compiled statistic takes up to two days longer. */
function releaseDay(world: World, series: Series, date: string): string {
  const { frequency, lag } = series.indicator;
  if (frequency === 'Daily') return date;
  const compiled = frequency === 'Monthly' || frequency === 'Quarterly';
  const late = compiled ? hashOf(world.seed, `${seriesName(series)}/${date}`) % 3 : 0;
  return nextBusinessDay(addDays(date, lag + late));
}
