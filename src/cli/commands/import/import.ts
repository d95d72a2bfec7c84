import { FETCHABLE_FORMATS } from '../../../imports/fetch/units.ts';
import { PERIODS } from '../../../imports/generic/release-rule.ts';
import { importsIn, type PastImport, planUndo, runUndo } from '../../../imports/past-imports.ts';
import { DATE_SPELLINGS } from '../../../imports/read/cells.ts';
import type { App } from '../../app/app.ts';
import { wrongWords } from '../../parse/question.ts';
import { instantText } from '../../print/rows.ts';
import { type Call, type CommandDeclaration, lazy } from '../command.ts';
import { LISTING } from '../common-options.ts';
import { onlyWord, requireMirror } from '../require.ts';

/** A file that names no date of its own says it by its last value. */
const NEWER = '--newer: treat the files as newer than the mirror, even if one ends earlier';

const IMPORTED = `format text, file text, series count, rows count, added count, revised count, vanished count,
  unchanged count, from text?, to text?`;

/** Takes official files into the mirror, and tables as a person describes them. */
export default [
  {
    path: ['import'],
    summary: 'Import official data of publishers, fetched or from files; needs no service and no key',
    words: `format-and-files... (${FETCHABLE_FORMATS.join('|')}): a format, which fetches its file (some need an id: fred PAYEMS), or files to import; - reads standard input`,
    options: [
      `--address: print where the files of a format are, and fetch nothing
      --start DATE: first date to fetch, of formats with a file for each year: 2015; default the year before this one
      --vintages FROM..TO: of alfred: every release since a day, or between two: 2020-01..
      --watch DIR: import each file that is put into a folder, once it is whole, until Ctrl-C; moves nothing
      --once: with --watch: import the present files and end; for a schedule
      --as CCY: currency of series of FRED that the interface has no word for; default usd
      --vintage MONTH: month of which a table of FRED-MD shows the state, such as 2024-03
      ${NEWER}`,
      LISTING,
    ],
    changes: true,
    examples: ['import ecb', 'import eurofxref-hist.zip'],
    changesWords: true,
    rows: IMPORTED,
    run: lazy(() => import('./files.ts'), 'importFiles'),
  },
  {
    path: ['import', 'csv'],
    summary: 'Import any table of dates and values, as the series of a question',
    words: `file: the table as text; - reads standard input`,
    options: [
      `--as WORDS: the question that it answers: 'announcements usd inflation', 'commodities gold', 'fx {base} {quote}' with columns in braces
      --date COLUMN: title of the column of dates, or its number
      --value COLUMN: title of the column of values, or its number
      --vintage COLUMN: column that says when a value was published; lines of one date stand together
      --wide: dates are titles of columns, and each line is a series: --date and --value are left out
      --row TEXT: with --wide: a cell of the one line that is read
      --date-format FORMAT (${DATE_SPELLINGS.join('|')}): how dates are spelled, YYYY-Q for quarters; default: the one form that reads the first dates
      --period WORD (${PERIODS.join('|')}): what a date stands for: it becomes the last day of it; default: as it is spelled
      --decimal MARK (.|,): decimal mark; default .
      --separator MARK (,|;|tab): between cells; default ,
      --encoding NAME (utf-8|windows-1250|windows-1252): default utf-8
      --missing TEXT...: cell that stands for no value, as an empty one does; can be repeated
      --unit TEXT: unit of the values, stored beside them
      --publisher NAME: who publishes them: origin import:NAME; default csv
      --release-rule RULE: when a value was public, if it is never revised: 'month end +12d 08:30 America/New_York'
      --begins DATE: first date of the history: a table that begins there is whole
      --mapping FILE: JSON file with these options as members; options that are typed come before it
      --preview: show the first rows as they would be stored, and write nothing
      ${NEWER}`,
      LISTING,
    ],
    changes: true,
    examples: [
      "import csv cpi.csv --as 'announcements usd inflation' --date observation_date --value CPI",
      'import csv gold.csv --mapping gold.json --preview',
    ],
    changesWords: true,
    rows: IMPORTED,
    rowsUnder: { preview: 'series text, date text, row text, known_from text' },
    run: lazy(() => import('./csv.ts'), 'importCsv'),
  },
  {
    path: ['import', 'calendar'],
    summary: 'Import the real release times of indicators: iCalendar, or a table of times',
    words: `file: an .ics file, or CSV with datetime (or date and time), period, event`,
    options: [
      `--as WORDS: currency and indicators that are released: 'usd non_farm_payrolls,unemployment'
      --match TEXT: only events whose title has this text, such as Employment Situation
      --zone ZONE: zone of times that name none, such as America/New_York`,
      LISTING,
    ],
    changes: true,
    examples: [
      "import calendar bls.ics --as 'usd non_farm_payrolls,unemployment' --match 'Employment Situation'",
      "import calendar releases.csv --as 'usd inflation' --zone America/New_York",
    ],
    changesWords: true,
    rows: 'file text, currency text, indicators text, releases count, retimed count, from text, to text',
    run: lazy(() => import('./calendar.ts'), 'importReleases'),
  },
  {
    path: ['import', 'list'],
    summary: 'List the imported files and their rows, oldest first',
    examples: ['import list', 'import list --format json'],
    rows: `id count, imported_at time, format text, publisher text, file text, series count, added count, revised count,
  withdrawn count, undone_at time?, sha256 text, address text?`,
    run: listImports,
  },
  {
    path: ['import', 'undo'],
    summary: 'Undo an import: its rows and the coverage of its file',
    words: `id: number of the import in macro import list`,
    changes: true,
    examples: ['import undo 2 --dry-run', 'import undo 2'],
    changesWords: true,
    rows: 'id count, format text, file text, series count, withdrawn count, restored count',
    run: undoImport,
  },
] satisfies readonly CommandDeclaration[];

const SPARE = ['sha256', 'address', 'publisher', 'withdrawn', 'revised', 'format', 'series'] as const;

async function listImports(app: App): Promise<void> {
  const { mirror } = await requireMirror(app);
  const rows = importsIn(await mirror.files.fileCommits()).map(listedImport);
  await app.list({ rows, spare: SPARE, title: [`Imported into ${app.settings.mirror.value}`] });
}

function listedImport({ at, series, digest, undoneAt, fetched, ...rest }: PastImport) {
  const { id, format, publisher, file, added, revised, withdrawn } = rest;
  return {
    ...{ id, imported_at: instantText(at), format, publisher, file, series: series.length, added, revised, withdrawn },
    undone_at: instantText(undoneAt),
    sha256: digest,
    address: fetched?.address ?? null,
  };
}

async function undoImport(app: App, call: Call): Promise<void> {
  const id = readId(onlyWord(call, 'import undo', 'the number of an import'));
  const { mirror: existing } = await requireMirror(app);
  const { isDryRun } = app;
  const mirror = isDryRun ? existing : await app.writable();
  const plan = await planUndo(mirror, id, app.platform.clock.now());
  if (!isDryRun) await runUndo(mirror, plan);
  const { undone, withdrawn, restored } = plan;
  await app.list({
    rows: [{ id, format: undone.format, file: undone.file, series: undone.series.length, withdrawn, restored }],
    title: [isDryRun ? 'Would be undone' : `Undone in ${app.settings.mirror.value}`],
  });
}

function readId(word: string): number {
  if (/^[1-9]\d{0,14}$/.test(word)) return Number(word);
  throw wrongWords(`'${word}' is no number of an import.`, 'macro import list shows the numbers.');
}
