import { MacroError } from '../../errors.ts';
import type { Platform } from '../../platform/platform.ts';

/** Variables that hold a secret of ours. A command that deals with an event needs none of them. */
export const SECRET_VARIABLES = [
  'MACRO_API_KEY',
  'FXMACRODATA_API_KEY',
  'FXMD_API_KEY',
  'MACRO_WEBHOOK_SECRET',
] as const;

/**
 * The environment of a command of the user's: ours without our secrets, except for those that were named. Names are compared
 * without regard to case, as Windows does.
 */
export function childEnv({ env }: Pick<Platform, 'env'>, passed: readonly string[]): Platform['env'] {
  const named = new Set(passed.map((name) => name.toUpperCase()));
  const stored = new Set<string>(SECRET_VARIABLES.filter((name) => !named.has(name)));
  return Object.fromEntries(Object.entries(env).filter(([name]) => !stored.has(name.toUpperCase())));
}

/**
 * Reads a list of variables.
 * @throws MacroError of kind `usage` for what cannot be the name of one.
 */
export function readVariableNames(text: string): readonly string[] {
  const names = text.split(',').map((name) => name.trim());
  const wrong = names.find((name) => !/^[A-Za-z_]\w*$/.test(name));
  if (wrong === undefined) return names;
  // What stands here may be a value, and so a secret: it is not repeated.
  throw new MacroError('usage', '--exec-env takes names of variables, separated by commas.', {
    code: 'bad_arguments',
    hint: `For example --exec-env MACRO_API_KEY. Variables that are held back otherwise: ${SECRET_VARIABLES.join(', ')}.`,
  });
}
