// Made from the endpoints by npm run gen. Do not edit.
/** The last published rate of a pair before each close of a trading session: what is asked. */
export interface FxSessionRatesQuery {
  /** currency that is priced */ readonly base: string;
  /** currency of the price */ readonly quote: string;
  /** trading session */ readonly session: 'sydney' | 'tokyo' | 'london' | 'new_york';
  /** one date instead of a window */ readonly date?: string;
  /** first date of the window; default 365 days ago */ readonly start_date?: string;
  /** last date of the window; default today */ readonly end_date?: string;
  /** order of the rows */ readonly order?: 'timestamp_asc' | 'timestamp_desc' | 'date_asc' | 'date_desc';
  /** rows a page */ readonly limit?: number;
  /** rows to skip, newest first */ readonly offset?: number;
  /** page number from 1; beats offset */ readonly page?: number;
  /** pin of an earlier answer, 64 hex digits */ readonly dataset_version?: string;
}

/** The last published rate of a pair before each close of a trading session: one row. */
export interface FxSessionRatesRow {
  /** date of the session, where it is held */ readonly date: string;
  readonly session?: string;
  readonly session_close_utc: string;
  /** when the source made or published the rate */ readonly timestamp_utc: string;
  /** fixing or published */ readonly timestamp_type: string;
  /** the time is the usual one of the publisher, not a stated one */ readonly timestamp_assumed?: boolean;
  /** the rate: quote units for one unit of base */ readonly price: number;
  /** the same */ readonly val?: number;
  /** minutes from the observation to the close */ readonly staleness_minutes: number;
  /** publisher of the rate */ readonly source: { readonly id: string; readonly name?: string; readonly is_official?: boolean; };
  readonly source_pair?: string;
  readonly is_derived?: boolean;
  /** direct_original_pair, inverse_of_direct_pair or cross_via_anchor */ readonly derivation_method?: string;
  /** currency that both legs of a cross share */ readonly anchor_currency?: string;
}

/** The last published rate of a pair before each close of a trading session: the whole answer. */
export interface FxSessionRatesBody {
  readonly base: string;
  readonly quote: string;
  /** BASE/QUOTE */ readonly pair: string;
  readonly session: string;
  /** IANA zone */ readonly session_timezone?: string;
  /** HH:MM on the session’s own wall */ readonly session_close_local?: string;
  readonly start_date?: string;
  readonly end_date?: string;
  readonly coverage?: { /** over the whole window; nothing of an empty one */ readonly staleness_minutes?: { /** minutes from the observation to the close */ readonly min?: number; /** minutes from the observation to the close */ readonly median?: number; /** minutes from the observation to the close */ readonly max?: number; }; readonly sources?: readonly ({ readonly source: string; readonly name?: string; readonly row_count: number; readonly start_date: string; readonly end_date: string; readonly usual_fix_times_utc: readonly string[]; })[]; };
  readonly data: readonly FxSessionRatesRow[];
}
