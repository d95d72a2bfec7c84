import type { CommandSpec } from '../command.ts';
import { ASKING, GENERAL, ROWS, SPENDING } from '../common-options.ts';

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
    run: async (app, call) => (await import('../service/next.ts')).showNext(app, call),
  },
  {
    path: ['wait'],
    summary: 'Wait until the next period of a series is released, and print it',
    words: [
      { name: 'currency', doc: 'currency of the series' },
      { name: 'indicator', doc: 'indicator of the series' },
    ],
    options: [
      {
        name: 'timeout',
        value: 'DUR',
        doc: 'give up after so long, with exit 11: 90s, 15m, 6h, 2d',
        heading: 'Options',
      },
      ...ROWS,
      ...SPENDING,
      ...GENERAL,
    ],
    examples: ['wait usd inflation --timeout 2h', 'wait usd non_farm_payrolls --format json'],
    section: 'Calendar',
    run: async (app, call) => (await import('./wait.ts')).waitForRelease(app, call),
  },
];
