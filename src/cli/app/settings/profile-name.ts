import { MacroError } from '../../../errors.ts';

/** @throws MacroError for a name that a profile cannot have */
export function checkProfileName(name: string): void {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$/.test(name) && name !== '__proto__') return;
  throw new MacroError('usage', `'${name}' cannot be the name of a profile.`, {
    hint: 'Names are letters, digits, dots, dashes and underscores, at most 40.',
  });
}
