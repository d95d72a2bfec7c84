import { type CommandDeclaration, lazy } from '../command.ts';
import { GENERAL, LISTING } from '../common-options.ts';

/** Commands about the mirror file itself. */
export const MIRROR_COMMANDS: readonly CommandDeclaration[] = [
  {
    path: ['mirror', 'status'],
    summary: 'Series in the mirror, their rows, range and coverage',
    options: LISTING,
    examples: ['mirror status', 'mirror status --format json'],
    run: lazy(() => import('./status.ts'), 'showMirror'),
  },
  {
    path: ['mirror', 'path'],
    summary: 'Where the mirror file is',
    options: GENERAL,
    examples: ['mirror path', 'mirror path --mirror rates.db'],
    run: lazy(() => import('./path.ts'), 'showMirrorPath'),
  },
  {
    path: ['mirror', 'verify'],
    summary:
      'Check every row, checksum and coverage record of the mirror, offline: exit 0 as written, 9 altered, 8 damaged',
    words: [{ name: 'words', doc: 'only series whose name has all of these words', optional: true, many: true }],
    options: LISTING,
    examples: ['mirror verify', 'mirror verify fx eur --format json'],
    run: lazy(() => import('./verify.ts'), 'runVerify'),
  },
  {
    path: ['mirror', 'backup'],
    summary: 'Copy the mirror into one file, also while a sync writes it',
    words: [{ name: 'file', doc: 'the new file; one that is there is replaced with --yes only', file: true }],
    options: LISTING,
    changes: true,
    examples: ['mirror backup macro-backup.db', 'mirror backup /tmp/macro-backup.db --yes'],
    run: lazy(() => import('./backup.ts'), 'runBackup'),
  },
  {
    path: ['mirror', 'restore'],
    summary: 'Put a backup in the place of the mirror, after checking every row of it',
    words: [
      {
        name: 'file',
        doc: 'the backup; a mirror that is there is kept under another name, with --yes only',
        file: true,
      },
    ],
    options: LISTING,
    changes: true,
    examples: ['mirror restore macro-backup.db', 'mirror restore /tmp/macro-backup.db --yes'],
    changesWords: true,
    run: lazy(() => import('./restore.ts'), 'runRestore'),
  },
  {
    path: ['mirror', 'compact'],
    summary: 'Give unused room of the mirror file back to the disk',
    options: LISTING,
    changes: true,
    examples: ['mirror compact', 'mirror compact --mirror rates.db'],
    run: lazy(() => import('./compact.ts'), 'runCompact'),
  },
  {
    path: ['mirror', 'rebuild'],
    summary: 'Make the tables of the mirror anew from the stored texts, without a request',
    options: LISTING,
    changes: true,
    examples: ['mirror rebuild', 'mirror rebuild --mirror rates.db'],
    changesWords: true,
    run: lazy(() => import('./rebuild.ts'), 'runRebuild'),
  },
];
