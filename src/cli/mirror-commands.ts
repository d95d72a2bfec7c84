import type { CommandSpec, OptionSpec } from './command.ts';
import { GENERAL, ROWS } from './common-options.ts';

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
    run: async (app) => (await import('./commands/mirror-status.ts')).showMirror(app),
  },
  {
    path: ['mirror', 'path'],
    summary: 'Where the mirror file is',
    words: [],
    options: GENERAL,
    examples: ['mirror path', 'mirror path --mirror rates.db'],
    section: SECTION,
    run: async (app) => app.printText(app.settings.mirror.value),
  },
  {
    path: ['mirror', 'verify'],
    summary: 'Check every row, sum and proof of the mirror, offline: exit 0 as written, 9 altered, 8 damaged',
    words: [{ name: 'words', doc: 'only series whose name has all of these words', optional: true, many: true }],
    options: LISTING,
    examples: ['mirror verify', 'mirror verify fx eur --format json'],
    section: SECTION,
    run: async (app, call) => (await import('./commands/mirror-verify.ts')).verifyHeld(app, call),
  },
];
