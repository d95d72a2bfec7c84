import { type CommandDeclaration, lazy } from '../command.ts';
import { LISTING } from '../common-options.ts';

/** Looks things up by what they are called. */
export const SEARCH_COMMAND: CommandDeclaration = {
  path: ['search'],
  summary: 'Find indicators, currencies, commodities and commands by name; works offline',
  words: [{ name: 'words', doc: 'what to look for', many: true }],
  options: [{ name: 'limit', value: 'N', doc: 'rows at most; default 20' }, ...LISTING],
  examples: ['search cpi', 'search policy rate eur --format json'],
  run: lazy(() => import('./search.ts'), 'search'),
};
