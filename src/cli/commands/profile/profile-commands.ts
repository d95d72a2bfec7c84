import { type CommandDeclaration, lazy, type OptionSpec } from '../command.ts';
import { GENERAL, LISTING, STREAM_ADDRESS } from '../common-options.ts';

/** What stands before the names of the service's own headers. */
export const HEADER_PREFIX: OptionSpec = {
  name: 'header-prefix',
  value: 'WORD',
  doc: 'start of the service’s own header names; default X-SVC',
};

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
    path: ['profile', 'presets'],
    summary: 'Services that macro init knows by a name, and where to add one',
    options: LISTING,
    examples: ['profile presets', 'profile presets --format json'],
    run: lazy(() => import('./profile.ts'), 'listPresets'),
  },
  {
    path: ['profile', 'use'],
    summary: 'Take a profile when none is named',
    words: [{ name: 'name', doc: 'name of a profile', from: 'profiles' }],
    options: GENERAL,
    changes: true,
    examples: ['profile use work', 'profile use home'],
    changesWords: true,
    run: lazy(() => import('./profile.ts'), 'chooseProfile'),
  },
  {
    path: ['profile', 'add'],
    summary: 'Add a service, or change its address',
    words: [{ name: 'name', doc: 'name of the profile' }],
    options: [STREAM_ADDRESS, HEADER_PREFIX, ...GENERAL],
    changes: true,
    examples: [
      'profile add work --base-url https://api.example.com',
      'profile add local --base-url http://127.0.0.1:8787 --mirror local.db',
    ],
    changesWords: true,
    run: lazy(() => import('./profile.ts'), 'addProfile'),
  },
  {
    path: ['profile', 'remove'],
    summary: 'Remove a profile; its mirror and key stay',
    words: [{ name: 'name', doc: 'name of a profile', from: 'profiles' }],
    options: GENERAL,
    changes: true,
    examples: ['profile remove work', 'profile remove local --quiet'],
    changesWords: true,
    run: lazy(() => import('./profile.ts'), 'removeProfile'),
  },
];
