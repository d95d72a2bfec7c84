// Made from the endpoints by npm run gen. Do not edit.
/** What is captured of a schedule, and the gaps between captures: what is asked. */
export interface CalendarCoverageQuery {
  /** currency of the archive */ readonly currency: string;
  /** one indicator */ readonly indicator?: string;
  /** first UTC date of the captures */ readonly start_date?: string;
  /** last UTC date of the captures */ readonly end_date?: string;
}

/** What is captured of a schedule, and the gaps between captures: one row. */
export interface CalendarCoverageRow {
  /** last look before the gap */ readonly gap_start: string;
  /** first look after it */ readonly gap_end?: string | null;
  /** seconds of the gap */ readonly duration_seconds?: number | null;
  readonly reason?: string | null;
}

/** What is captured of a schedule, and the gaps between captures: the whole answer. */
export interface CalendarCoverageBody {
  readonly currency: string;
  readonly archive_start?: string | null;
  readonly archive_end?: string | null;
  readonly event_count?: number;
  readonly version_count?: number;
  readonly capture_count?: number;
  readonly last_capture_at?: string | null;
  /** complete or partial */ readonly coverage_quality?: string;
  readonly sources?: readonly ({ readonly source: string; readonly first_capture_at?: string | null; readonly last_capture_at?: string | null; readonly capture_count?: number; })[];
  readonly capture_gaps: readonly CalendarCoverageRow[];
}
