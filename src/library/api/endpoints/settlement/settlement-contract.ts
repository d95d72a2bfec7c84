// Made from the endpoints by npm run gen. Do not edit.
/** Settles one contract template for one release: what is asked. */
export interface SettlementContractQuery {
  /** contract, as settlement contracts lists them */ readonly contract_id: string;
  /** last day of the reference period, or latest */ readonly period?: string;
  /** value that the settlement value is compared with */ readonly strike?: number;
  /** how the value is compared with the strike; default: as the template says */ readonly comparison?: 'gt' | 'gte' | 'lt' | 'lte' | 'eq';
}

/** Settles one contract template for one release */
export interface SettlementContractBody {
  readonly record_version: string;
  /** the template that was settled */ readonly contract_id?: string;
  readonly currency: string;
  readonly indicator: string;
  readonly name?: string;
  readonly unit?: string;
  readonly publisher?: string;
  readonly source_url?: string;
  /** last day of the reference period */ readonly period: string;
  readonly status: 'settled' | 'void';
  /** printed decimals */ readonly precision: number;
  /** never changes */ readonly first_print?: { readonly val: number; readonly announcement_datetime: string; };
  /** the first print, rounded half away from zero */ readonly settlement_value?: number;
  /** the value as it stands now */ readonly latest_value?: number | null;
  /** the value differs from its first print */ readonly revised?: boolean;
  readonly release_timing: { readonly scheduled_at?: string; readonly published_after?: string; readonly published_by?: string; readonly ingested_at?: string; /** ingested_at - published_by; null when it was not measured */ readonly latency_ms?: number | null; readonly latency_status: 'measured' | 'not_measured'; };
  readonly outcome?: { readonly strike?: number; readonly comparison?: 'gt' | 'gte' | 'lt' | 'lte' | 'eq'; readonly resolves_yes?: boolean; readonly decision?: 'hike' | 'hold' | 'cut'; /** basis points */ readonly change_bps?: number; readonly previous_value?: number; readonly target_range?: { readonly lower: number; readonly upper: number; }; };
  /** who vouches for the record */ readonly attestation?: { /** RFC8785: of the record without this member */ readonly canonicalization: string; /** hex digest of the canonical bytes */ readonly sha256: string; /** Ed25519, over the bytes themselves */ readonly algorithm?: string; readonly key_id?: string; /** standard base64 */ readonly signature?: string; /** not covered by the signature */ readonly signed_at?: string; };
}
