import type { CommandSpec } from '../commands/command.ts';
import { bashScript } from './bash.ts';
import { fishScript } from './fish.ts';
import { completionPositions } from './model.ts';
import { powershellScript } from './powershell.ts';
import type { Shell } from './shells.ts';
import { zshScript } from './zsh.ts';

/** The script that completes these commands in a shell. It holds every word itself: a Tab never starts a program. */
export function completionScript(shell: Shell, commands: readonly CommandSpec[]): string {
  const places = completionPositions(commands);
  switch (shell) {
    case 'bash':
      return bashScript(places);
    case 'zsh':
      return zshScript(places);
    case 'fish':
      return fishScript(places);
    case 'powershell':
      return powershellScript(places);
  }
}
