import { PERIODS } from '../../../imports/generic/release-rule.ts';
import { DATE_SPELLINGS } from '../../../imports/read/cells.ts';
import { type CommandDeclaration, lazy } from '../command.ts';
import { LISTING } from '../common-options.ts';
import { NEWER } from './import-command.ts';

/** Takes a table of anybody's into the mirror, as a person describes it. */
export const IMPORT_CSV_COMMAND: CommandDeclaration = {
  path: ['import', 'csv'],
  summary: 'Any table of dates and values into the mirror, as the series of a question',
  words: [{ name: 'file', doc: 'the table as text; - reads standard input', file: true }],
  options: [
    {
      name: 'as',
      value: 'WORDS',
      doc: "the question that it answers: 'announcements usd inflation', 'commodities gold', 'fx {base} {quote}' with columns in braces",
    },
    { name: 'date', value: 'COLUMN', doc: 'title of the column of dates, or its number' },
    { name: 'value', value: 'COLUMN', doc: 'title of the column of values, or its number' },
    {
      name: 'vintage',
      value: 'COLUMN',
      doc: 'column that says when a value was published; lines of one date stand together',
    },
    { name: 'date-format', value: 'FORMAT', words: DATE_SPELLINGS, doc: 'how dates are spelled; default YYYY-MM-DD' },
    {
      name: 'period',
      value: 'WORD',
      words: PERIODS,
      doc: 'what a date stands for: it becomes the last day of it; default day',
    },
    { name: 'decimal', value: 'MARK', words: ['.', ','], doc: 'decimal mark; default .' },
    { name: 'separator', value: 'MARK', words: [',', ';', 'tab'], doc: 'between cells; default ,' },
    { name: 'encoding', value: 'NAME', words: ['utf-8', 'windows-1250', 'windows-1252'], doc: 'default utf-8' },
    {
      name: 'missing',
      value: 'TEXT',
      many: true,
      doc: 'cell that stands for no value, as an empty one does; can be repeated',
    },
    { name: 'unit', value: 'TEXT', doc: 'unit of the values, kept beside them' },
    { name: 'publisher', value: 'NAME', doc: 'who publishes them: origin import:NAME; default csv' },
    {
      name: 'release-rule',
      value: 'RULE',
      doc: "when a value was public, if it is never revised: 'month end +12d 08:30 America/New_York'",
    },
    { name: 'begins', value: 'DATE', doc: 'first date of the history: a table that begins there is whole' },
    {
      name: 'mapping',
      value: 'FILE',
      file: true,
      doc: 'JSON file with these options as members; options that are typed come before it',
    },
    { name: 'preview', doc: 'show the first rows as they would be kept, and write nothing' },
    NEWER,
    ...LISTING,
  ],
  changes: true,
  examples: [
    "import csv cpi.csv --as 'announcements usd inflation' --date observation_date --value CPI",
    'import csv gold.csv --mapping gold.json --preview',
  ],
  changesWords: true,
  run: lazy(() => import('./import-csv.ts'), 'importCsv'),
};
