/** Daily exchange rates as central banks offer them: a table with a line for each day and a column for each currency. */
import { FX_PUBLISHERS } from '../../contract/words/publishers.ts';
import { onWorkingDays } from '../fetch/download.ts';
import type { FileLine, FileSeries, ImportedFile, ImportFormat } from '../format.ts';
import { dividedBy, readPositive, refuse } from '../read/cells.ts';
import type { CsvRecord } from '../read/csv.ts';
import { readTable } from '../read/dated-lines.ts';
import { pairSeries, rateOfCell, rateRow, ratesOf } from '../read/fx-rates.ts';

/** The ECB's reference rates as the Deutsche Bundesbank exports them, one or more series a file, in English or German. */
export const bundesbank: ImportFormat = {
  id: 'bundesbank',
  doc: 'Euro reference rates as the Deutsche Bundesbank exports them (BBEX3.D.USD.EUR.BB.AC.000.csv)',
  begins: '1999-01-04',
  ...ratesOf(FX_PUBLISHERS.bundesbank, 'published by 16:15 Frankfurt time of its day, assumed: the file does not say'),
  download: {
    page: FX_PUBLISHERS.bundesbank.url,
    address: 'https://api.statistiken.bundesbank.de/rest/download/BBEX3/D.{id}.EUR.BB.AC.000?format=csv&lang=en',
    file: 'BBEX3.D.{id}.EUR.BB.AC.000.csv',
    ids: { doc: 'a currency', pattern: /^[A-Z]{3}$/, defaults: ['USD'] },
    appears: onWorkingDays('16:15', 'Europe/Berlin', 5),
    termsPage: 'https://www.bundesbank.de/en/homepage/terms-of-use',
  },
  recognises: ({ head }) => /^(?:"")?[,;]BBEX3\.[A-Z]\.[A-Z]{3}\.EUR\.BB\./.test(head),
  read: readExport,
};

const DIMENSION = /^(?:unit multiplier|Dimension)$/i;
const ONE = /^(?:One|Eins)$/i;

/** Facts stand below the ids in any number and order, and comments before or behind the days. */
function readExport(file: ImportedFile): Iterable<FileLine> {
  // The German export has semicolons and a decimal comma.
  const isGerman = /^(?:"")?;/.test(file.head);
  return readTable(file, {
    shape: { separator: isGerman ? ';' : ',' },
    header: '',
    example: 'BBEX3.D.USD.EUR.BB.AC.000',
    seriesOf(id, { line }) {
      if (id === '' || id.endsWith('_FLAGS')) return undefined;
      const [, code] = /^BBEX3\.D\.([A-Z]{3})\.EUR\.BB\.AC\.000$/.exec(id) ?? [];
      if (code === undefined) throw refuse(`its series '${id}' is no daily rate of the euro.`, { line });
      return pairSeries(FX_PUBLISHERS.bundesbank, 'EUR', code);
    },
    *days(lines, columns) {
      for (const record of lines) {
        const { cells, line } = record;
        const [first = ''] = cells;
        if (/^\d/.test(first)) yield record;
        // A rate that is given in hundreds or thousands would be wrong by as much.
        const other = DIMENSION.test(first) ? columns.find(({ place }) => !ONE.test(cells[place] ?? '')) : undefined;
        if (other) throw refuse(`its dimension is '${cells[other.place]}' and not one.`, { line });
      }
    },
    spellings: ['YYYY-MM-DD'],
    // On weekends and holidays, which the file lists.
    missing: ['.'],
    rowOf: (series, date, cell) => rateRow(series, date, readPositive(cell, isGerman ? ',' : '.')),
  });
}

