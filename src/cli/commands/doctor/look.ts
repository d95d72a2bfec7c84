// What a look of the doctor finds.
import { MacroError } from '../../../errors.ts';

/** What one look found. A problem ends the command with its error, after all looks are printed. */
export interface Diagnosis {
  readonly check: string;
  readonly state: 'ok' | 'note' | 'problem';
  readonly says: string;
  /** What mends it, as a command or a sentence. */
  readonly do?: string | undefined;
  readonly error?: MacroError;
}

export function fine(check: string, says: string): Diagnosis {
  return { check, state: 'ok', says };
}

export function noteOf(check: string, says: string, cure: string): Diagnosis {
  return { check, state: 'note', says, do: cure };
}

/** A problem; `cure` where something better than the hint of the error is known. */
export function problemOf(check: string, error: MacroError, cure = error.hint): Diagnosis {
  return { check, state: 'problem', says: error.message, do: cure, error };
}

/** Looks, and makes a problem of an error that is thrown on the way. */
export async function lookSafely(
  check: string,
  look: () => Promise<readonly Diagnosis[]> | readonly Diagnosis[],
): Promise<readonly Diagnosis[]> {
  try {
    return await look();
  } catch (error) {
    if (!(error instanceof MacroError) || error.kind === 'interrupted') throw error;
    return [problemOf(check, error)];
  }
}
