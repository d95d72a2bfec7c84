import { nearest } from '../../../contract/words/nearest.ts';
import { MacroError } from '../../../errors.ts';
import type { App } from '../../app/app.ts';
import { completionScript } from '../../completion/script.ts';
import { SHELLS } from '../../completion/shells.ts';
import type { Call } from '../command.ts';
import { onlyWord } from '../only-word.ts';
import { COMMANDS } from '../tree.ts';

/** Prints the completion script of a shell. */
export async function printCompletion(app: App, call: Call): Promise<void> {
  const word = onlyWord(call, 'completion', 'SHELL').toLowerCase();
  const shell = SHELLS.find((known) => known === word);
  if (!shell) {
    const close = nearest(word, SHELLS);
    throw new MacroError('usage', `There is no completion for '${word}'.`, {
      hint: `${close ? `Did you mean ${close}? ` : ''}Shells are ${SHELLS.join(', ')}.`,
    });
  }
  await app.printText(completionScript(shell, COMMANDS));
}
