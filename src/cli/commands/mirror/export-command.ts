import { VIEW_PARTS } from '../../../mirror/api/mirror.ts';
import { exportFormat } from '../../print/format.ts';
import { type CommandDeclaration, lazy } from '../command.ts';
import { GENERAL } from '../common-options.ts';

/** Gives rows of the mirror to other programs. */
export const EXPORT_COMMAND: CommandDeclaration = {
  path: ['mirror', 'export'],
  summary: 'Write rows of the mirror with their provenance into a CSV, NDJSON, Parquet or XLSX file',
  words: [
    { name: 'words', doc: 'series whose name has all of these words; of one kind', from: 'selection', many: true },
  ],
  options: [
    {
      name: 'part',
      value: 'WORD',
      words: VIEW_PARTS,
      doc: 'rows as they are, what they were before, or the publisher’s vintages; default current',
    },
    {
      name: 'output',
      short: 'o',
      value: 'FILE',
      doc: 'the file; its ending gives the format (.csv .ndjson .parquet .xlsx)',
      file: true,
      heading: 'Rows and formats',
    },
    // The ending of the file is the format.
    ...GENERAL.filter(({ name }) => name !== 'format'),
  ],
  changes: true,
  checkFile: exportFormat,
  examples: ['mirror export fx eur usd -o eurusd.parquet', 'mirror export announcements usd -o usd.xlsx'],
  run: lazy(() => import('./export.ts'), 'runExport'),
};
