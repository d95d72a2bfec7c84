import type { CommandSpec, OptionSpec, WordSpec } from '../command.ts';
import { GENERAL, ROWS, SPENDING } from '../common-options.ts';

const SECTION = 'Mirror';
const LISTING: readonly OptionSpec[] = [...ROWS, ...GENERAL];

const selection: WordSpec = {
  name: 'words',
  doc: 'words of a query command, a currency or a pair; several selections are separated by commas',
  words: ['announcements', 'calendar', 'catalogue', 'commodities', 'cot', 'fx', 'sentiment'],
  many: true,
};

/** Commands about what a mirror keeps and how it is kept. */
export const SYNC_COMMANDS: readonly CommandSpec[] = [
  {
    path: ['sync'],
    summary: 'Bring what is named or tracked into the mirror and keep it up to date',
    words: [{ ...selection, optional: true }],
    options: [
      { name: 'plan', doc: 'tell what would be asked for, and why; contact nobody', heading: 'Options' },
      { name: 'watch', doc: 'sync again whenever something is due, until interrupted', heading: 'Options' },
      { name: 'check', doc: 'ask for everything that may be corrected, due or not', heading: 'Options' },
      { name: 'everything', doc: 'all that the service has, as far as it can be listed', heading: 'Options' },
      ...ROWS,
      ...SPENDING,
      ...GENERAL,
    ],
    examples: ['sync fx eur usd, announcements usd inflation', 'sync --plan announcements usd inflation, calendar usd'],
    section: SECTION,
    run: async (app, call) => (await import('./sync.ts')).sync(app, call),
  },
  {
    path: ['track', 'add'],
    summary: 'Keep series up to date with every macro sync',
    words: [selection],
    options: GENERAL,
    examples: ['track add announcements usd inflation, fx eur usd', 'track add usd'],
    section: SECTION,
    run: async (app, call) => (await import('./track.ts')).addTracks(app, call),
  },
  {
    path: ['track', 'list'],
    summary: 'What macro sync keeps up to date',
    words: [],
    options: LISTING,
    examples: ['track list', 'track list --format json'],
    section: SECTION,
    run: async (app, call) => (await import('./track.ts')).listTracks(app, call),
  },
  {
    path: ['track', 'remove'],
    summary: 'Track series no longer; the mirror keeps what it holds',
    words: [selection],
    options: GENERAL,
    examples: ['track remove fx eur usd', 'track remove usd'],
    section: SECTION,
    run: async (app, call) => (await import('./track.ts')).removeTracks(app, call),
  },
];
