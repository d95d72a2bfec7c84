import { MacroError } from '../../errors.ts';
import type { App } from '../app/app.ts';
import { fieldNames } from './command.ts';

export const DIAGNOSIS = 'check text, state ok|note|problem, says text, do text?';

/** What one check found. A problem ends the command with its error, after all checks are printed. */
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
export async function checkSafely(
  check: string,
  run: () => Promise<readonly Diagnosis[]> | readonly Diagnosis[],
): Promise<readonly Diagnosis[]> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof MacroError) || error.kind === 'interrupted') throw error;
    return [problemOf(check, error)];
  }
}

/** Prints one line for each check. @throws MacroError the first problem found, after the lines are printed. */
export async function printChecks(
  app: App,
  checks: readonly Diagnosis[],
  listed: { readonly title: readonly string[]; readonly beside?: Readonly<Record<string, unknown>> },
): Promise<void> {
  const rows = checks.map(({ error: _, ...found }) => ({ ...found, do: found.do ?? null }));
  await app.list({ columns: fieldNames(DIAGNOSIS), rows, ...listed });
  const broken = checks.find(({ error }) => error);
  if (broken?.error) throw broken.error;
}
