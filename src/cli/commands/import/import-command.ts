import { type CommandDeclaration, lazy } from '../command.ts';
import { LISTING } from '../common-options.ts';

/** Takes official bulk files into the mirror. */
export const IMPORT_COMMAND: CommandDeclaration = {
  path: ['import', 'ecb'],
  summary: 'Euro reference rates, from the file that the European Central Bank publishes',
  words: [{ name: 'file', doc: 'eurofxref-hist.csv or its zip; - reads standard input', file: true }],
  options: LISTING,
  examples: ['import ecb eurofxref-hist.zip', 'import ecb - < eurofxref-hist.csv'],
  run: lazy(() => import('./import.ts'), 'importFile'),
};
