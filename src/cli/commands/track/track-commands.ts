import { type CommandDeclaration, lazy, type WordSpec } from '../command.ts';
import { GENERAL, LISTING } from '../common-options.ts';
import { SELECTION } from '../sync/selection-word.ts';

const TRACKED: WordSpec = { ...SELECTION, from: 'tracked' };

/** Commands about what every sync keeps up to date. */
export const TRACK_COMMANDS: readonly CommandDeclaration[] = [
  {
    path: ['track', 'add'],
    summary: 'Keep series up to date with every macro sync',
    words: [SELECTION],
    options: GENERAL,
    changes: true,
    examples: ['track add announcements usd inflation, fx eur usd', 'track add usd'],
    changesWords: true,
    run: lazy(() => import('./track.ts'), 'addTracks'),
  },
  {
    path: ['track', 'list'],
    summary: 'What macro sync keeps up to date',
    options: LISTING,
    examples: ['track list', 'track list --format json'],
    run: lazy(() => import('./track.ts'), 'listTracks'),
  },
  {
    path: ['track', 'remove'],
    summary: 'Track series no longer; the mirror keeps what it holds',
    words: [TRACKED],
    options: GENERAL,
    changes: true,
    examples: ['track remove fx eur usd', 'track remove usd'],
    changesWords: true,
    run: lazy(() => import('./track.ts'), 'removeTracks'),
  },
];
