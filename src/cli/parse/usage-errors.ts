import { MacroError } from '../../errors.ts';

/** A refusal of the command-line parser in our own words: what was wrong, and the nearest legal word. */
export function usageError(code: string, message: string): MacroError {
  const [first = '', ...rest] = message.replace(/^error: /, '').split('\n');
  const close = /^\(Did you mean (?:one of )?(.+?)\?\)$/.exec(rest.join(' ').trim())?.[1];
  // What stands behind an equals sign could be a secret.
  const told = first.replace(/(--?[^\s='"]+)=[^'"]*/, '$1');
  return new MacroError('usage', `${told.charAt(0).toUpperCase()}${told.slice(1).replace(/\.$/, '')}.`, {
    code: code.replace('commander.', '').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    hint: close ? `Did you mean ${close}?` : 'Run macro --help, or the command with --help, for what is legal.',
  });
}
