import { addDays, dateOf, isoSeconds } from '../contract/time/time.ts';
import type { MirrorReader } from '../mirror/api/mirror.ts';
import type { StoredSeries } from '../mirror/api/series.ts';

/** Releases that the calendar announced, that are past, and of which a series has no row. */
export interface MissedReleases {
  readonly series: StoredSeries;
  /** When they were due: Unix seconds, oldest first. */
  readonly due: readonly number[];
}

/** A release may come late, and a calendar may know its day only. */
const TOLERANCE = 86_400;

/** Scheduled releases without a row announced within a day, though the series was complete later. */
export async function missedReleases(reader: MirrorReader, now: number): Promise<readonly MissedReleases[]> {
  const missed: MissedReleases[] = [];
  for (const calendar of await reader.find({ endpoint: 'calendar', scope: {} })) {
    const due = await pastReleases(reader, calendar, now);
    for (const [indicator, moments] of due) {
      const scope = { currency: calendar.scope.currency ?? '', indicator };
      for (const series of await reader.find({ endpoint: 'announcements', scope, exact: true })) {
        const found = await missedOf(reader, series, moments);
        if (found.length > 0) missed.push({ series, due: found });
      }
    }
  }
  return missed;
}

async function pastReleases(
  reader: MirrorReader,
  calendar: StoredSeries,
  now: number,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const until = Math.floor(now / 1000) - TOLERANCE;
  const byIndicator = new Map<string, number[]>();
  for (const { columns } of await reader.rows(calendar, { to: until })) {
    const { release, announcement_datetime: at } = columns;
    if (typeof release !== 'string' || typeof at !== 'number') continue;
    byIndicator.set(release, [...(byIndicator.get(release) ?? []), at]);
  }
  return byIndicator;
}

async function missedOf(
  reader: MirrorReader,
  series: StoredSeries,
  moments: readonly number[],
): Promise<readonly number[]> {
  const coveredRanges = await reader.coveredRanges(series, 'keyless');
  const proven = moments.filter((at) =>
    coveredRanges.some(
      ({ from, to, checkedAt }) => checkedAt / 1000 > at + TOLERANCE && isInside(dateOf(at * 1000), from, to),
    ),
  );
  if (proven.length === 0) return [];
  const first = dateOf(Math.min(...proven) * 1000);
  // A release is dated by its period, which may have ended more than a year before.
  const rows = await reader.rows(series, { from: addDays(first, -500) });
  const announced = rows.flatMap(({ columns: { released } }) => (typeof released === 'number' ? [released] : []));
  return proven.filter((at) => !announced.some((one) => Math.abs(one - at) <= TOLERANCE)).sort((a, b) => a - b);
}

function isInside(date: string, from: string | number, to: string | number): boolean {
  return String(from) <= date && date <= String(to);
}

/** A few of the moments, for people. */
export function momentsText(moments: readonly number[]): string {
  const shown = moments.slice(0, 3).map(isoSeconds).join(', ');
  return moments.length > 3 ? `${shown} and ${moments.length - 3} more` : shown;
}
