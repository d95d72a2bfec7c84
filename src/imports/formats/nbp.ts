import { FX_PUBLISHERS } from '../../contract/words/publishers.ts';
import { onWorkingDays } from '../fetch/download.ts';
import type { FileLine, FileSeries, ImportedFile, ImportFormat } from '../format.ts';
import { dividedBy, readPositive, refuse } from '../read/cells.ts';
import type { CsvRecord } from '../read/csv.ts';
import { datedLines, headed, type ValueColumn } from '../read/dated-lines.ts';
import { pairSeries, rateRow, ratesOf } from '../read/fx-rates.ts';

/** Average exchange rates of the National Bank of Poland, table A, a file a year: zlotys for units of a currency. */
export const nbp: ImportFormat = {
  id: 'nbp',
  doc: 'Average exchange rates of the National Bank of Poland, table A (archiwum_tab_a_YEAR.csv)',
  ...ratesOf(FX_PUBLISHERS.nbp, 'published by 12:15 Warsaw time of its day, assumed: the file does not say'),
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

/** Walk: a header, a line of Polish names, the days, then a footer that repeats the header. */
function readTable(file: ImportedFile): Iterable<FileLine> {
  const { header, records } = headed(file, { separator: ';', encoding: 'windows-1250' });
  const { columns, units } = columnsIn(header);
  return datedLines({
    ...{ records: daysIn(records), columns, width: header.cells.length, spellings: ['YYYYMMDD'] },
    rowOf: (series, date, cell) => rateRow(series, date, dividedBy(readPositive(cell, ','), units.get(series) ?? 1)),
  });
}

function* daysIn(records: Iterable<CsvRecord>): Generator<CsvRecord> {
  let hasDays = false;
  let hasEnded = false;
  for (const record of records) {
    const isDay = /\d/.test(record.cells[0] ?? '');
    hasEnded ||= hasDays && !isDay;
    if (!isDay) continue;
    if (hasEnded) throw refuse('a day stands behind the end of the table.', { line: record.line });
    hasDays = true;
    yield record;
  }
}

/** The columns, and of how many units of its currency each has the price. */
function columnsIn({ cells, line }: CsvRecord) {
  if (cells[0] !== 'data') throw refuse('its first line must begin with data and a currency such as 100JPY.', { line });
  const columns: ValueColumn[] = [];
  const unitsOf = new Map<FileSeries, number>();
  for (const [place, name] of cells.entries()) {
    const [, units = '', code = ''] = /^(\d+)([A-Z]{3})$/.exec(name) ?? [];
    if (code === '') continue;
    if (!/^10*$/.test(units)) throw refuse(`'${name}' has a number of units that is no power of ten.`, { line });
    if (columns.some(({ series }) => series.scope.base === code))
      throw refuse(`the currency ${code} stands there twice.`, { line });
    const series = pairSeries(FX_PUBLISHERS.nbp, code, 'PLN');
    unitsOf.set(series, Number(units));
    if (!NO_CURRENCY.has(code)) columns.push({ place, name, series });
  }
  if (columns.length === 0) throw refuse('its header names no currency.', { line });
  return { columns, units: unitsOf };
}
