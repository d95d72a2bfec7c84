// Made from the endpoints by npm run gen. Do not edit.
/** Releases as they are processed, as server-sent events: what is asked. */
export interface StreamEventsQuery {
  /** currencies, comma separated; g10 or all */ readonly currencies?: readonly string[] | string;
  /** indicators, comma separated */ readonly indicators?: readonly string[] | string;
  /** how much of each release */ readonly payload?: 'compact' | 'full';
  /** nothing that was released before */ readonly live_only?: boolean;
  /** older events are left out, in milliseconds */ readonly max_age_ms?: number;
  /** the last event already held, as the header Last-Event-ID */ readonly last_event_id?: string;
}

/** Releases as they are processed, as server-sent events: one row. */
export interface StreamEventsRow {
  /** currency, indicator and release time, joined by underscores */ readonly event_id: string;
  readonly currency: string;
  readonly indicator: string;
  readonly records_written?: number;
  /** processing time, Unix seconds */ readonly timestamp?: number;
  /** release time, Unix seconds */ readonly release_timestamp?: number | null;
  /** the print; with payload=full its whole row */ readonly latest_announcement?: { readonly date?: string; readonly val?: number | null; readonly announcement_datetime?: string | null; };
  /** time since the release */ readonly age_ms?: number;
}
