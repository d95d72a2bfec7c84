// Made from the endpoints by npm run gen. Do not edit.
import type { DataQuality } from '../shared-members.ts';

/** Official bond, bill, auction and overnight observations: what is asked. */
export interface FinancialPricesQuery {
  /** currency of the instruments */ readonly currency: string;
  /** publisher */ readonly source?: string;
  /** what is measured: yield, price, rate, high_yield, bid_to_cover, volume */ readonly measure?: string;
  /** instrument */ readonly instrument_id?: string;
  /** issuer */ readonly issuer?: string;
  /** first date; default the first one */ readonly start_date?: string;
  /** last date; default the newest one */ readonly end_date?: string;
  /** rows a page */ readonly limit?: number;
  /** rows to skip, newest first */ readonly offset?: number;
}

/** Official bond, bill, auction and overnight observations: one row. */
export interface FinancialPricesRow {
  readonly date: string;
  /** publisher */ readonly source: string;
  readonly instrument_id: string;
  /** yield, price, rate, high_yield, bid_to_cover, volume, or another one */ readonly measure: string;
  readonly val: number | null;
  readonly observation_id?: string;
  readonly currency?: string;
  readonly source_url?: string;
  readonly issuer?: string;
  readonly instrument_name?: string;
  /** bond, bill, auction, overnight_rate or curve_node */ readonly instrument_type?: string;
  /** %, price_per_100, ratio or a currency */ readonly unit?: string;
  /** such as 10Y */ readonly maturity?: string;
  readonly maturity_date?: string;
  /** par, zero or real */ readonly curve_type?: string;
  /** decimals that the publisher prints */ readonly source_precision?: number;
  /** release time, Unix seconds */ readonly announcement_datetime?: number | null;
}

/** Official bond, bill, auction and overnight observations: the whole answer. */
export interface FinancialPricesBody {
  readonly currency: string;
  /** rows of this page */ readonly count?: number;
  /** null where nothing was asked */ readonly filters?: Readonly<Record<string, string | null>>;
  readonly data_quality?: DataQuality;
  readonly data: readonly FinancialPricesRow[];
}
