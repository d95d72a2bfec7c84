/** Tables of FRED and ALFRED: a column for each series, or for each vintage of one. */
import { isFirstPrint, type VintageState } from '../../../contract/time/vintages.ts';
import type { FileLine, ImportedFile, ImportFormat } from '../../format.ts';
import { dateIn, refuse } from '../../read/cells.ts';
import type { CsvRecord } from '../../read/csv.ts';
import { headed, repeatedName } from '../../read/dated-lines.ts';
import { endOfDay } from '../../read/release-days.ts';
import { stepsOfCells } from '../../read/vintages.ts';
import {
  dateOfLine,
  type FredColumn,
  fredColumn,
  fredValue,
  hasValue,
  isDateTitle,
  isFredId,
  linesBelow,
  noSeries,
  OF_THE_BANK_OF_ENGLAND,
  periodOf,
  rhythmOfPeriod,
  ST_LOUIS,
  seriesIn,
  stepsBelow,
  TERMS,
} from './columns.ts';
import { FRED_SERIES } from './fred-series.ts';

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
  download: {
    page: 'https://fred.stlouisfed.org/',
    address: 'https://fred.stlouisfed.org/graph/fredgraph.csv?id={id}',
    file: '{id}.csv',
    ids: { doc: 'ids of series, such as PAYEMS', pattern: /^[A-Z][A-Z0-9_]{1,39}$/, defaults: [], example: 'PAYEMS' },
    ...ST_LOUIS,
  },
  takes: 'as',
  recognises({ head }) {
    // Other tables of dates have titles with small letters, or words such as CLOSE.
    const [, first, titles] = /^\W*(DATE|observation_date)"?((?:,"?[A-Z0-9_]+"?)+)[ \t]*[\r\n]/.exec(head) ?? [];
    const ids = titles?.replaceAll('"', '').split(',').slice(1) ?? [];
    const isOther = first === 'DATE' && ids.every((id) => OF_THE_BANK_OF_ENGLAND.test(id));
    return ids.some(isFredId) && !isOther && !ids.some((id) => /_\d{8}$/.test(id));
  },
  read: (file) => readGraph(file, false),
};

/** Vintages of ALFRED side by side: a column for each, `PAYEMS_20220107`. */
export const alfred: ImportFormat = {
  id: 'alfred',
  publisher: 'ALFRED',
  doc: 'Vintages of a series from ALFRED, a column for each (alfredgraph.csv, vintages_starting_*.csv, *_2_Vintages_*.txt)',
  terms: TERMS,
  publication: {
    revised: 'often',
    rule:
      'known from 08:30 New York time of its vintage day, assumed: ALFRED has the day alone. Yields are known from 16:15, ' +
      'PCE since December 2025 from 10:00. A single vintage is a day of download, known from the end of that day',
  },
  takes: 'as',
  download: {
    page: 'https://alfred.stlouisfed.org/',
    address: 'https://alfred.stlouisfed.org/graph/alfredgraph.csv?id={ids}&vintage_date={vintages}',
    vintages: { address: 'https://alfred.stlouisfed.org/series/downloaddata?seid={id}', max: 12 },
    file: '{id}_vintages_{vintage}.csv',
    ids: { doc: 'ids of series, such as PAYEMS', pattern: /^[A-Z][A-Z0-9_]{1,39}$/, defaults: [], example: 'PAYEMS' },
    ...ST_LOUIS,
  },
  recognises: ({ head }) => /^\W*(?:DATE|observation_date)[,\t][^\r\n]*_\d{8}(?:[,\t\r\n]|$)/.test(head),
  read: (file) => readGraph(file, true),
};

interface SeriesColumns {
  readonly column: FredColumn;
  /** Oldest first: a file has them in any order. FRED has one without a time. */
  readonly vintages: readonly { readonly place: number; readonly epoch: number | undefined }[];
}

