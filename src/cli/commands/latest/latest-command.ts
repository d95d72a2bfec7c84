import { type CommandDeclaration, lazy } from '../command.ts';
import { ASKING, GENERAL, ROWS } from '../common-options.ts';
import { currencyWord } from '../series-words.ts';

/** Shows where a currency stands on one screen. */
export const LATEST_COMMAND: CommandDeclaration = {
  path: ['latest'],
  summary: 'Every indicator of a currency: newest value, the one before, change, release time, next release',
  words: [currencyWord('currency of the indicators')],
  options: [...ROWS, ...ASKING, ...GENERAL],
  examples: ['latest usd', 'latest eur --offline --format csv'],
  run: lazy(() => import('./latest.ts'), 'showLatest'),
};
