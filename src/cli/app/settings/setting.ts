import { MacroError, retold } from '../../../errors.ts';

/** A value and where it came from. */
export interface Setting<T> {
  readonly value: T;
  readonly from: string;
}

/** Takes a setting as what it means; whoever gave one that cannot be taken hears where it stands. */
export function taken<T>({ value, from }: Setting<string>, read: (value: string) => T): T {
  try {
    return read(value);
  } catch (error) {
    throw error instanceof MacroError ? refusalFrom(from, error) : error;
  }
}

/** The same for a setting that is taken by more than a look; `from` is undefined for what was typed. */
export async function takenLater<T>(from: string | undefined, taking: Promise<T>): Promise<T> {
  try {
    return await taking;
  } catch (error) {
    const isRefused = from !== undefined && error instanceof MacroError && error.kind === 'usage';
    throw isRefused ? refusalFrom(from, error) : error;
  }
}

/** The refusal of a setting, with where it stands. */
export function refusalFrom(from: string, error: MacroError): MacroError {
  return retold(error, `It comes from ${from}.`);
}