/** The file is read twice: how many periods a vintage is the first to have says whether it is a release. */
function* readGraph(file: ImportedFile, hasVintages: boolean): Generator<FileLine> {
  const { header, records } = recordsOf(file);
  const { groups, leftOut } = groupsIn(file, header, hasVintages);
  const columns = groups.map(({ column }) => column);
  const [first] = columns;
  if (!first) return;
  const rhythm = rhythmOfPeriod(first.published.period);
  const names = seriesIn(columns);
  const states = hasVintages ? statesIn(file, groups) : undefined;
  for (const line of linesBelow(records, header.cells.length)) {
    const date = dateOfLine(line, first);
    const rows = groups.flatMap((group) => {
      const { published, writer, isKnown } = group.column;
      const of = states?.get(group) ?? [];
      const isRelease = (place: number) => {
        const state = of[place];
        return state !== undefined && isFirstPrint(of[place - 1], state, { date, rhythm });
      };
      const cells = group.vintages.map(({ place, epoch }) => ({
        epoch,
        val: fredValue(line, place, published.sourceSeriesId),
      }));
      const steps = stepsOfCells(cells, isRelease);
      const knownFrom = hasVintages ? undefined : isKnown?.(line.date);
      return writer.rowsOf({ date: line.date, line: line.line, steps, precision: 'day', knownFrom });
    });
    yield { number: line.line, date, rows, names, leftOut };
  }
}

const recordsOf = (file: ImportedFile) =>
  headed(file, { separator: file.head.split('\n', 1)[0]?.includes('\t') ? '\t' : ',' });

/** The vintages of each series with the number of periods that each is the first to have. */
function statesIn(
  file: ImportedFile,
  groups: readonly SeriesColumns[],
): ReadonlyMap<SeriesColumns, readonly VintageState[]> {
  const states = new Map(groups.map((one) => [one, one.vintages.map(({ epoch = 0 }) => ({ at: epoch, begun: 0 }))]));
  const { header, records } = recordsOf(file);
  for (const line of linesBelow(records, header.cells.length))
    for (const [{ vintages }, of] of states) {
      const first = of[vintages.findIndex(({ place }) => hasValue(line, place))];
      if (first) first.begun += 1;
    }
  return states;
}

/** A line has one date, so all columns that are read are of one period: that of the series with a word of their own. */
function groupsIn(file: ImportedFile, header: CsvRecord, hasVintages: boolean) {
  const { line } = header;
  const titles = titlesIn(header, hasVintages);
  const steps = [...titles.keys()].every((id) => FRED_SERIES.has(id))
    ? []
    : stepsBelow(recordsOf(file).records, header.cells.length);
  const found = [...titles].flatMap(([id, days]): readonly SeriesColumns[] => {
    const longest = days.map(({ place }) => steps[place]).find((one) => one?.fewest !== undefined);
    const column = fredColumn(id, longest, file.facts);
    if (!column) return [];
    const known = days.length === 1 ? endOfDay : column.vintageIsKnown;
    const sorted = days.toSorted((a, b) => (a.day < b.day ? -1 : 1));
    return [
      { column, vintages: sorted.map(({ day, place }) => ({ place, epoch: hasVintages ? known(day) : undefined })) },
    ];
  });
  if (found.length === 0) throw noSeries([...titles.keys()], line);
  const known = found.filter(({ column }) => FRED_SERIES.has(column.published.sourceSeriesId));
  const columns = (known.length > 0 ? known : found).map(({ column }) => column);
  const period = periodOf(columns, line);
  const groups = found.filter(({ column }) => column.published.period === period);
  const read = new Set(groups.map(({ column }) => column.published.sourceSeriesId));
  const isSeries = (id: string) => !isFredId(id) || titles.get(id)?.some(({ place }) => steps[place] !== undefined);
  return { groups, leftOut: [...titles.keys()].filter((id) => !read.has(id) && isSeries(id)) };
}

/** The columns of each id. An id may contain `_`, so the day of a vintage follows the last one. */
function titlesIn({ cells: [first, ...titles], line }: CsvRecord, hasVintages: boolean) {
  if (!isDateTitle(first) || titles.length === 0)
    throw refuse('its header must be DATE or observation_date, then ids of series.', { line });
  const twice = repeatedName(titles);
  if (twice !== undefined) throw refuse(`the column ${twice} stands there twice.`, { line });
  const found = new Map<string, { readonly day: string; readonly place: number }[]>();
  for (const [at, title] of titles.entries()) {
    const [, id = '', digits = ''] = /^(.+)_(\d{8})$/.exec(title) ?? [];
    const day = dateIn(digits, 'YYYYMMDD');
    if (hasVintages && day === undefined) throw refuse(`'${title}' is no vintage such as PAYEMS_20220107.`, { line });
    const name = hasVintages ? id : title;
    const places = found.get(name) ?? [];
    places.push({ day: day ?? '', place: at + 1 });
    found.set(name, places);
  }
  return found;
}
