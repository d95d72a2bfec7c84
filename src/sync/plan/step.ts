import { DELAY_STEP_SECONDS, isSameForAll, needsKey } from '../../contract/access.ts';
import { freshFor } from '../../contract/endpoint.ts';
import type { Follow, UnfinishedWalk } from '../../mirror/api/page-commit.ts';
import type { AccessTag, KeyValue, SeriesCheck, StoredCoverage } from '../../mirror/api/series.ts';
import type { Announced } from '../feeds.ts';
import type { SyncTarget } from '../series/select.ts';

/**
 * Why a request is made, in order: feed (`changes`), newest rows (`head`), corrections (`check`), the whole series
 * (`proof`), between covered ranges (`gap`), before them (`backfill`).
 */
type Reason = 'changes' | 'head' | 'check' | 'proof' | 'gap' | 'backfill';

/** One question of a run, of as many pages as it takes. */
export interface Step {
  readonly target: SyncTarget;
  readonly reason: Reason;
  /** Bounds of the window, both included; none where the endpoint has no window. */
  readonly window?: { readonly from: KeyValue; readonly to: KeyValue };
  /** Only the newest page is asked for at this stage: the backfill goes on from there. */
  readonly firstPage?: true;
  /** A walk over this window goes on where an earlier run stopped. */
  readonly resumes?: true;
  /** With it the series is where its feed stands; `checked` when all that may be corrected was asked for. */
  readonly follows?: { readonly checked: boolean };
  /** The findings of earlier checks of the whole series. */
  readonly check?: SeriesCheck;
  /** Where no version shows that nothing has changed, all of it is read; `full`: in any case. */
  readonly isStrict?: true | 'full';
  /** Why more is read than one request tells. */
  readonly doubts?: readonly string[];
  /** Nobody asked for this series: it spares requests to others. */
  readonly implied?: true;
  /** A sentence for people. */
  readonly why: string;
}

export interface PlannedRequest extends Step {
  /** Requests when nothing changes meanwhile. */
  readonly requests: number;
  /** There may be more, as the first page tells. */
  readonly open: boolean;
}

/** The facts of a plan about one series: its stored rows and its coverage. */
export interface SeriesState {
  readonly target: SyncTarget;
  /** The access under which its answers are stored. */
  readonly access: AccessTag;
  /** Undefined while the mirror has nothing of it. */
  readonly id: number | undefined;
  /** When the stored rows of this name, from any origin, were last confirmed (milliseconds); undefined without rows. */
  readonly checkedAt: number | undefined;
  readonly coveredRanges: readonly StoredCoverage[];
  readonly walk: UnfinishedWalk | undefined;
  /** How its feed stands to it; undefined when it is not followed. */
  readonly follow: Follow | undefined;
  /** The findings of checks of the whole series; undefined while not all of it is stored. */
  readonly check: SeriesCheck | undefined;
  /** Announced changes that no check has compared with the rows. */
  readonly announced: () => Promise<Announced>;
  /** Counts the rows that are stored inside of bounds of the window column; of all without them. */
  readonly count: (window?: { readonly from: string | number; readonly to: string | number }) => Promise<number>;
}

/** Moments and limits that hold for a whole plan. */
export interface PlanTime {
  /** Milliseconds. */
  readonly now: number;
  /** The newest day that the service named, if known: our clock may be behind. */
  readonly today?: string | undefined;
  /** Milliseconds that a series may be old before it is asked again; its own freshness when left out. */
  readonly maxAge?: number | undefined;
  /** Everything that may be corrected is asked for, due or not. */
  readonly check?: boolean | undefined;
  /** Every series is read whole. */
  readonly full?: boolean | undefined;
}

/** Stages of a run: every series passes one before any enters the next. */
export function phaseOf({ reason }: Step): number {
  if (reason === 'changes') return 0;
  if (reason === 'head' || reason === 'check' || reason === 'proof') return 1;
  return reason === 'gap' ? 2 : 3;
}

/** Nothing could be had of this series without a key. */
export function isKeyMissing({ target, access }: SeriesState): boolean {
  return access === 'keyless' && !isSameForAll(target.endpoint.access) && needsKey(target.endpoint.access, target.args);
}

/** True if a check of a moment is recent enough to send no request. A clock that went back makes nothing fresh. */
export function isFresh({ target, access }: SeriesState, { now, maxAge }: PlanTime, checkedAt: number): boolean {
  const { endpoint } = target;
  const seconds = freshFor(endpoint, now);
  const own =
    (access === 'keyless' && endpoint.access.delayed ? Math.min(seconds, DELAY_STEP_SECONDS) : seconds) * 1000;
  const age = now - checkedAt;
  return age >= 0 && age < (maxAge ?? own);
}

/** When the newest of some covered ranges was checked; undefined when there is none. */
export function newestInterval(coveredRanges: readonly StoredCoverage[]): number | undefined {
  return coveredRanges.length === 0 ? undefined : Math.max(...coveredRanges.map(({ checkedAt }) => checkedAt));
}
