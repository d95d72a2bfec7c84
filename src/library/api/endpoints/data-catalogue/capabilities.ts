// Made from the endpoints by npm run gen. Do not edit.
/** What the endpoints of each currency ask for: what is asked. */
export interface CapabilitiesQuery {
  /** one currency; all of them when left out */ readonly currency?: string;
}

/** What the endpoints of each currency ask for: one row. */
export interface CapabilitiesRow {
  readonly currency: string;
  readonly endpoints: readonly ({ readonly path: string; readonly method: string; readonly requires_api_key: boolean; })[];
}

/** What the endpoints of each currency ask for: the whole answer. */
export interface CapabilitiesBody {
  readonly count: number;
  readonly data: readonly CapabilitiesRow[];
}
