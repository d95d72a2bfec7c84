import { type CommandDeclaration, lazy } from '../command.ts';
import { LISTING } from '../common-options.ts';

/** Tells where a number came from. */
export const WHY_COMMAND: CommandDeclaration = {
  path: ['why'],
  summary: 'Where a number came from: request, commit, revisions, publisher; offline',
  words: [
    {
      name: 'words',
      doc: 'CCY/INDICATOR, BASE/QUOTE or the words of a mirrored series (cot eur), then the date or the name of the row',
      from: 'series',
      many: true,
    },
  ],
  options: LISTING,
  examples: ['why usd/inflation 2026-09-30', 'why cot eur 2026-11-10 --format json'],
  run: lazy(() => import('./why.ts'), 'why'),
};
