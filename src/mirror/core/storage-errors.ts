import { MacroError } from '../../errors.ts';

/** What an error of an engine means: what happened and what to do, for a person, and the word for a program. */
export type Meaning = readonly [happened: string, hint: string, code?: MirrorTrouble];

type MirrorTrouble =
  | 'mirror_locked'
  | 'mirror_unreachable'
  | 'mirror_full'
  | 'mirror_damaged'
  | 'mirror_foreign'
  | 'mirror_unusable';

/** A damaged file or a full disk does not pass by itself: whoever waits for it is told too late. */
const PASSING: readonly MirrorTrouble[] = ['mirror_locked', 'mirror_unreachable'];

/** The error that tells what an error of an engine means. */
export function storageErrorOf(
  name: string,
  [happened, hint, code = 'mirror_unusable']: Meaning,
  cause?: Error,
): MacroError {
  return new MacroError('mirror', `The mirror ${name} ${happened}.`, { hint, code, cause });
}

/** Another program is done with the mirror sooner or later, and a server that is started anew is there again. */
export function isTransientFailure(error: unknown): boolean {
  return error instanceof MacroError && PASSING.some((code) => code === error.code);
}