/** Daily exchange rates of the Reserve Bank of Australia: units of a currency for one Australian dollar. */
export const rba: ImportFormat = {
  id: 'rba',
  doc: 'Daily exchange rates of the Reserve Bank of Australia (f11.1-data.csv)',
  ...ratesOf(FX_PUBLISHERS.rba, 'published by 17:00 Sydney time of its day, assumed: the file does not say'),
  download: {
    page: FX_PUBLISHERS.rba.url,
    address: 'https://www.rba.gov.au/statistics/tables/csv/f11.1-data.csv',
    file: 'f11.1-data.csv',
    appears: onWorkingDays('17:00', 'Australia/Sydney', 6),
    termsPage: 'https://www.rba.gov.au/copyright/',
  },
  recognises: ({ head }) => /^"?F11(?:\.\d)? +EXCHANGE RATES/.test(head),
  read: readTitles,
};

/** Titles that are no pairs: indexes, columns without a title. */
const NO_PAIRS = /^(?:Trade-weighted Index.*|)$/i;

function readTitles(file: ImportedFile): Iterable<FileLine> {
  // The columns of the monthly table call themselves daily as well: the title alone tells the two apart.
  if (!/^"?F11\.1 /.test(file.head))
    throw refuse('it is no table F11.1: rates at the end of a month are no daily rates.', { line: 1 });
  return readTable(file, {
    header: 'Series ID',
    titles: 'Title',
    example: 'A$1=USD',
    seriesOf(title, { line, fact }) {
      const [, code] = /^A\$1=([A-Z]{3})$/.exec(title) ?? [];
      if (code === undefined && !NO_PAIRS.test(title))
        throw refuse(`its title '${title}' is no pair such as A$1=USD.`, { line });
      // Special drawing rights and the trade-weighted index are no currencies.
      if (code === undefined || code === 'SDR') return undefined;
      if (fact('Frequency') !== 'Daily') throw refuse(`its column ${title} is not daily.`, { line });
      return pairSeries(FX_PUBLISHERS.rba, 'AUD', code);
    },
    spellings: ['D MMM YYYY'],
    rowOf: rateOfCell,
  });
}

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
    appears: onWorkingDays('12:15', 'Europe/Warsaw', 5),
    termsPage: 'https://nbp.pl/en/terms-of-use/',
  },
  recognises: ({ head }) => /^data;\d+[A-Z]{3};/.test(head),
  read: readArchive,
};

/** Special drawing rights are a unit of account, no currency. */
const NO_CURRENCY: ReadonlySet<string> = new Set(['XDR']);

/** The titles say of how many units of its currency each column has the price: `100JPY`. */
function readArchive(file: ImportedFile): Iterable<FileLine> {
  const unitsOf = new Map<FileSeries, number>();
  return readTable(file, {
    shape: { separator: ';', encoding: 'windows-1250' },
    header: 'data',
    example: '100JPY',
    seriesOf(title, { line }) {
      const [, units = '', code = ''] = /^(\d+)([A-Z]{3})$/.exec(title) ?? [];
      if (code === '' || NO_CURRENCY.has(code)) return undefined;
      if (!/^10*$/.test(units)) throw refuse(`'${title}' has a number of units that is no power of ten.`, { line });
      const series = pairSeries(FX_PUBLISHERS.nbp, code, 'PLN');
      unitsOf.set(series, Number(units));
      return series;
    },
    days: daysAbove,
    spellings: ['YYYYMMDD'],
    rowOf: (series, date, cell) => rateRow(series, date, dividedBy(readPositive(cell, ','), unitsOf.get(series) ?? 1)),
  });
}

/** A line of Polish names stands above the days, and a footer that repeats the header below them. */
function* daysAbove(lines: Iterable<CsvRecord>): Generator<CsvRecord> {
  let hasDays = false;
  let hasEnded = false;
  for (const record of lines) {
    const isDay = /\d/.test(record.cells[0] ?? '');
    hasEnded ||= hasDays && !isDay;
    if (isDay && hasEnded) throw refuse('a day stands behind the end of the table.', { line: record.line });
    hasDays ||= isDay;
    if (isDay) yield record;
  }
}
