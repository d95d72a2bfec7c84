import { type CommandDeclaration, lazy } from '../command.ts';
import { GENERAL, LISTING, STREAM_ADDRESS } from '../common-options.ts';

/** Commands about the services that were added. */
export const PROFILE_COMMANDS: readonly CommandDeclaration[] = [
  {
    path: ['profile', 'list'],
    summary: 'Services that were added',
    options: LISTING,
    examples: ['profile list', 'profile list --format json'],
    run: lazy(() => import('./profile.ts'), 'listProfiles'),
  },
  {
    path: ['profile', 'use'],
    summary: 'Take a profile when none is named',
    words: [{ name: 'name', doc: 'name of a profile' }],
    options: GENERAL,
    examples: ['profile use work', 'profile use home'],
    run: lazy(() => import('./profile.ts'), 'chooseProfile'),
  },
  {
    path: ['profile', 'add'],
    summary: 'Add a service, or change its address',
    words: [{ name: 'name', doc: 'name of the profile' }],
    options: [
      STREAM_ADDRESS,
      { name: 'header-prefix', value: 'WORD', doc: 'start of the service’s own header names; default X-SVC' },
      ...GENERAL,
    ],
    examples: [
      'profile add work --base-url https://api.example.com',
      'profile add local --base-url http://127.0.0.1:8787 --mirror local.db',
    ],
    run: lazy(() => import('./profile.ts'), 'addProfile'),
  },
  {
    path: ['profile', 'remove'],
    summary: 'Remove a profile; its mirror and key stay',
    words: [{ name: 'name', doc: 'name of a profile' }],
    options: GENERAL,
    examples: ['profile remove work', 'profile remove local --quiet'],
    run: lazy(() => import('./profile.ts'), 'removeProfile'),
  },
];
