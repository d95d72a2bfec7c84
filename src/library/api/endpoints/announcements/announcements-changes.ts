// Made from the endpoints by npm run gen. Do not edit.
import type { FreemiumDelay } from '../shared-members.ts';

/** Releases in the order in which they were processed: what is asked. */
export interface AnnouncementsChangesQuery {
  /** currencies, comma separated; g10 or all */ readonly currencies?: readonly string[] | string;
  /** indicators, comma separated */ readonly indicators?: readonly string[] | string;
  /** how much of each release */ readonly payload?: 'compact' | 'full';
  /** rows a page */ readonly limit?: number;
  /** cursor of the last answer, ISO date-time or Unix seconds */ readonly since?: string;
}

/** Releases in the order in which they were processed: one row. */
export interface AnnouncementsChangesRow {
  /** currency, indicator and release time, joined by underscores */ readonly event_id: string;
  readonly currency: string;
  readonly indicator: string;
  readonly records_written?: number;
  /** processing time, Unix seconds */ readonly timestamp?: number;
  /** release time, Unix seconds */ readonly release_timestamp?: number | null;
  /** the print; with payload=full its whole row */ readonly latest_announcement?: { readonly date?: string; readonly val?: number | null; readonly announcement_datetime?: string | null; };
}

/** Releases in the order in which they were processed: the whole answer. */
export interface AnnouncementsChangesBody {
  readonly count?: number;
  /** position reached; ask with it as `since` */ readonly next_cursor: string;
  readonly has_more?: boolean;
  readonly retention_seconds?: number;
  readonly scope?: { readonly currencies?: readonly string[] | null; readonly indicators?: readonly string[] | null; readonly payload?: string; };
  /** the position is older than what is kept: fetch the histories again */ readonly gap?: boolean;
  readonly oldest_available?: string;
  readonly freemium_delay?: FreemiumDelay;
  readonly data: readonly AnnouncementsChangesRow[];
}
