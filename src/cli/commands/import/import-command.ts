import { type CommandDeclaration, lazy } from '../command.ts';
import { LISTING } from '../common-options.ts';

/** A file that names no date of its own says it by its last value. */
export const NEWER = {
  name: 'newer',
  doc: 'the files are newer than what the mirror has, even one that ends earlier',
} as const;

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
    NEWER,
    ...LISTING,
  ],
  changes: true,
  examples: ['import eurofxref-hist.zip', 'import ecb - < eurofxref-hist.csv'],
  changesWords: true,
  run: lazy(() => import('./import.ts'), 'importFiles'),
};
