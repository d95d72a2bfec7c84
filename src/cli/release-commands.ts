import type { CommandSpec } from './command.ts';
import { ASKING, GENERAL, ROWS } from './common-options.ts';

/** Commands about releases that are still to come. */
export const RELEASE_COMMANDS: readonly CommandSpec[] = [
  {
    path: ['next'],
    summary: 'The releases of a currency that are next, and how long until then',
    words: [
      { name: 'currency', doc: 'currency of the releases' },
      { name: 'indicator', doc: 'one indicator', optional: true },
    ],
    options: [
      { name: 'limit', value: 'N', doc: 'releases wanted; default 10', heading: 'Rows and formats' },
      ...ROWS,
      ...ASKING,
      ...GENERAL,
    ],
    examples: ['next usd', 'next usd inflation --offline'],
    section: 'Calendar',
    run: async (app, call) => (await import('./commands/next.ts')).showNext(app, call),
  },
];
