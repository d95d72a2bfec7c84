// Made from the endpoints by npm run gen. Do not edit.
/** Templates of event contracts: what is asked. */
export interface SettlementContractsQuery {
  /** templates of one currency */ readonly currency?: string;
  /** templates of one indicator */ readonly indicator?: string;
}

/** Templates of event contracts: one row. */
export interface SettlementContractsRow {
  readonly contract_id: string;
  readonly title?: string;
  readonly currency: string;
  readonly indicator: string;
  readonly series_id?: string;
  readonly unit?: string;
  readonly publisher?: string;
  readonly source_url?: string;
  /** printed decimals */ readonly precision: number;
  readonly outcome_rule: { /** threshold or decision */ readonly type: string; /** how the value is compared with a strike */ readonly comparison?: string; readonly outcomes?: readonly string[]; };
  /** first_print */ readonly settles_on: string;
}

/** Templates of event contracts: the whole answer. */
export interface SettlementContractsBody {
  readonly count: number;
  readonly data: readonly SettlementContractsRow[];
}
