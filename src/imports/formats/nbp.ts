import { FX_PUBLISHERS } from '../../contract/words/publishers.ts';
import { onWorkingDays } from '../fetch/download.ts';
import type { FileLine, FileSeries, ImportedFile, ImportFormat } from '../format.ts';
import { dateIn, dividedBy, readPositive, refuse } from '../read/cells.ts';
import type { CsvRecord } from '../read/csv.ts';
import { requireWidth } from '../read/dated-lines.ts';
import { pairSeries, rateRow, ratesOf } from '../read/fx-rates.ts';

/** Average exchange rates of the National Bank of Poland, table A, a file a year: zlotys for units of a currency. */
export const nbp: ImportFormat = {
  id: 'nbp',
  doc: 'Average exchange rates of the National Bank of Poland, table A (archiwum_tab_a_YEAR.csv)',
  ...ratesOf(FX_PUBLISHERS.nbp, 'published by 12:15 Warsaw time of its day, assumed: the file does not say'),
  endsLastLine: true,
  download: {
    page: FX_PUBLISHERS.nbp.url,
    address: 'https://static.nbp.pl/dane/kursy/Archiwum/archiwum_tab_a_{year}.csv',
    file: 'archiwum_tab_a_{year}.csv',
    begins: '2012-01-02',
    maxBytes: 4_000_000,
    appears: onWorkingDays('12:15', 'Europe/Warsaw', 5),
    termsPage: 'https://nbp.pl/en/terms-of-use/',
    seen: { on: '2025', by: 'public programs that fetch the file of 2025' },
  },
  recognises: ({ head }) => /^data;\d+[A-Z]{3};/.test(head),
  read: readTable,
};

/** Special drawing rights are a unit of account, no currency. */
const NO_CURRENCY: ReadonlySet<string> = new Set(['XDR']);

interface RateColumn {
  readonly place: number;
  readonly name: string;
  readonly units: number;
  readonly series: FileSeries;
}

/** Walk: a header, a line of Polish names, the days, then a footer that repeats the header. */
function* readTable(file: ImportedFile): Generator<FileLine> {
  let header: { readonly columns: readonly RateColumn[]; readonly cells: number } | undefined;
  let hasDays = false;
  let hasEnded = false;
  for (const record of file.records({ separator: ';', encoding: 'windows-1250' })) {
    if (!header) {
      header = readHeader(record);
      continue;
    }
    const { cells, line } = record;
    const [first = ''] = cells;
    const date = dateIn(first, 'YYYYMMDD');
    if (date === undefined) {
      if (/\d/.test(first)) throw refuse(`'${first}' is no date.`, { line });
      hasEnded = hasDays;
      continue;
    }
    if (hasEnded) throw refuse('a day stands behind the end of the table.', { line });
    hasDays = true;
    requireWidth({ cells, line }, header.cells);
    const rows = header.columns.flatMap(({ place, name, units, series }) => {
      const text = cells[place] ?? '';
      if (text === '') return [];
      return [rateRow(series, date, dividedBy(readPositive({ text, line, of: name }, ','), units))];
    });
    yield { number: line, date, rows, names: header.columns.map(({ series }) => series) };
  }
}

function readHeader({ cells, line }: CsvRecord) {
  if (cells[0] !== 'data') throw refuse('its first line must begin with data and a currency such as 100JPY.', { line });
  const columns: RateColumn[] = [];
  for (const [place, name] of cells.entries()) {
    const [, units = '', code = ''] = /^(\d+)([A-Z]{3})$/.exec(name) ?? [];
    if (code === '') continue;
    if (!/^10*$/.test(units)) throw refuse(`'${name}' has a number of units that is no power of ten.`, { line });
    if (columns.some(({ series }) => series.scope.base === code))
      throw refuse(`the currency ${code} stands there twice.`, { line });
    const series = pairSeries(FX_PUBLISHERS.nbp, code, 'PLN');
    if (!NO_CURRENCY.has(code)) columns.push({ place, name, units: Number(units), series });
  }
  if (columns.length === 0) throw refuse('its header names no currency.', { line });
  return { columns, cells: cells.length };
}
