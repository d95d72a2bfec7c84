// Made from the endpoints by npm run gen. Do not edit.
/** FX trading sessions and their overlaps at a moment: what is asked. */
export interface MarketSessionsQuery {
  /** moment to describe; default now */ readonly at?: string | number | Date;
}

/** FX trading sessions and their overlaps at a moment: one row. */
export interface MarketSessionsRow {
  readonly name: string;
  readonly display_name: string;
  readonly description: string;
  readonly currencies: readonly string[];
  /** IANA zone */ readonly timezone: string;
  readonly open_utc: string;
  readonly close_utc: string;
  readonly open_unix: number;
  readonly close_unix: number;
  readonly is_open: boolean;
  /** seconds until it closes */ readonly seconds_to_close?: number | null;
  /** seconds until it opens */ readonly seconds_to_open?: number | null;
}

/** FX trading sessions and their overlaps at a moment: the whole answer. */
export interface MarketSessionsBody {
  readonly now_utc: string;
  readonly now_unix: number;
  readonly is_market_day: boolean;
  readonly overlaps: readonly ({ readonly name: string; readonly description?: string; readonly sessions: readonly string[]; readonly priority: string; readonly notable_pairs: readonly string[]; readonly start_utc?: string; readonly end_utc?: string; readonly start_unix: number; readonly end_unix: number; readonly is_active: boolean; /** seconds until it begins */ readonly seconds_to_start?: number | null; /** seconds until it ends */ readonly seconds_to_end?: number | null; readonly duration_hours: number; })[];
  readonly sessions: readonly MarketSessionsRow[];
}
