import type { JsonObject } from '../../contract/json/json.ts';
import { isoSeconds } from '../../contract/time/time.ts';
import { hashOf } from '../random.ts';
import { type GeneratedSeries, rowOf, SANDBOX_LABEL } from '../rows.ts';
import type { World } from '../world.ts';

const DAY = 86_400;
const HOUR = 3600;

/** A time in which nobody looked, in Unix seconds: from the last capture before it to the first one after. */
export interface ArchiveGap {
  readonly from: number;
  readonly to: number;
}

/** Gaps of a few hours, about one a month, on days that depend on the month and the currency alone. */
export function archiveGaps(world: World, currency: string, start: number): readonly ArchiveGap[] {
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

/** What the archive of a currency holds: captures every hour but for the gaps. */
export function coverageOf(
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
  return {
    endpoint: 'calendar_coverage',
    scope: { currency },
    envelope: {
      currency,
      archive_start: isoSeconds(start),
      archive_end: isoSeconds(last),
      event_count: events.length,
      version_count: events.reduce((sum, versions) => sum + versions.length, 0),
      capture_count: captures,
      last_capture_at: isoSeconds(last),
      coverage_quality: gaps.length === 0 ? 'complete' : 'partial',
      sources: [
        {
          source: SANDBOX_LABEL,
          first_capture_at: isoSeconds(start),
          last_capture_at: isoSeconds(last),
          capture_count: captures,
        },
      ],
    },
    rows: gaps.map(({ from, to }) =>
      rowOf('calendar_coverage', {
        gap_start: isoSeconds(from),
        gap_end: isoSeconds(to),
        duration_seconds: to - from,
        reason: 'source_unavailable',
      }),
    ),
  };
}
