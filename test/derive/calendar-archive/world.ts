import type { LoadedSeries } from '../../../src/contract/hooks.ts';
import type { JsonObject } from '../../../src/contract/json/json.ts';
import { loaded } from '../announcements/loaded.ts';

/** An archive of three events, as a service would list their versions. */
export const VERSIONS: readonly JsonObject[] = [
  version('cae_cpi', 1, '2026-10-12T03:00:00Z', { time: '2026-11-30T10:00:00Z', status: 'tentative' }),
  version('cae_cpi', 2, '2026-10-20T09:00:00Z', { time: '2026-12-01T10:00:00Z', status: 'tentative' }),
  version('cae_cpi', 3, '2026-11-05T09:00:00Z', { time: '2026-12-01T10:00:00Z', status: 'scheduled' }),
  version('cae_rate', 1, '2026-10-15T00:00:00Z', {
    time: '2026-11-26T13:15:00Z',
    status: 'scheduled',
    release: 'policy_rate',
    event_kind: 'decision',
  }),
  version('cae_flash', 1, '2026-10-13T00:00:00Z', {
    time: '2026-11-20T10:00:00Z',
    status: 'scheduled',
    importance: 'low',
  }),
  version('cae_flash', 2, '2026-10-30T12:00:00Z', {
    time: '2026-11-20T10:00:00Z',
    status: 'cancelled',
    importance: 'low',
  }),
];

export const GAPS: readonly JsonObject[] = [
  {
    gap_start: '2026-11-02T01:00:00Z',
    gap_end: '2026-11-02T07:00:00Z',
    duration_seconds: 21_600,
    reason: 'source_unavailable',
  },
];

interface Facts {
  readonly time: string;
  readonly status: string;
  readonly release?: string;
  readonly event_kind?: string;
  readonly importance?: string;
}

function version(event: string, number: number, captured: string, facts: Facts): JsonObject {
  const { time, status, release = 'inflation', event_kind = 'release', importance = 'high' } = facts;
  const unix = Date.parse(time) / 1000;
  return {
    archive_event_id: event,
    version: number,
    captured_at: captured,
    schedule_status: status,
    release,
    event_kind,
    event_importance: importance,
    announcement_datetime: unix,
    calendar_event_id: `eur_${release}_${unix}`,
  };
}

/** The versions of each event as a series of its own, the way they come from a service. */
export function eventSeries(versions: readonly JsonObject[] = VERSIONS): readonly LoadedSeries[] {
  const events = [...new Set(versions.map(({ archive_event_id: id }) => String(id)))];
  return events.map((id) =>
    loaded({
      endpoint: 'calendar_versions',
      scope: { currency: 'EUR', archive_event_id: id },
      envelope: {
        archive_event_id: id,
        checkpoint: 'cp1.theirs',
        pagination: { limit: 100, returned_count: 9, has_more: false },
      },
      rows: versions.filter((row) => row.archive_event_id === id),
    }),
  );
}

export function coverageSeries(counts: JsonObject = { event_count: 3, version_count: 6 }): LoadedSeries {
  const envelope = { currency: 'EUR', archive_start: '2026-10-12T00:00:00Z', capture_count: 960, ...counts };
  return loaded({ endpoint: 'calendar_coverage', scope: { currency: 'EUR' }, envelope, rows: GAPS });
}
