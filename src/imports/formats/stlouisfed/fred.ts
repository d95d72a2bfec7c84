import { onWorkingDays } from '../../fetch/download.ts';
import type { FileLine, ImportedFile, ImportFormat } from '../../format.ts';
import { refuse } from '../../read/cells.ts';
import { headed, repeatedName } from '../../read/dated-lines.ts';
import {
  dateOfLine,
  type FredColumn,
  fredColumn,
  fredValue,
  isDateTitle,
  linesBelow,
  noSeries,
  periodOf,
  seriesIn,
  stepsBelow,
  TERMS,
} from './columns.ts';
import { FRED_SERIES } from './fred-series.ts';
import { isFredId, OF_THE_BANK_OF_ENGLAND } from './other-series.ts';

/** Series of FRED as it has them today: the numbers are revised, and the file has no dates of release. */
export const fred: ImportFormat = {
  id: 'fred',
  publisher: 'FRED',
  doc: 'Series of FRED (fredgraph.csv), one or several of any id, in the old and the new header',
  terms: TERMS,
  publication: {
    revised: 'often',
    rule:
      'known from the import, because the file has revised numbers and no dates of release. Yields are never revised: they ' +
      'are known from 16:15 New York time two weekdays later, assumed. Dollar rates (DEX...) are known as those of H.10',
  },
  endsLastLine: true,
  download: {
    page: 'https://fred.stlouisfed.org/',
    address: 'https://fred.stlouisfed.org/graph/fredgraph.csv?id={id}',
    file: '{id}.csv',
    ids: { doc: 'ids of series, such as PAYEMS', pattern: /^[A-Z][A-Z0-9_]{1,39}$/, defaults: [], example: 'PAYEMS' },
    maxBytes: 16_000_000,
    appears: onWorkingDays('18:00', 'America/New_York', 40),
    termsPage: 'https://fred.stlouisfed.org/legal/',
    seen: { on: '2026', by: 'public programs of 2026 that fetch series without a key' },
  },
  takes: 'as',
  recognises({ head }) {
    // Other tables of dates have titles with small letters, or words such as CLOSE.
    const [, first, titles] = /^\W*(DATE|observation_date)"?((?:,"?[A-Z0-9_]+"?)+)[ \t]*[\r\n]/.exec(head) ?? [];
    const ids = titles?.replaceAll('"', '').split(',').slice(1) ?? [];
    const isOther = first === 'DATE' && ids.every((id) => OF_THE_BANK_OF_ENGLAND.test(id));
    return ids.some(isFredId) && !isOther && !ids.some((id) => /_\d{8}$/.test(id));
  },
  read: readFred,
};

interface PlacedColumn extends FredColumn {
  readonly place: number;
}

/** The file is read twice: how often a series without a word of its own has a value follows from its dates. */
function* readFred(file: ImportedFile): Generator<FileLine> {
  const { header, records } = headed(file);
  const [first, ...ids] = header.cells;
  if (!isDateTitle(first) || ids.length === 0)
    throw refuse('its header must be DATE or observation_date, then ids of series.', { line: header.line });
  const twice = repeatedName(ids);
  if (twice !== undefined) throw refuse(`the column ${twice} stands there twice.`, { line: header.line });
  const { columns, leftOut } = columnsIn(file, ids, header.line);
  const [column] = columns;
  if (!column) throw noSeries(ids, header.line);
  const names = seriesIn(columns);
  for (const line of linesBelow(records, header.cells.length)) {
    const rows = columns.flatMap(({ published, writer, isKnown, place }) => {
      const val = fredValue(line, place, published.sourceSeriesId);
      const steps = val === undefined ? [] : [{ epoch: undefined, val, isFirst: false }];
      const knownFrom = isKnown?.(line.date);
      return writer.rowsOf({ date: line.date, line: line.line, steps, precision: 'day', knownFrom });
    });
    yield { number: line.line, date: dateOfLine(line, column), rows, names, leftOut };
  }
}

/** A line has one date, so all columns that are read are of one period: that of the series with a word of their own. */
function columnsIn(file: ImportedFile, ids: readonly string[], line: number) {
  const steps = ids.every((id) => FRED_SERIES.has(id)) ? [] : stepsBelow(headed(file).records, ids.length + 1);
  const found = ids.flatMap((id, at): PlacedColumn[] => {
    const column = fredColumn(id, steps[at + 1], file.facts);
    return column ? [{ ...column, place: at + 1 }] : [];
  });
  const known = found.filter(({ published }) => FRED_SERIES.has(published.sourceSeriesId));
  const period = found.length === 0 ? undefined : periodOf(known.length > 0 ? known : found, line);
  const columns = found.filter(({ published }) => published.period === period);
  const read = new Set(columns.map(({ place }) => place));
  const leftOut = ids.filter((_, at) => !read.has(at + 1) && (steps[at + 1] !== undefined || !isFredId(ids[at] ?? '')));
  return { columns, leftOut };
}
