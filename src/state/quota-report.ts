import type { QuotaWindow } from './budget.ts';

/** What the headers of one answer say about budgets. */
export interface QuotaReport {
  /** The request was refused for its budget (429), which costs nothing. */
  readonly isRefused: boolean;
  /** All windows of the account, the primary one first; seconds as told, which for the month is what is left of it. */
  readonly policy: readonly PolicyEntry[];
  /** The primary window. */
  readonly primary: RemainingReport | undefined;
  /** Seconds until the primary window ends; of a refusal, until the spent budget frees. */
  readonly resets: number | undefined;
  /** The window with least headroom, or the one that is spent. */
  readonly tightest: (RemainingReport & { readonly name: QuotaWindow | 'endpoint' | 'concurrency' }) | undefined;
  /** Seconds that a refusal asks to wait. */
  readonly retryAfter: number | undefined;
}

export interface PolicyEntry {
  readonly limit: number;
  readonly seconds: number;
}

export interface RemainingReport {
  readonly limit: number;
  readonly left: number;
}

/** How a request that was set aside ended. */
export type Outcome =
  /** Answered, and the headers speak of budgets. */
  | { readonly kind: 'told'; readonly report: QuotaReport }
  /** It cost nothing: never sent, or answered by an edge cache. */
  | { readonly kind: 'free' }
  /** Answered without a word about budgets: this service keeps none, or none for this. */
  | { readonly kind: 'untold' }
  /** Nobody knows whether the service counted it. */
  | { readonly kind: 'lost' };
