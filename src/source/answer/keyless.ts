import { DELAY_SECONDS, KEYLESS_DAYS, readableAt, releaseCutoff } from '../../contract/access.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import type { Caller, Envelope, ServiceLabels } from '../../contract/hooks.ts';
import { isJsonObject, type JsonObject } from '../../contract/json/json.ts';
import type { Args } from '../../contract/params/param.ts';
import { addDays, dateOf, isoSeconds } from '../../contract/time/time.ts';

/** Members that only keyless answers carry; a stored one is never shown to anybody else. */
export const KEYLESS_MEMBERS: readonly string[] = ['freemium_window', 'freemium_delay'];

/** The part of an answer that a caller may see. */
export interface Visibility {
  /** The arguments with the window clipped to what the caller may see. */
  readonly args: Args;
  /** First reference date that the caller may see, and whether the asked window went beyond it. */
  readonly window: { readonly cutoffDate: string; readonly clipped: boolean } | undefined;
  /** Newest release time (Unix seconds) that the caller may see. */
  readonly cutoff: number | undefined;
}

/** Data that an answer leaves out for a keyless caller. */
export interface LeftOut {
  /** Release times, Unix seconds. */
  readonly withheld?: readonly number[] | undefined;
  /** Rows from before the keyless window were left out. */
  readonly clipped?: boolean | undefined;
  /** The members as they were received. */
  readonly stored?: JsonObject;
}

/** Members for a keyless caller about left-out rows. Unknown stored members stay. */
export function keylessMembers(
  { window, cutoff }: Visibility,
  { withheld = [], clipped = false, stored: { freemium_window: stated } = {} }: LeftOut,
  labels: ServiceLabels,
): Envelope {
  const stored = isJsonObject(stated) ? stated : undefined;
  return {
    ...(window &&
      (window.clipped || clipped) && {
        freemium_window: {
          message: `Keyless access covers the last ${KEYLESS_DAYS} days.`,
          ...stored,
          applied: true,
          max_days: KEYLESS_DAYS,
          cutoff_date: window.cutoffDate,
        },
      }),
    ...(cutoff !== undefined && { freemium_delay: delayMember(cutoff, withheld, labels) }),
  };
}

function delayMember(cutoff: number, withheld: readonly number[], labels: ServiceLabels): Envelope {
  const next = withheld.length > 0 ? readableAt(Math.min(...withheld)) : undefined;
  const minutes = DELAY_SECONDS / 60;
  const subject = withheld.length === 1 ? '1 release is' : `${withheld.length} releases are`;
  return {
    applied: true,
    delay_seconds: DELAY_SECONDS,
    delay_minutes: minutes,
    cutoff,
    cutoff_iso: isoSeconds(cutoff),
    withheld_count: withheld.length,
    next_available_at: next ?? null,
    next_available_at_iso: next === undefined ? null : isoSeconds(next),
    message:
      withheld.length === 0
        ? `Keyless answers show a release ${minutes} minutes after its publication.`
        : `${subject} inside the ${minutes}-minute keyless delay.`,
    subscribe_url: labels.subscribeUrl,
  };
}

/** The keyless rules of docs/interface-access.md#access: 90 days, and releases after 15 minutes on a five-minute grid. */
export function visibilityOf(endpoint: Endpoint, args: Args, caller: Caller, now: number): Visibility {
  if (caller.kind !== 'keyless') return { args, window: undefined, cutoff: undefined };
  const cutoff = endpoint.access.delayed ? releaseCutoff(Math.floor(now / 1000)) : undefined;
  if (!endpoint.access.window) return { args, window: undefined, cutoff };
  const cutoffDate = addDays(dateOf(now), -KEYLESS_DAYS);
  const start = args.start_date;
  const clipped = typeof start === 'string' && start < cutoffDate;
  return { args: clipped ? { ...args, start_date: cutoffDate } : args, window: { cutoffDate, clipped }, cutoff };
}
