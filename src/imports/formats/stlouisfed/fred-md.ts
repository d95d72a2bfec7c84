import { addMonths } from '../../../contract/time/time.ts';
import type { FileLine, ImportedFile, ImportFormat } from '../../format.ts';
import { periodEnd } from '../../generic/release-rule.ts';
import { dateIn, readDate, readNumber, refuse } from '../../read/cells.ts';
import type { CsvRecord } from '../../read/csv.ts';
import { headed, requireWidth } from '../../read/dated-lines.ts';
import { lineWriter } from '../../read/published-series.ts';
import { endOfDay } from '../../read/release-days.ts';
import { ST_LOUIS, TERMS } from './columns.ts';
import { FRED_SERIES } from './fred-series.ts';

/** FRED-MD, a table of monthly series as they were in one month: its name is that of the month. */
export const fredMd: ImportFormat = {
  id: 'fred-md',
  publisher: 'FRED-MD',
  doc: 'One vintage of FRED-MD (2024-03.csv): payrolls, unemployment and prices of its series',
  terms: `${TERMS} Cite McCracken and Ng (2016).`,
  publication: {
    revised: 'often',
    rule: 'known from noon UTC of the day behind its vintage month, which is the name of the file, or said by --vintage',
  },
  takes: 'vintage',
  download: {
    page: 'https://www.stlouisfed.org/research/economists/mccracken/fred-databases',
    file: 'current.csv',
    ...ST_LOUIS,
  },
  recognises: ({ head }) => /^\W*sasdate"?,/.test(head),
  read: readTable,
};

function* readTable(file: ImportedFile): Generator<FileLine> {
  const epoch = vintageOf(file);
  const { header, records } = headed(file);
  const columns = columnsIn(header);
  let last: string | undefined;
  for (const { cells, line } of records) {
    const [first = ''] = cells;
    // The codes of transformations stand below the header, and empty lines at the end.
    if (/^Transform/i.test(first) || cells.every((cell) => cell === '')) continue;
    requireWidth({ cells, line }, header.cells.length);
    const date = readDate({ text: first, line }, 'MM/DD/YYYY');
    for (const { id, lineOf, at } of columns) {
      const text = cells[at] ?? '';
      const steps = text === '' ? [] : [{ epoch, val: readNumber({ text, line, of: id }), isFirst: false }];
      yield lineOf({ date, line, steps, precision: 'month' });
    }
    last = date;
  }
  requireVintage(file, last);
}

/** A table ends with the month before its vintage. The name of the file is that of its publisher, and is believed. */
function requireVintage({ facts: { vintage } }: ImportedFile, last: string | undefined): void {
  const next = last && addMonths(last, 1).slice(0, 7);
  if (vintage === undefined || next === undefined || vintage === next) return;
  throw refuse(`it ends with ${last?.slice(0, 7)}, so it is not the vintage of ${vintage}.`, {
    hint: `Say --vintage ${next}. If the publisher was late, name the file for its vintage: ${vintage}.csv`,
  });
}

/** Other columns are left out: the interface has no series of that name, or the column was made for the table. */
function columnsIn({ cells, line }: CsvRecord) {
  const columns = cells.flatMap((id, at) => {
    const published = FRED_SERIES.get(id);
    return published?.period === 'month' ? [{ id, lineOf: lineWriter(published), at }] : [];
  });
  if (columns.length === 0) throw refuse('its header has no series such as PAYEMS.', { line });
  return columns;
}

/** A stated month wins over the name of the file; if it is too early, it contradicts the rows, and is refused there. */
function vintageOf({ name, facts }: ImportedFile): number {
  const said = facts.vintage ?? /(?:^|\D)(\d{4}-\d{2})(?:\D|$)/.exec(name)?.[1];
  const first = said === undefined ? undefined : dateIn(said, 'YYYY-MM');
  if (first !== undefined) return endOfDay(periodEnd(first, 'month'));
  throw refuse('its name does not say the vintage month, such as 2024-03.csv.', {
    hint: 'Rename it to its vintage month, such as 2024-03.csv, or say the month: --vintage 2024-03.',
  });
}
