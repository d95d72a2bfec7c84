import { type CommandDeclaration, lazy } from '../command.ts';
import { ASKING, GENERAL, ROWS } from '../common-options.ts';
import { currencyWord, indicatorWord } from '../series-words.ts';

/** Tells which releases come next. */
export const NEXT_COMMAND: CommandDeclaration = {
  path: ['next'],
  summary: 'The releases of a currency that are next, and how long until then',
  words: [currencyWord('currency of the releases'), { ...indicatorWord('one indicator'), optional: true }],
  options: [
    { name: 'limit', value: 'N', doc: 'number of releases; default 10', heading: 'Rows and formats' },
    ...ROWS,
    ...ASKING,
    ...GENERAL,
  ],
  examples: ['next usd', 'next usd inflation --offline'],
  run: lazy(() => import('./next.ts'), 'showNext'),
};
