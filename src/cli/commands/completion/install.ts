/** Puts the completion script of a shell where that shell looks for those of its user. */
import { dirname, join } from 'node:path';
import { MacroError } from '../../../errors.ts';
import type { App } from '../../app/app.ts';
import { completionScript } from '../../completion/script.ts';
import { SHELLS } from '../../completion/shells.ts';
import type { Call } from '../command.ts';
import { commandsUnder } from '../tree.ts';
import { completionShell } from './completion.ts';

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

/**
 * Installs for the shell that is named, else for that of the environment.
 * @throws MacroError of kind `usage`.
 */
export async function installCompletion(app: App, call: Call): Promise<void> {
  const [word, ...rest] = call.words;
  const own = app.platform.env.SHELL?.split('/').at(-1);
  if (rest.length > 0 || (word === undefined && !SHELLS.some((known) => known === own)))
    throw new MacroError('usage', 'The shell is not known, so nothing is installed.', {
      code: 'bad_words',
      hint: `Name it: macro completion install ${SHELLS.join(' | ')}`,
    });
  const shell = completionShell(word ?? own ?? '');
  const { path, next } = TARGETS[shell];
  const { files, home } = app.platform;
  const target = join(home, path);
  const done = await app.change(`write ${target}`, () => {
    files.makeFolder(dirname(target));
    files.write(target, completionScript(shell, commandsUnder()));
  });
  if (!done) return;
  await app.note(`Completion for ${shell} is in ${target}. ${next}`, 'completion_installed');
}
