import { type CommandDeclaration, lazy } from '../command.ts';
import { LISTING } from '../common-options.ts';

/** Takes official files into the mirror. */
export const IMPORT_COMMAND: CommandDeclaration = {
  path: ['import'],
  summary: 'Official files of publishers into the mirror, without a service or a key',
  words: [
    {
      name: 'format-and-files',
      doc: 'files as their publisher offers them, a format before them or not; - reads standard input',
      file: true,
      many: true,
    },
  ],
  options: [
    {
      name: 'watch',
      value: 'DIR',
      file: true,
      doc: 'import each file that is put into a folder, once it is whole, until Ctrl-C; moves nothing',
    },
    { name: 'once', doc: 'with --watch: import what is there and end; for a schedule' },
    ...LISTING,
  ],
  examples: ['import eurofxref-hist.zip', 'import ecb - < eurofxref-hist.csv'],
  run: lazy(() => import('./import.ts'), 'importFiles'),
};
