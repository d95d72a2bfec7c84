import { NO_CHECK } from '../auth/auth-commands.ts';
import { type CommandDeclaration, lazy } from '../command.ts';
import { GENERAL } from '../common-options.ts';

/** Sets up a service. */
export const INIT_COMMAND: CommandDeclaration = {
  path: ['init'],
  summary: 'Choose a service and keep its address and key',
  options: [{ name: 'key-stdin', doc: 'read the API key from standard input' }, NO_CHECK, ...GENERAL],
  examples: ['init', 'init --base-url https://api.example.com --profile work --yes'],
  run: lazy(() => import('./init.ts'), 'init'),
};
