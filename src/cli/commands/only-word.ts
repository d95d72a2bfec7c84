import { MacroError } from '../../errors.ts';
import type { Call } from './command.ts';

/**
 * The one word that a command takes.
 * @throws MacroError of kind `usage`.
 */
export function onlyWord({ words }: Call, command: string, name: string): string {
  const [word] = words;
  if (word !== undefined && words.length === 1) return word;
  throw new MacroError('usage', `macro ${command} takes one word: ${name}.`, {
    code: 'bad_words',
    hint: `See macro ${command} --help.`,
  });
}

/**
 * Refuses words where a command takes none. They are not repeated: one could be a secret.
 * @throws MacroError of kind `usage`.
 */
export function noWords({ words }: Call, command: string): void {
  if (words.length === 0) return;
  throw new MacroError('usage', `macro ${command} takes no words.`, {
    code: 'bad_words',
    hint: `See macro ${command} --help.`,
  });
}
