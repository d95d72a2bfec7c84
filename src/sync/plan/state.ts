import { DELAY_STEP_SECONDS, isSameForAll, needsKey } from '../../contract/access.ts';
import { freshFor } from '../../contract/endpoint.ts';
import type { CoverageInterval } from '../../mirror/api/coverage.ts';
import type { Follow } from '../../mirror/api/follows.ts';
import type { PaginationRun } from '../../mirror/api/pagination-run.ts';
import type { AccessTag } from '../../mirror/api/series.ts';
import type { SyncTarget } from '../series/target.ts';

/** What a plan knows of one series: what the mirror holds and has proven of it. */
export interface SeriesState {
  readonly target: SyncTarget;
  /** The access under which its answers are kept. */
  readonly access: AccessTag;
  /** Undefined while the mirror holds nothing of it. */
  readonly id: number | undefined;
  /** When what is stored under its name was last confirmed, whoever's it is, in milliseconds; undefined while nothing is. */
  readonly checkedAt: number | undefined;
  readonly proofs: readonly CoverageInterval[];
  readonly walk: PaginationRun | undefined;
  /** How its feed stands to it; undefined when it is not followed. */
  readonly follow: Follow | undefined;
  /** Counts the rows that are stored inside of bounds of the window column; of all without them. */
  readonly count: (window?: { readonly from: string | number; readonly to: string | number }) => Promise<number>;
}

/** Moments and limits that hold for a whole plan. */
export interface PlanTime {
  /** Milliseconds. */
  readonly now: number;
  /** The newest day that the service told of, where that is known: our clock may be behind. */
  readonly today?: string;
  /** Milliseconds that a series may be old before it is asked again; its own freshness when left out. */
  readonly maxAge?: number;
  /** Everything that may be corrected is asked for, due or not. */
  readonly check?: boolean;
}

/** Nothing could be had of this series without a key. */
export function lacksKey({ target, access }: SeriesState): boolean {
  return access === 'keyless' && !isSameForAll(target.endpoint.access) && needsKey(target.endpoint.access, target.args);
}

/** Whether what was proven at a moment need not be asked again. A clock that went back makes nothing fresh. */
export function isFresh({ target, access }: SeriesState, { now, maxAge }: PlanTime, provenAt: number): boolean {
  const { endpoint } = target;
  const seconds = freshFor(endpoint, now);
  const own =
    (access === 'keyless' && endpoint.access.delayed ? Math.min(seconds, DELAY_STEP_SECONDS) : seconds) * 1000;
  const age = now - provenAt;
  return age >= 0 && age < (maxAge ?? own);
}

/** When the newest of some proofs was made; undefined when there is none. */
export function newestInterval(proofs: readonly CoverageInterval[]): number | undefined {
  return proofs.length === 0 ? undefined : Math.max(...proofs.map(({ provenAt }) => provenAt));
}
