import { SHELLS } from '../../completion/shells.ts';
import { type CommandDeclaration, lazy } from '../command.ts';
import { GENERAL } from '../common-options.ts';

/** Prints completion scripts. */
export const COMPLETION_COMMAND: CommandDeclaration = {
  path: ['completion'],
  summary: 'Completion script of a shell',
  words: [{ name: 'shell', doc: 'shell', words: SHELLS }],
  options: GENERAL,
  examples: ['completion bash', 'completion zsh'],
  run: lazy(() => import('./completion.ts'), 'printCompletion'),
};
