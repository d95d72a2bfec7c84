import { retryAfterOf } from '../../contract/headers.ts';
import type { QuotaWindow } from './budget.ts';

/** The max window of the service is a month: a longer wait is a wrong clock, not a budget. */
const LONGEST_WAIT = 32 * 86_400;

const NAMES = ['minute', 'hour', 'day', 'month', 'endpoint', 'concurrency'] as const;

/** The budgets in the headers of one answer. */
export interface QuotaReport {
  /** The request was refused for its budget (429), which costs nothing. */
  readonly isRefused: boolean;
  /** All windows of the account, the primary one first; seconds as stated: for the month, the remaining ones. */
  readonly policy: readonly PolicyEntry[];
  readonly primary: RemainingReport | undefined;
  /** Seconds until the primary window ends; of a refusal, until the spent budget frees. */
  readonly resets: number | undefined;
  /** The window with least headroom, or the spent one. */
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

/** True for an answer of the edge cache, which costs no quota. See docs/interface-access.md#edge-cache. */
export function isEdgeHit(headers: Headers, headerPrefix: string): boolean {
  return headers.get(`${headerPrefix}-Edge-Cache`)?.trim().toUpperCase().startsWith('HIT') ?? false;
}

/** The budgets in an answer. Specification, "Limits"; see docs/interface-access.md#rate-limits. */
export function quotaOutcomeOf(
  status: number,
  headers: Headers,
  given: { now: number; headerPrefix: string },
): Outcome {
  if (isEdgeHit(headers, given.headerPrefix)) return { kind: 'free' };
  const report = readTold(status, headers, given.now);
  const isSilent = !report.primary && !report.tightest && report.policy.length === 0;
  if (isSilent && !report.isRefused) return { kind: status >= 500 ? 'lost' : 'untold' };
  return { kind: 'told', report: report };
}

function readTold(status: number, headers: Headers, now: number): QuotaReport {
  const isRefused = status === 429;
  const resets = seconds(headers.get('ratelimit-reset'));
  const name = headers.get('x-ratelimit-window')?.trim().toLowerCase();
  const named = NAMES.find((known) => known === name);
  const tightest = readLeft(headers, 'x-ratelimit');
  const wait = isRefused ? (retryAfterOf(headers, now) ?? resets) : undefined;
  return {
    isRefused,
    policy: readPolicy(headers.get('ratelimit-policy')),
    primary: readLeft(headers, 'ratelimit'),
    resets,
    tightest: named && tightest ? { ...tightest, name: named } : undefined,
    retryAfter: wait !== undefined && wait <= LONGEST_WAIT ? wait : undefined,
  };
}

function readLeft(headers: Headers, prefix: string): RemainingReport | undefined {
  const limit = wholeNumber(headers.get(`${prefix}-limit`));
  const left = wholeNumber(headers.get(`${prefix}-remaining`));
  return limit === undefined || left === undefined ? undefined : { limit, left };
}

/** `300;w=60, 5000;w=3600`: entries that are none are passed over. */
function readPolicy(text: string | null): readonly PolicyEntry[] {
  return (text ?? '').split(',').flatMap((entry) => {
    const [, limit, window] = /^\s*(\d{1,12})\s*;\s*w=(\d{1,9})\b/.exec(entry) ?? [];
    return limit === undefined || window === undefined ? [] : [{ limit: Number(limit), seconds: Number(window) }];
  });
}

function seconds(text: string | null): number | undefined {
  const count = wholeNumber(text);
  return count !== undefined && count <= LONGEST_WAIT ? count : undefined;
}

function wholeNumber(text: string | null): number | undefined {
  return text !== null && /^\s*\d{1,12}\s*$/.test(text) ? Number(text) : undefined;
}
