import { VIEW_PARTS } from '../../../mirror/views/parts.ts';
import { exportFormat } from '../../output/format.ts';
import type { CommandSpec, OptionSpec } from '../command.ts';
import { GENERAL, ROWS } from '../common-options.ts';

const SECTION = 'Mirror';
const LISTING: readonly OptionSpec[] = [...ROWS, ...GENERAL];

/** Commands that give the data of a mirror to other programs. */
export const DATA_COMMANDS: readonly CommandSpec[] = [
  {
    path: ['sql'],
    summary: 'Query the mirror file; reads only, in a process of its own with bounds of time and rows',
    words: [{ name: 'query', doc: 'one SELECT; - reads standard input', optional: true, many: true }],
    options: [
      { name: 'views', doc: 'list the views and their columns', heading: 'Options' },
      {
        name: 'bind',
        value: 'NAME=VALUE',
        many: true,
        doc: 'value of a parameter of the query (:name); may be repeated',
        heading: 'Options',
      },
      { name: 'timeout', value: 'DUR', doc: 'end the query after so long; default 30s', heading: 'Options' },
      { name: 'limit', value: 'N', doc: 'rows at most; default 10000', heading: 'Rows and formats' },
      ...LISTING,
    ],
    examples: [`sql "select date, val_text from v_fx order by date desc limit 5"`, 'sql --views --format csv'],
    section: SECTION,
    run: async (app, call) => (await import('./sql.ts')).runSql(app, call),
  },
  {
    path: ['mirror', 'export'],
    summary: 'Write rows of the mirror with their provenance into a CSV, NDJSON, Parquet or XLSX file',
    words: [{ name: 'words', doc: 'series whose name has all of these words; of one kind', many: true }],
    options: [
      {
        name: 'part',
        value: 'WORD',
        words: VIEW_PARTS,
        doc: 'rows as they are, what they were before, or the publisher’s vintages; default current',
        heading: 'Options',
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
    checkFile: exportFormat,
    examples: ['mirror export fx eur usd -o eurusd.parquet', 'mirror export announcements usd -o usd.xlsx'],
    section: SECTION,
    run: async (app, call) => (await import('../mirror/export.ts')).runExport(app, call),
  },
];
