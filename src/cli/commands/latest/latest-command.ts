import { MAIN_CURRENCIES } from '../../../contract/words/currencies.ts';
import { type CommandDeclaration, lazy } from '../command.ts';
import { ASKING, GENERAL, ROWS } from '../common-options.ts';

/** Shows where a currency stands on one screen. */
export const LATEST_COMMAND: CommandDeclaration = {
  path: ['latest'],
  summary: 'Every indicator of a currency: newest value, the one before, change, release time, next release',
  words: [{ name: 'currency', doc: 'currency of the indicators', words: MAIN_CURRENCIES.map((c) => c.toLowerCase()) }],
  options: [...ROWS, ...ASKING, ...GENERAL],
  examples: ['latest usd', 'latest eur --offline --format csv'],
  run: lazy(() => import('./latest.ts'), 'showLatest'),
};
