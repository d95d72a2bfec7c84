import type { KeyValue } from '../../mirror/api/rows.ts';
import type { SyncTarget } from '../series/target.ts';

/**
 * Why a request is made, in the order in which a run makes them. `changes`: what has happened since the last position of a
 * feed. `head`: the newest rows. `check`: what the publisher may still correct, though no feed named it. `gap`: what is not
 * proven between proven stretches. `backfill`: what is not proven before them.
 */
type Reason = 'changes' | 'head' | 'check' | 'gap' | 'backfill';

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
  /** Nobody asked for this series: it spares requests to others. */
  readonly implied?: true;
  /** A sentence for people. */
  readonly why: string;
}

/** A step with what it costs. */
export interface PlannedRequest extends Step {
  /** Requests when nothing changes meanwhile. */
  readonly requests: number;
  /** There may be more, as the first page tells. */
  readonly open: boolean;
}

/** Stages of a run: every series passes one before any enters the next. */
export function phaseOf({ reason }: Step): number {
  if (reason === 'changes') return 0;
  if (reason === 'head' || reason === 'check') return 1;
  return reason === 'gap' ? 2 : 3;
}
