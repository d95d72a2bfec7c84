// Made from the endpoints by npm run gen. Do not edit.
import type { FreemiumDelay, Provenance } from '../shared-members.ts';

/** Latest value of every indicator of a currency, by its other address: what is asked. */
export interface LatestAnnouncementsQuery {
  /** currency of the indicators */ readonly currency: string;
}

/** Latest value of every indicator of a currency, by its other address: one row. */
export interface LatestAnnouncementsRow {
  readonly indicator: string;
  readonly name?: string;
  readonly unit?: string;
  readonly frequency?: string;
  readonly source?: string;
  readonly source_url?: string;
  readonly seasonal_adjustment?: string;
  readonly has_official_forecast?: boolean;
  readonly latest: { readonly date: string; readonly val: number | null; /** release time, Unix seconds */ readonly announcement_datetime?: number | null; readonly source?: string; readonly source_url?: string; };
  readonly previous?: { readonly date: string; readonly val: number | null; /** release time, Unix seconds */ readonly announcement_datetime?: number | null; readonly source?: string; readonly source_url?: string; };
  /** per cent, two decimals */ readonly pct_diff_prev?: number | null;
  /** per cent, two decimals */ readonly pct_change_mom?: number | null;
  /** per cent, two decimals */ readonly pct_change_qoq?: number | null;
  /** per cent, two decimals */ readonly pct_change_yoy?: number | null;
  readonly withheld?: { /** release time, Unix seconds */ readonly announcement_datetime: number; /** when it can be read, Unix seconds */ readonly available_at: number; readonly available_at_iso: string; };
}

/** Latest value of every indicator of a currency, by its other address: the whole answer. */
export interface LatestAnnouncementsBody {
  readonly currency: string;
  readonly source?: string;
  readonly provenance?: Provenance;
  /** newest date visible to the caller */ readonly as_of?: string;
  readonly count: number;
  readonly freemium_delay?: FreemiumDelay;
  readonly data: readonly LatestAnnouncementsRow[];
}
