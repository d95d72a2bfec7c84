import { KEYLESS_DAYS, releaseCutoff } from '../../contract/access.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import type { Caller } from '../../contract/hooks.ts';
import type { Args } from '../../contract/params/param.ts';
import { addDays, dateOf } from '../../contract/time/time.ts';

/** What a caller may see of an answer. */
export interface Visibility {
  /** The arguments with the window clipped to what the caller may see. */
  readonly args: Args;
  /** First reference date that the caller may see, and whether the asked window went beyond it. */
  readonly window: { readonly cutoffDate: string; readonly clipped: boolean } | undefined;
  /** Newest release time (Unix seconds) that the caller may see. */
  readonly cutoff: number | undefined;
}

/**
 * The keyless rules of docs/interface.md#access: the window is clipped to the last 90 days, not refused, and a release
 * is readable 15 minutes after its publication on a five-minute grid. Nobody else is limited.
 */
export function visibilityOf(endpoint: Endpoint, args: Args, caller: Caller, now: number): Visibility {
  if (caller.kind !== 'keyless') return { args, window: undefined, cutoff: undefined };
  const cutoff = endpoint.access.delayed ? releaseCutoff(Math.floor(now / 1000)) : undefined;
  if (!endpoint.access.window) return { args, window: undefined, cutoff };
  const cutoffDate = addDays(dateOf(now), -KEYLESS_DAYS);
  const start = args.start_date;
  const clipped = typeof start === 'string' && start < cutoffDate;
  return { args: clipped ? { ...args, start_date: cutoffDate } : args, window: { cutoffDate, clipped }, cutoff };
}
