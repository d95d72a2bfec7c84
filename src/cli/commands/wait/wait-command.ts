import { type CommandDeclaration, lazy } from '../command.ts';
import { REMOTE } from '../common-options.ts';
import { currencyWord, indicatorWord } from '../series-words.ts';

/** Waits for a release. */
export const WAIT_COMMAND: CommandDeclaration = {
  path: ['wait'],
  summary: 'Wait until the next period of a series is released, and print it',
  words: [currencyWord('currency of the series'), indicatorWord('indicator of the series')],
  options: [{ name: 'timeout', value: 'DUR', doc: 'give up after so long, with exit 11: 90s, 15m, 6h, 2d' }, ...REMOTE],
  examples: ['wait usd inflation --timeout 2h', 'wait usd non_farm_payrolls --format json'],
  run: lazy(() => import('./wait.ts'), 'waitForRelease'),
};
