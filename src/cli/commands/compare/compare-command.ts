import { type CommandDeclaration, lazy } from '../command.ts';
import { ASKING, GENERAL, PAST, ROWS } from '../common-options.ts';
import { CURRENCY_WORDS, indicatorWord } from '../series-words.ts';

/** Puts one indicator of several currencies side by side. */
export const COMPARE_COMMAND: CommandDeclaration = {
  path: ['compare'],
  summary: 'One indicator of several currencies side by side, the newest period first',
  words: [
    {
      name: 'currencies',
      doc: 'currencies, separated by commas',
      words: CURRENCY_WORDS,
    },
    { ...indicatorWord('indicator; with --origins none for a pair'), optional: true },
  ],
  options: [
    {
      name: 'origins',
      doc: 'one series by its origins in the mirror, the service and files: USD INFLATION, EUR/USD, commodities gold',
    },
    { name: 'start', value: 'D', doc: 'first period: YYYY-MM-DD, today, ytd, -90d, -3m, -2y' },
    { name: 'end', value: 'D', doc: 'last period' },
    {
      name: 'limit',
      value: 'N',
      doc: 'number of periods; default 12, or all of them with --start',
      heading: 'Rows and formats',
    },
    {
      name: 'chart',
      doc: 'draw one line a currency; with -o x.svg, x.png or x.html a picture',
      heading: 'Rows and formats',
    },
    ...ROWS,
    ...ASKING,
    ...PAST,
    ...GENERAL,
  ],
  examples: ['compare usd,eur,gbp inflation', 'compare eur/usd --origins --start -30d'],
  run: lazy(() => import('./compare.ts'), 'compareCurrencies'),
};
