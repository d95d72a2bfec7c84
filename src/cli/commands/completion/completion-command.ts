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

/** Puts such a script where the shell finds it. */
export const COMPLETION_INSTALL_COMMAND: CommandDeclaration = {
  path: ['completion', 'install'],
  summary: 'Install the completion of a shell for this user; without a word of the shell that is in use',
  words: [{ name: 'shell', doc: 'shell', words: SHELLS, optional: true }],
  options: GENERAL,
  changes: true,
  examples: ['completion install bash', 'completion install zsh --dry-run'],
  changesWords: true,
  run: lazy(() => import('./install.ts'), 'installCompletion'),
};
