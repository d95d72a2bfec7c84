import { onWorkingDays } from '../../fetch/download.ts';
import type { FileLine, ImportedFile, ImportFormat } from '../../format.ts';
import { refuse } from '../../read/cells.ts';
import { weekdaysLater } from '../../read/release-days.ts';
import { H15_HOUR } from '../../read/tables.ts';
import {
  dateOfLine,
  firstRecord,
  fredColumn,
  fredValue,
  isDateTitle,
  linesBelow,
  periodOf,
  seriesIn,
  TERMS,
} from './columns.ts';

/** Series of FRED as it has them today: the numbers are revised, and the file has no dates of release. */
export const fred: ImportFormat = {
  id: 'fred',
  publisher: 'FRED',
  doc: 'Series of FRED (fredgraph.csv), one or several, in the old and the new header',
  terms: TERMS,
  publication: {
    revised: 'often',
    rule:
      'known from the import, because the file holds revised numbers and no dates of release; yields are not revised, ' +
      'and known from 16:15 New York time two weekdays later, assumed',
  },
  endsLastLine: true,
  download: {
    page: 'https://fred.stlouisfed.org/',
    address: 'https://fred.stlouisfed.org/graph/fredgraph.csv?id={id}',
    file: '{id}.csv',
    ids: { doc: 'ids of series, such as PAYEMS', pattern: /^[A-Z][A-Z0-9_]{1,39}$/, defaults: [] },
    maxBytes: 16_000_000,
    appears: onWorkingDays('18:00', 'America/New_York', 40),
    termsPage: 'https://fred.stlouisfed.org/legal/',
    seen: { on: '2026-10-01', by: 'public programs of 2026 that fetch series without a key' },
  },
  // The Bank of England has a header of the same form for its SONIA.
  recognises: ({ head }) =>
    /^\W*(?:DATE|observation_date),(?!IUDSOIA\s)[A-Z][^\r\n]*(?:\r|\n)/.test(head) && !hasVintages(head),
  read: readFred,
};

const hasVintages = (head: string): boolean => /^[^\r\n]*_\d{8}(?:,|\r|\n)/.test(head);

const yieldIsKnown = weekdaysLater(2, H15_HOUR);

function* readFred(file: ImportedFile): Generator<FileLine> {
  const { header, records } = firstRecord(file, ',');
  const [first, ...ids] = header.cells;
  if (!isDateTitle(first) || ids.length === 0)
    throw refuse('its header must be DATE or observation_date, then ids of series.', { line: header.line });
  const twice = ids.find((id, place) => ids.indexOf(id) < place);
  if (twice !== undefined) throw refuse(`the column ${twice} stands there twice.`, { line: header.line });
  const columns = ids.map((id) => fredColumn(id, header.line));
  const [column] = columns;
  if (!column) return;
  const isYield = periodOf(columns, header.line) === 'day';
  const names = seriesIn(columns);
  for (const line of linesBelow(records, header.cells.length)) {
    const knownFrom = isYield ? yieldIsKnown(line.date) : undefined;
    const rows = columns.flatMap(({ published, writer }, place) => {
      const val = fredValue(line, place + 1, published.sourceSeriesId);
      const steps = val === undefined ? [] : [{ epoch: undefined, val, isFirst: false }];
      return writer.rowsOf({ date: line.date, line: line.line, steps, precision: 'day', knownFrom });
    });
    yield { number: line.line, date: dateOfLine(line, column), rows, names };
  }
}
