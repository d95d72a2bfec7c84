import { dirname } from 'node:path';
import { type MacroError, unlessRefused } from '../../errors.ts';
import type { Files } from '../../platform/platform.ts';
import type { App } from '../app/app.ts';

export const DIAGNOSIS = 'check text, state ok|note|problem, says text, do text?';

/** The finding of one check. A problem ends the command with its error, after all checks are printed. */
export interface Diagnosis {
  readonly check: string;
  readonly state: 'ok' | 'note' | 'problem';
  readonly says: string;
  /** The cure, as a command or a sentence. */
  readonly do?: string | undefined;
  readonly error?: MacroError;
}

/** The possible findings of a check of this name. A problem has `cure` if there is better advice than its hint. */
export function findings(check: string) {
  return {
    fine: (says: string): Diagnosis => ({ check, state: 'ok', says }),
    note: (says: string, cure: string): Diagnosis => ({ check, state: 'note', says, do: cure }),
    problem: (error: MacroError, cure = error.hint): Diagnosis => {
      return { check, state: 'problem', says: error.message, do: cure, error };
    },
  };
}

type Found = Diagnosis | readonly Diagnosis[];

/** Looks, and makes a problem of an error that is thrown on the way. */
export async function checkSafely(check: string, run: () => Promise<Found> | Found): Promise<readonly Diagnosis[]> {
  return [await unlessRefused(run, findings(check).problem)].flat();
}

/** Milliseconds by which a clock may differ from the service before releases seem early or late. */
export const MAX_CLOCK_DIFFERENCE_MS = 30_000;

/** `42 s ahead of`, or `behind`. */
export function clockText(ahead: number): string {
  return `${Math.round(Math.abs(ahead) / 1000)} s ${ahead > 0 ? 'ahead of' : 'behind'}`;
}

/** The folder, or the nearest one above it that is there. */
export function presentFolder(folder: string, files: Files): string {
  return files.exists(folder) || dirname(folder) === folder ? folder : presentFolder(dirname(folder), files);
}

/** Prints one line for each check. @throws MacroError the first problem found, after the lines are printed. */
export async function printChecks(
  app: App,
  checks: readonly Diagnosis[],
  listed: { readonly title: readonly string[]; readonly beside?: Readonly<Record<string, unknown>> },
): Promise<void> {
  const rows = checks.map(({ error: _, ...found }) => ({ ...found, do: found.do ?? null }));
  await app.list({ rows, ...listed });
  const broken = checks.find(({ error }) => error);
  if (broken?.error) throw broken.error;
}
