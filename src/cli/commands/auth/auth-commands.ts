import { type CommandDeclaration, lazy, type OptionSpec } from '../command.ts';
import { GENERAL, LISTING } from '../common-options.ts';
import { KEEP_IN, KEEP_REFUSED, KEY_PLACES } from './key-options.ts';

/** The service is asked once whether it answers and accepts the key, unless this is given. */
export const NO_CHECK: OptionSpec = {
  name: 'offline',
  doc: 'leave the service alone: what is typed is kept unchecked',
};

/** Commands about the keys of services. */
export const AUTH_COMMANDS: readonly CommandDeclaration[] = [
  {
    path: ['auth', 'login'],
    summary: 'Store the API key of a service; typing does not show it',
    options: [NO_CHECK, KEEP_IN, KEEP_REFUSED, ...GENERAL],
    changes: true,
    examples: ['auth login', 'auth login --base-url https://api.example.com < key.txt'],
    run: lazy(() => import('./auth.ts'), 'login'),
  },
  {
    path: ['auth', 'logout'],
    summary: 'Forget the API key of a service',
    options: GENERAL,
    changes: true,
    examples: ['auth logout', 'auth logout --base-url https://api.example.com'],
    run: lazy(() => import('./auth.ts'), 'logout'),
  },
  {
    path: ['auth', 'move'],
    summary: 'Move the stored key into the keychain of the system, or out of it into a file',
    words: [{ name: 'place', doc: 'where it is kept from now on', words: KEY_PLACES }],
    options: GENERAL,
    changes: true,
    examples: ['auth move file', 'auth move keychain'],
    run: lazy(() => import('./auth.ts'), 'moveKey'),
  },
  {
    path: ['auth', 'status'],
    summary: 'Which key goes to which service',
    options: LISTING,
    examples: ['auth status', 'auth status --format json'],
    run: lazy(() => import('./auth.ts'), 'status'),
  },
];
