// Made from the endpoints by npm run gen. Do not edit.
/** Values known at each moment of decision: what is asked. */
export interface ResearchPanelQuery {
  /** 1 to 6 series, each CCY:INDICATOR or CCY:INDICATOR:DAYS with the age that its values may have */ readonly series: readonly string[] | string;
  /** 1 to 10000 moments in any order; the answer follows this order */ readonly decision_times: readonly (string | number | Date)[] | string;
  /** first reference period that is considered */ readonly start_date: string;
  /** last reference period that is considered */ readonly end_date: string;
  /** known to whom */ readonly availability?: 'public' | 'captured';
  /** pin of an earlier answer, 64 hex digits */ readonly dataset_version?: string;
}

/** Values known at each moment of decision: one row. */
export interface ResearchPanelRow {
  /** the moment asked about; a value counts when it was known strictly before it */ readonly decision_time: string;
  /** one a series, in the order of the question */ readonly values: readonly ({ readonly currency: string; readonly indicator: string; /** null when nothing can be said; `reason` says why */ readonly val: number | null; /** reference period of the value */ readonly date?: string; /** first release of the period, Unix seconds */ readonly announcement_datetime?: number | null; /** since when this value was known */ readonly known_at?: string; /** days from the period to the day of the decision */ readonly age_days?: number; readonly observation_id?: string; readonly reason?: 'not_known_yet' | 'not_known_then' | 'too_old' | 'ambiguous' | 'no_data'; })[];
}

/** Values known at each moment of decision: the whole answer. */
export interface ResearchPanelBody {
  readonly availability: string;
  readonly start_date: string;
  readonly end_date: string;
  readonly series?: readonly ({ readonly currency: string; readonly indicator: string; readonly max_age_days?: number | null; })[];
  /** decisions */ readonly count: number;
  /** values that are null */ readonly missing_count: number;
  readonly data: readonly ResearchPanelRow[];
}
