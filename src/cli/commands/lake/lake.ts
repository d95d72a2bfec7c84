import { type CommandDeclaration, lazy } from '../command.ts';
import { GENERAL, WITH_TEXT } from '../common-options.ts';

const FOLDER = 'folder: the folder of the lake';

/** Commands about the mirror as Parquet files. */
export default [
  {
    path: ['lake', 'export'],
    summary: 'Add what the mirror learned since the last export to a folder of Parquet files, with DuckDB views',
    words: FOLDER,
    options: [
      [{ ...WITH_TEXT, doc: 'each number also as the text that was published' }],
      '--with-row [Rows and formats]: the raw rows too, as the column row',
      GENERAL.filter(({ name }) => name !== 'format'),
    ],
    changes: true,
    examples: ['lake export lake', 'lake export lake --with-text'],
    run: lazy(() => import('./export.ts'), 'runLakeExport'),
  },
  {
    path: ['lake', 'verify'],
    summary: 'Compare every file and value of a lake with its manifest and the mirror, offline: exit 9 if any differs',
    words: FOLDER,
    examples: ['lake verify lake', 'lake verify lake --format json'],
    rows: 'level text, file text?, series text?, finding text, detail text?',
    run: lazy(() => import('./verify.ts'), 'runLakeVerify'),
  },
] satisfies readonly CommandDeclaration[];
