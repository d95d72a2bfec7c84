import type { Envelope } from '../../contract/hooks.ts';
import { type Json, objectIn } from '../../contract/json/json.ts';
import { instantOf, isoSeconds } from '../../contract/time/time.ts';
import type { Print } from '../announcements/print.ts';
import type { FirstPrint } from './first-print.ts';

/**
 * When a release was due, published and taken in. The latency runs from the end of the bracket around the publication,
 * never from the schedule; without that bracket it was not measured. See docs/interface.md#settlement.
 */
export function releaseTiming({ row }: Print, first: FirstPrint | undefined): Envelope {
  const timing = objectIn(row.release_timing);
  const scheduled = textOf(timing.scheduled_at) ?? isoOf(instantOf(row.official_planned_release_datetime));
  const ingested = textOf(timing.picked_up_at) ?? isoMs(first?.capturedAt);
  const publishedBy = textOf(timing.published_by);
  const latency = millisecondsBetween(publishedBy, ingested);
  return {
    scheduled_at: scheduled,
    published_after: textOf(timing.published_after),
    published_by: publishedBy,
    ingested_at: ingested,
    latency_ms: latency ?? null,
    latency_status: latency === undefined ? 'not_measured' : 'measured',
  };
}

/** Undefined when one end is unknown, and when the capture is said to precede the publication: that measures nothing. */
function millisecondsBetween(from: string | undefined, to: string | undefined): number | undefined {
  const ms = from === undefined || to === undefined ? Number.NaN : Date.parse(to) - Date.parse(from);
  return ms >= 0 ? ms : undefined;
}

function textOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? value : undefined;
}

function isoOf(seconds: number | undefined): string | undefined {
  return seconds === undefined ? undefined : isoSeconds(seconds);
}

function isoMs(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : new Date(ms).toISOString().replace('.000Z', 'Z');
}
