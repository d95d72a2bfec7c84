import { nearest } from '../../../contract/words/nearest.ts';
import { MacroError } from '../../../errors.ts';
import type { App } from '../../app/app.ts';
import { completionScript } from '../../completion/script.ts';
import { SHELLS, type Shell } from '../../completion/shells.ts';
import type { Call } from '../command.ts';
import { onlyWord } from '../only-word.ts';
import { commandsUnder } from '../tree.ts';

/** Prints the completion script of a shell. */
export async function printCompletion(app: App, call: Call): Promise<void> {
  const shell = completionShell(onlyWord(call, 'completion', 'SHELL'));
  await app.printText(completionScript(shell, commandsUnder()));
}

/**
 * The shell of a word, in any letter case.
 * @throws MacroError of kind `usage`.
 */
export function completionShell(typed: string): Shell {
  const word = typed.toLowerCase();
  const shell = SHELLS.find((known) => known === word);
  if (shell) return shell;
  const close = nearest(word, SHELLS);
  throw new MacroError('usage', `There is no completion for '${word}'.`, {
    hint: `${close ? `Did you mean ${close}? ` : ''}Shells are ${SHELLS.join(', ')}.`,
  });
}
