import { isFirstPrint, type VintageState } from '../../../contract/time/vintages.ts';
import { onWorkingDays } from '../../fetch/download.ts';
import type { FileLine, ImportedFile, ImportFormat } from '../../format.ts';
import { dateIn, refuse } from '../../read/cells.ts';
import type { CsvRecord } from '../../read/csv.ts';
import { headed } from '../../read/dated-lines.ts';
import { dateOfPeriod } from '../../read/published-series.ts';
import { stepsOfCells } from '../../read/vintages.ts';
import {
  dateOfLine,
  endOfDay,
  type FredColumn,
  fredColumn,
  fredValue,
  hasValue,
  isDateTitle,
  linesBelow,
  noSeries,
  periodOf,
  rhythmOfPeriod,
  seriesIn,
  stepsBelow,
  TERMS,
} from './columns.ts';
import { FRED_SERIES } from './fred-series.ts';

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
  endsLastLine: true,
  takes: 'as',
  download: {
    page: 'https://alfred.stlouisfed.org/',
    address: 'https://alfred.stlouisfed.org/graph/alfredgraph.csv?id={ids}&vintage_date={vintages}',
    vintages: { address: 'https://alfred.stlouisfed.org/series/downloaddata?seid={id}', max: 12 },
    file: '{id}_vintages_{vintage}.csv',
    ids: { doc: 'ids of series, such as PAYEMS', pattern: /^[A-Z][A-Z0-9_]{1,39}$/, defaults: [], example: 'PAYEMS' },
    maxBytes: 16_000_000,
    appears: onWorkingDays('18:00', 'America/New_York', 40),
    termsPage: 'https://fred.stlouisfed.org/legal/',
    seen: { on: '2026-10-05', by: 'a public program that found on that day that a file has 12 vintages at most' },
  },
  recognises: ({ head }) => /^\W*(?:DATE|observation_date)[,\t][^\r\n]*_\d{8}(?:[,\t\r\n]|$)/.test(head),
  read: readVintages,
};

interface VintageColumn {
  readonly place: number;
  readonly epoch: number;
}

interface SeriesColumns {
  readonly column: FredColumn;
  /** Oldest first: a file has them in any order. */
  readonly vintages: readonly VintageColumn[];
}

/** The file is read twice: how many periods a vintage is the first to have says whether it is a release. */
function* readVintages(file: ImportedFile): Generator<FileLine> {
  const { header, records } = recordsOf(file);
  const groups = groupsIn(file, header);
  const columns = groups.map(({ column }) => column);
  const [first] = columns;
  if (!first) return;
  const period = periodOf(columns, header.line);
  const rhythm = rhythmOfPeriod(period);
  const names = seriesIn(columns);
  const states = statesIn(file, groups);
  for (const line of linesBelow(records, header.cells.length)) {
    const date = dateOfPeriod(line.date, period);
    const rows = groups.flatMap((group) => {
      const { column, vintages } = group;
      const { published, writer } = column;
      const of = states.get(group) ?? [];
      const isRelease = (place: number) => {
        const state = of[place];
        return state !== undefined && isFirstPrint(of[place - 1], state, { date, rhythm });
      };
      const cells = vintages.map(({ place, epoch }) => ({
        epoch,
        val: fredValue(line, place, published.sourceSeriesId),
      }));
      return writer.rowsOf({
        date: line.date,
        line: line.line,
        steps: stepsOfCells(cells, isRelease),
        precision: 'day',
      });
    });
    yield { number: line.line, date: dateOfLine(line, first), rows, names };
  }
}

const recordsOf = (file: ImportedFile) =>
  headed(file, { separator: file.head.split('\n', 1)[0]?.includes('\t') ? '\t' : ',' });

/** The vintages of each series with the number of periods that each is the first to have. */
function statesIn(
  file: ImportedFile,
  groups: readonly SeriesColumns[],
): ReadonlyMap<SeriesColumns, readonly VintageState[]> {
  const states = new Map(groups.map((one) => [one, one.vintages.map(({ epoch }) => ({ at: epoch, begun: 0 }))]));
  const { header, records } = recordsOf(file);
  for (const line of linesBelow(records, header.cells.length))
    for (const [{ vintages }, of] of states) {
      const first = of[vintages.findIndex(({ place }) => hasValue(line, place))];
      if (first) first.begun += 1;
    }
  return states;
}

/** An id may contain `_`, so the day follows the last one. */
function groupsIn(file: ImportedFile, { cells: [first, ...titles], line }: CsvRecord): readonly SeriesColumns[] {
  if (!isDateTitle(first)) throw refuse('its header must begin with DATE or observation_date.', { line });
  const found = new Map<string, { day: string; place: number }[]>();
  for (const [at, title] of titles.entries()) {
    const [, id, digits = ''] = /^(.+)_(\d{8})$/.exec(title) ?? [];
    const day = dateIn(digits, 'YYYYMMDD');
    if (id === undefined || day === undefined)
      throw refuse(`'${title}' is no vintage such as PAYEMS_20220107.`, { line });
    const days = found.get(id) ?? [];
    if (days.some((one) => one.day === day)) throw refuse(`the column ${title} stands there twice.`, { line });
    days.push({ day, place: at + 1 });
    found.set(id, days);
  }
  const isKnown = [...found.keys()].every((id) => FRED_SERIES.has(id));
  const steps = isKnown ? [] : stepsBelow(recordsOf(file).records, titles.length + 1);
  return [...found].map(([id, days]) => {
    const longest = days.map(({ place }) => steps[place]).find((one) => one?.fewest !== undefined);
    const column = fredColumn(id, longest, file.facts);
    if (!column) throw noSeries([id], line);
    const known = days.length === 1 ? endOfDay : column.vintageIsKnown;
    const vintages = days
      .sort((a, b) => (a.day < b.day ? -1 : 1))
      .map(({ day, place }) => ({ place, epoch: known(day) }));
    return { column, vintages };
  });
}
