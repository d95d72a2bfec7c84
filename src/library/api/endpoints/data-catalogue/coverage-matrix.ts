// Made from the endpoints by npm run gen. Do not edit.
/** Which indicators are there for each currency, and from when to when: what is asked. */
export interface CoverageMatrixQuery {
  /** one currency; all of them when left out */ readonly currency?: string;
  /** one indicator; all of them when left out */ readonly indicator?: string;
}

/** Which indicators are there for each currency, and from when to when: one row. */
export interface CoverageMatrixRow {
  readonly currency: string;
  readonly indicator: string;
  readonly available?: boolean;
  readonly row_count?: number;
  readonly earliest_available_date?: string;
  readonly latest_available_date?: string;
}

/** Which indicators are there for each currency, and from when to when: the whole answer. */
export interface CoverageMatrixBody {
  readonly count: number;
  readonly data: readonly CoverageMatrixRow[];
}
