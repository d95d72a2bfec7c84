import type { CommandSpec, OptionSpec } from '../command.ts';
import { AVAILABILITY, GENERAL, ROWS } from '../common-options.ts';

const SECTION = 'Mirror';
const LISTING: readonly OptionSpec[] = [...ROWS, ...GENERAL];

/** Commands about the mirror file itself. */
export const MIRROR_COMMANDS: readonly CommandSpec[] = [
  {
    path: ['mirror', 'status'],
    summary: 'Series in the mirror, their rows, range and proof',
    words: [],
    options: LISTING,
    examples: ['mirror status', 'mirror status --format json'],
    section: SECTION,
    run: async (app) => (await import('./status.ts')).showMirror(app),
  },
  {
    path: ['mirror', 'path'],
    summary: 'Where the mirror file is',
    words: [],
    options: GENERAL,
    examples: ['mirror path', 'mirror path --mirror rates.db'],
    section: SECTION,
    run: async (app) => {
      const { requireFile } = await import('./require-held.ts');
      await app.printText(requireFile(app, 'mirror path', 'macro config get mirror prints its address.'));
    },
  },
  {
    path: ['mirror', 'verify'],
    summary: 'Check every row, sum and proof of the mirror, offline: exit 0 as written, 9 altered, 8 damaged',
    words: [{ name: 'words', doc: 'only series whose name has all of these words', optional: true, many: true }],
    options: LISTING,
    examples: ['mirror verify', 'mirror verify fx eur --format json'],
    section: SECTION,
    run: async (app, call) => (await import('./verify.ts')).runVerify(app, call),
  },
  {
    path: ['mirror', 'backup'],
    summary: 'Copy the mirror into one file, also while a sync writes it',
    words: [{ name: 'file', doc: 'the new file; one that is there is replaced with --yes only', file: true }],
    options: LISTING,
    examples: ['mirror backup macro-backup.db', 'mirror backup /tmp/macro-backup.db --yes'],
    section: SECTION,
    run: async (app, call) => (await import('./backup.ts')).runBackup(app, call),
  },
  {
    path: ['mirror', 'compact'],
    summary: 'Give unused room of the mirror file back to the disk',
    words: [],
    options: LISTING,
    examples: ['mirror compact', 'mirror compact --mirror rates.db'],
    section: SECTION,
    run: async (app, call) => (await import('./compact.ts')).runCompact(app, call),
  },
  {
    path: ['mirror', 'rebuild'],
    summary: 'Make the tables of the mirror anew from the stored texts, without a request',
    words: [],
    options: LISTING,
    examples: ['mirror rebuild', 'mirror rebuild --mirror rates.db'],
    section: SECTION,
    run: async (app, call) => (await import('./rebuild.ts')).runRebuild(app, call),
  },
  {
    path: ['diff'],
    summary: 'What became known between two moments: rows added, revised and withdrawn',
    words: [{ name: 'words', doc: 'only series whose name has all of these words', optional: true, many: true }],
    options: [
      {
        name: 'from',
        value: 'T',
        doc: 'the earlier moment: 2026-11-01 (its beginning, UTC), an instant, -6h, -30min, -7d (the beginning of that day)',
        heading: 'Options',
      },
      { name: 'to', value: 'T', doc: 'the later moment; default now', heading: 'Options' },
      { ...AVAILABILITY, heading: 'Options' },
      { name: 'limit', value: 'N', doc: 'differences at most; default 10000', heading: 'Rows and formats' },
      ...LISTING,
    ],
    examples: ['diff --from -7d', 'diff fx eur usd --from 2026-11-01 --to 2026-11-15 --availability mirrored'],
    section: SECTION,
    run: async (app, call) => (await import('../data/diff.ts')).diff(app, call),
  },
  {
    path: ['why'],
    summary: 'Where a number came from: request, commit, revisions, publisher; offline',
    words: [
      {
        name: 'words',
        doc: 'CCY/INDICATOR, BASE/QUOTE or the words of a held series (cot eur), then the date or the name of the row',
        many: true,
      },
    ],
    options: LISTING,
    examples: ['why usd/inflation 2026-09-30', 'why cot eur 2026-11-10 --format json'],
    section: SECTION,
    run: async (app, call) => (await import('../why/why.ts')).why(app, call),
  },
];
