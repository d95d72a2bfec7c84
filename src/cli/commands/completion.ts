import { dirname, join } from 'node:path';
import type { App } from '../app/app.ts';
import { COMPLETION_SCRIPTS } from '../completion/scripts.ts';
import { SHELLS } from '../completion/shells.ts';
import { readWord } from '../parse/options.ts';
import { wrongWords } from '../parse/question.ts';
import type { Call, CommandDeclaration } from './command.ts';
import { onlyWord } from './require.ts';

export default [
  {
    path: ['completion'],
    summary: 'Print the completion script of a shell',
    words: `shell (${SHELLS.join('|')}): shell`,
    examples: ['completion bash', 'completion zsh'],
    run: async (app, call) =>
      app.printText(COMPLETION_SCRIPTS[readWord(onlyWord(call, 'completion', 'SHELL'), SHELLS, 'SHELL')]),
  },
  {
    path: ['completion', 'install'],
    summary: 'Install completion for this user; default: the shell in use',
    words: `[shell] (${SHELLS.join('|')}): shell`,
    changes: true,
    examples: ['completion install bash', 'completion install zsh --dry-run'],
    changesWords: true,
    run: installCompletion,
  },
] satisfies readonly CommandDeclaration[];

/** Below the home folder; `next` is what the shell does not do by itself. */
const TARGETS = {
  bash: {
    path: '.local/share/bash-completion/completions/macro',
    next: 'Open a new shell. Without the package bash-completion, put this into ~/.bashrc once: . ~/.local/share/bash-completion/completions/macro',
  },
  zsh: {
    path: '.zfunc/_macro',
    next: 'Put this into ~/.zshrc once: fpath=(~/.zfunc $fpath); autoload -U compinit; compinit',
  },
  fish: { path: '.config/fish/completions/macro.fish', next: 'Open a new shell.' },
  powershell: {
    path: '.config/powershell/macro.ps1',
    next: 'Put this into $PROFILE once: . ~/.config/powershell/macro.ps1',
  },
} as const;

/** Installs for the shell that is named, else for that of the environment. @throws MacroError of kind `usage`. */
async function installCompletion(app: App, call: Call): Promise<void> {
  const [word, ...rest] = call.words;
  const own = app.platform.env.SHELL?.split('/').at(-1);
  if (rest.length > 0 || (word === undefined && !SHELLS.some((known) => known === own)))
    throw wrongWords(
      'The shell is not known, so nothing is installed.',
      `Name it: macro completion install ${SHELLS.join(' | ')}`,
    );
  const shell = readWord(word ?? own ?? '', SHELLS, 'SHELL');
  const { path, next } = TARGETS[shell];
  const { files, home } = app.platform;
  const target = join(home, path);
  const script = COMPLETION_SCRIPTS[shell];
  const done = await app.change(`write ${target}`, () => {
    files.makeFolder(dirname(target));
    files.write(target, script);
  });
  if (!done) return;
  await app.note(`Completion for ${shell} is in ${target}. ${next}`, 'completion_installed');
}
