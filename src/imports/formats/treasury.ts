import { onWorkingDays } from '../fetch/download.ts';
import type { FileLine, FileRow, FileSeries, ImportedFile, ImportFormat } from '../format.ts';
import { readReleaseRule } from '../generic/release-rule.ts';
import { valueOfCell, yieldSeries } from '../read/announced.ts';
import { type PlacedCell, readDate, refuse } from '../read/cells.ts';
import type { CsvRecord } from '../read/csv.ts';
import { readTable } from '../read/dated-lines.ts';
import { isMarkup } from '../read/xml.ts';

/** Par yields of the US Treasury. Columns come and go with the years, so they are read by their titles. */
export const treasury: ImportFormat = {
  id: 'treasury',
  publisher: 'Treasury',
  doc: 'Daily par yield curve rates of the US Treasury (daily-treasury-rates.csv, or its XML), all years or one',
  terms: 'Public domain of the United States.',
  publication: {
    revised: 'never',
    rule: 'published by 18:00 New York time of its day, assumed: the file does not say',
    at: readReleaseRule('day 18:00 America/New_York'),
  },
  begins: '1990-01-02',
  download: {
    page: 'https://home.treasury.gov/resource-center/data-chart-center/interest-rates',
    address:
      'https://home.treasury.gov/resource-center/data-chart-center/interest-rates/daily-treasury-rates.csv/{year}/all' +
      '?type=daily_treasury_yield_curve&field_tdr_date_value={year}&page&_format=csv',
    file: 'daily-treasury-rates-{year}.csv',
    begins: '1990-01-02',
    appears: onWorkingDays('18:00', 'America/New_York', 6),
    termsPage: 'https://home.treasury.gov/subfooter/site-policies-and-notices',
  },
  recognises: ({ head }) => /^\W*Date"?,"?\d+(?:\.\d+)? (?:Mo|Month|Yr)"?,/.test(head) || isFeed(head),
  read: (file) => (isFeed(file.head) ? feedLines(file) : curveLines(file)),
};

const isFeed = (head: string): boolean => isMarkup(head) && /\bBC_\d+(?:_\d+)?(?:MONTH|YEAR)\b/.test(head);

const curveLines = (file: ImportedFile): Iterable<FileLine> =>
  readTable(file, {
    header: 'Date',
    example: '10 Yr',
    seriesOf(title, { line }) {
      const series = seriesOf(title);
      if (series) return series;
      throw refuse(`its column '${title}' is no maturity such as 10 Yr.`, { line });
    },
    days: withFullYears,
    spellings: ['MM/DD/YYYY', 'YYYY-MM-DD'],
    // The Treasury did not issue the maturity then, or had a holiday.
    missing: ['N/A'],
    rowOf: yieldOfCell,
  });

/** First days of younger maturities: a file with earlier values has those of another column in theirs. */
const BEGAN: Readonly<Record<string, string>> = {
  gov_bond_1_5m: '2025-02-18',
  gov_bond_2m: '2018-10-16',
  gov_bond_4m: '2022-10-19',
};

function yieldOfCell(series: FileSeries, date: string, cell: PlacedCell): FileRow {
  const began = BEGAN[series.scope.indicator ?? ''];
  if (began !== undefined && date < began)
    throw refuse(`it has ${cell.of} on ${date}, and the Treasury has that maturity since ${began}. Cells have moved.`, {
      line: cell.line,
    });
  return valueOfCell(series, date, cell);
}

/** `1/2/90` in the archive of all years, which begins in 1990. */
function* withFullYears(records: Iterable<CsvRecord>): Generator<CsvRecord> {
  for (const { cells, line } of records) {
    const [, day, year = ''] = /^(\d{1,2}\/\d{1,2}\/)(\d{2})$/.exec(cells[0] ?? '') ?? [];
    const full = `${day}${Number(year) >= 90 ? '19' : '20'}${year}`;
    yield day === undefined ? { cells, line } : { cells: [full, ...cells.slice(1)], line };
  }
}

/** The feed has an element for each maturity of a day, behind its date; one without a value is empty. */
function* feedLines(file: ImportedFile): Generator<FileLine> {
  const known = new Map<string, FileSeries | undefined>();
  let date: string | undefined;
  for (const { name, text, line } of file.elements()) {
    if (name === 'properties') date = undefined;
    if (name === 'NEW_DATE' && text !== '')
      date = readDate({ text: text.replace('T00:00:00', ''), line }, 'YYYY-MM-DD');
    const [, size = '', unit] = /^BC_(\d+(?:_\d+)?)(MONTH|YEAR)$/.exec(name) ?? [];
    if (unit === undefined || text === '') continue;
    if (date === undefined) throw refuse(`its ${name} stands before the date.`, { line });
    if (!known.has(name)) known.set(name, seriesOf(titleOf(size, unit)));
    const series = known.get(name);
    if (series) yield { number: line, date, rows: [yieldOfCell(series, date, { text, line, of: name })] };
  }
}

/** The title that the maturity has in the CSV. */
const titleOf = (size: string, unit: string): string =>
  size.includes('_') ? `${size.replace('_', '.')} Month` : `${size} ${unit === 'YEAR' ? 'Yr' : 'Mo'}`;

function seriesOf(title: string): FileSeries | undefined {
  const [, size, unit] = /^(\d+(?:\.\d+)?) (Mo|Month|Yr)$/.exec(title) ?? [];
  if (size === undefined) return undefined;
  return yieldSeries(`${size}${unit === 'Yr' ? 'Y' : 'M'}`, 'Treasury par', {
    currency: 'USD',
    source: 'US Treasury',
    sourceUrl: 'https://home.treasury.gov/resource-center/data-chart-center/interest-rates',
    sourceSeriesId: title,
  });
}
