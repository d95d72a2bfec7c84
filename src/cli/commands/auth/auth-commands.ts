import { type CommandDeclaration, lazy } from '../command.ts';
import { GENERAL, LISTING } from '../common-options.ts';

/** Commands about the keys of services. */
export const AUTH_COMMANDS: readonly CommandDeclaration[] = [
  {
    path: ['auth', 'login'],
    summary: 'Store the API key of a service; typing does not show it',
    options: GENERAL,
    examples: ['auth login', 'auth login --base-url https://api.example.com < key.txt'],
    run: lazy(() => import('./auth.ts'), 'login'),
  },
  {
    path: ['auth', 'logout'],
    summary: 'Forget the API key of a service',
    options: GENERAL,
    examples: ['auth logout', 'auth logout --base-url https://api.example.com'],
    run: lazy(() => import('./auth.ts'), 'logout'),
  },
  {
    path: ['auth', 'status'],
    summary: 'Which key goes to which service',
    options: LISTING,
    examples: ['auth status', 'auth status --format json'],
    run: lazy(() => import('./auth.ts'), 'status'),
  },
];
