import { isoSeconds } from '../../contract/time/time.ts';
import { MacroError } from '../../errors.ts';
import type { Clock } from '../../platform/platform.ts';

/** The meaning of an error of an engine: the event and the cure for a person, and the code for a program. */
export type Meaning = readonly [happened: string, hint: string, code?: MirrorTrouble];

type MirrorTrouble =
  | 'mirror_locked'
  | 'mirror_unreachable'
  | 'mirror_full'
  | 'mirror_damaged'
  | 'mirror_foreign'
  | 'mirror_unusable';

/** A damaged file or a full disk does not pass by itself, so waiting helps nobody. */
const PASSING: readonly MirrorTrouble[] = ['mirror_locked', 'mirror_unreachable'];

/** How long a mirror that another program keeps is tried again. */
export interface RetryPolicy {
  /** Milliseconds between two tries. */
  readonly pause: number;
  /** Milliseconds for all of them. */
  readonly longest: number;
  readonly signal?: AbortSignal;
}

const DEFAULT_POLICY: RetryPolicy = { pause: 1_000, longest: 30_000 };

/** The error that tells what an error of an engine means. */
export function storageErrorOf(
  name: string,
  [happened, hint, code = 'mirror_unusable']: Meaning,
  cause?: Error,
  retryAfter?: number,
): MacroError {
  const again = retryAfter !== undefined && { retryAfter };
  return new MacroError('mirror', `The mirror ${name} ${happened}.`, { hint, code, cause, ...again });
}

/** Another program is done with the mirror sooner or later, and a server that is started anew is there again. */
export function isTransientFailure(error: unknown): boolean {
  return error instanceof MacroError && PASSING.some((code) => code === error.code);
}

/** Works on a mirror that may be locked, or whose server restarts: received data must not be lost. */
export async function retrying<T>(
  clock: Pick<Clock, 'now' | 'sleep'>,
  work: () => Promise<T>,
  { pause, longest, signal }: RetryPolicy = DEFAULT_POLICY,
): Promise<T> {
  const end = clock.now() + longest;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isTransientFailure(error) || clock.now() >= end) throw error;
      await clock.sleep(pause, signal);
    }
  }
}

/** Who has a lock, for people, and since when; `until`, where a dead program would still have it for a while. Milliseconds. */
export interface HolderOfLock {
  readonly name: string;
  readonly since: number;
  readonly until?: number;
}

/** The refusal of a second program that would be the same consumer. */
export function consumerRunning(path: string, name: string, by?: HolderOfLock): MacroError {
  const who = by ? `: ${holderText(by)}` : '';
  return new MacroError('busy', `The consumer ${name} of ${path} is running already${who}.`, {
    code: 'consumer_running',
    hint: 'End the other program first; a second reader of the same events takes another --consumer NAME.',
  });
}

/** The refusal of a second sync; names who runs the first one. */
export function syncRunning(path: string, by: HolderOfLock | undefined): MacroError {
  return new MacroError('busy', `A sync of ${path} is running already: ${by ? holderText(by) : 'another program'}.`, {
    code: SYNC_RUNNING,
    hint: 'Wait until it is done, or say --wait; questions are answered meanwhile.',
  });
}

/** The code of a lock on syncs that another program has. */
export const SYNC_RUNNING = 'sync_running';

function holderText({ name, since, until }: HolderOfLock): string {
  const timeOf = (ms: number) => isoSeconds(Math.floor(ms / 1000));
  const ends = until === undefined ? '' : `; if it died, its lock ends at ${timeOf(until)}`;
  return `${name}, since ${timeOf(since)}${ends}`;
}

const OTHER_VERSION = {
  newer: 'was written by a newer version of this program',
  older: 'was written by an older version of this program',
  upgraded: 'was upgraded by a newer version of this program while this one used it',
};

/** The refusal of a mirror of another version. `at`: both versions, for people; `other`: what else may be named. */
export function otherVersion(
  name: string,
  kind: keyof typeof OTHER_VERSION,
  { at, other }: { readonly at: string; readonly other: { readonly newer: string; readonly older: string } },
): MacroError {
  const hints = {
    newer: `Update the program, or name ${other.newer}.`,
    older: `Name ${other.older}, then run macro sync or macro import FILE again. First-seen times are lost.`,
    upgraded: 'End this program and start the newer version.',
  };
  const code = kind === 'older' ? 'mirror_older' : 'mirror_newer';
  return new MacroError('mirror', `The mirror ${name} ${OTHER_VERSION[kind]} (${at}).`, { code, hint: hints[kind] });
}
