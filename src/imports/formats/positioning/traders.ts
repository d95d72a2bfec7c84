/** Reports of the CFTC on positions of traders: a line for each market and week, of which the interface has some. */
import { asJsonText } from '../../../contract/json/json.ts';
import type { Download } from '../../fetch/download.ts';
import type { FileLine, FileRow, FileSeries, ImportedFile, ImportFormat } from '../../format.ts';
import { readDate, refuse } from '../../read/cells.ts';
import type { CsvRecord } from '../../read/csv.ts';
import { requireWidth } from '../../read/dated-lines.ts';
import { reportIsKnown } from '../../read/release-days.ts';

/** By the code of the contract, because names of markets change over the years. */
const CONTRACTS: ReadonlyMap<string, string> = new Map([
  ['232741', 'AUD'],
  ['090741', 'CAD'],
  ['092741', 'CHF'],
  ['099741', 'EUR'],
  ['096742', 'GBP'],
  ['097741', 'JPY'],
  ['095741', 'MXN'],
  ['112741', 'NZD'],
  ['098662', 'USD'],
  ['088691', 'XAU'],
]);

/** How one of the reports is written. */
export interface TraderReport {
  readonly report: 'legacy_futures' | 'tff_futures';
  readonly name: string;
  /** Titles that the column of dates has had, newest first. */
  readonly dates: readonly string[];
  readonly code: string;
  readonly market: string;
  /** Members of a row by the titles of their columns, without blanks around them. */
  readonly counts: ReadonlyMap<string, string>;
  /** The headerless file of one week has the same columns: their number, and the place of each column that is read. */
  readonly weekly: { readonly width: number; readonly places: ReadonlyMap<string, number> };
  /** Refuses a file or a line of another report. */
  check(record: Readonly<Record<'cell', (title: string) => string>>, file: ImportedFile, line: number): void;
}

export const CFTC = {
  publisher: 'CFTC',
  terms: 'Public domain of the United States.',
  publication: {
    revised: 'never',
    rule:
      'published at 15:30 New York time on Friday, or on Tuesday of the next week if a holiday may lie between, assumed. ' +
      'Until 2000 the bound is two weeks later, until 1990 the middle of the next month. Late reports, and those of the ' +
      'middle of a month until 1990, are known from the import',
    at: reportIsKnown,
  },
} as const satisfies Partial<ImportFormat>;

/** Max days since a report while the second one behind it cannot be out. Each takes three days at least. */
const NEXT_REPORT_DAYS = 16;

/** The file of the newest week. */
export const weeklyFile = (file: string): NonNullable<Download['recent']> => ({
  address: `https://www.cftc.gov/dea/newcot/${file}`,
  file,
  days: NEXT_REPORT_DAYS,
});

/** A file for each year, which grows by a week. */
export const CFTC_DOWNLOAD = {
  page: 'https://www.cftc.gov/MarketReports/CommitmentsofTraders/HistoricalCompressed/index.htm',
  maxBytes: 32_000_000,
  appears: { at: '15:30', zone: 'America/New_York', weekdays: [1, 2, 5], silentAfterDays: 10 },
  termsPage: 'https://www.cftc.gov/WebPolicy/index.htm',
  seen: { on: '2026', by: 'public programs that fetch the file of the year' },
} as const satisfies Partial<Download>;

/**
 * Counts have blanks before them. A point stands for a count that is withheld, and that is no value.
 * @throws MacroError of kind `usage`.
 */
export function* readTraders(file: ImportedFile, report: TraderReport): Generator<FileLine> {
  let places: ReadonlyMap<string, number> | undefined;
  let width = 0;
  const series = new Map<string, FileSeries>();
  for (const { cells, line } of file.records({ separator: ',' })) {
    if (!places) {
      const isWeekly = cells.length === report.weekly.width && /^\d{6}$/.test(cells[1]?.trim() ?? '');
      places = isWeekly ? report.weekly.places : placesIn({ cells, line }, report);
      width = cells.length;
      if (!isWeekly) continue;
    }
    requireWidth({ cells, line }, width);
    const known = places;
    const dateTitle = report.dates.find((title) => known.has(title)) ?? '';
    const cell = (title: string): string => cells[known.get(title) ?? -1]?.trim() ?? '';
    const code = cell(report.code);
    if (!/^[0-9A-Z+]{5,7}$/.test(code)) throw refuse(`'${code}' is no code of a contract.`, { line });
    const date = readDate({ text: cell(dateTitle), line }, 'YYYY-MM-DD');
    report.check({ cell }, file, line);
    const currency = CONTRACTS.get(code);
    if (currency === undefined) continue;
    const one = series.get(currency) ?? seriesOf(report, { currency, code, market: cell(report.market) });
    series.set(currency, one);
    yield { number: line, date, rows: [rowOf(one, date, countsOf(report, cell, line))], names: [one] };
  }
}

/** Does a file begin with a line of a market, as the file of one week does? */
export function beginsWithMarket(head: string, width: number): boolean {
  const [first = ''] = head.split('\n', 1);
  if (!/^"[^"]+" *,\d{6} *,\d{4}-\d\d-\d\d *,/.test(first)) return false;
  return first.replaceAll(/"[^"]*"/g, '').split(',').length === width;
}

/** Some titles have blanks inside of their quotes. */
function placesIn({ cells, line }: CsvRecord, { counts, dates, code, market }: TraderReport) {
  const titles = cells.map((title) => title.trim());
  const date = dates.find((title) => titles.includes(title)) ?? dates[0] ?? '';
  const lacking = [market, date, code, ...counts.keys()].find((title) => !titles.includes(title));
  if (lacking !== undefined) throw refuse(`its header has no column '${lacking}'.`, { line });
  return new Map(titles.map((title, place) => [title, place]));
}

function countsOf({ counts }: TraderReport, cell: (title: string) => string, line: number) {
  return [...counts].flatMap(([title, member]): readonly (readonly [string, string])[] => {
    const text = cell(title);
    if (text === '.' || text === '') return [];
    if (!/^(?:0|[1-9]\d{0,11})$/.test(text)) throw refuse(`'${text}' is no count of ${title}.`, { line });
    return [[member, text]];
  });
}

function rowOf(series: FileSeries, date: string, counts: readonly (readonly [string, string])[]): FileRow {
  const text = asJsonText(`{"date":"${date}"${counts.map(([name, count]) => `,"${name}":${count}`).join('')}}`);
  const value = { date, ...Object.fromEntries(counts.map(([name, count]) => [name, Number(count)])) };
  return { series, row: { text, value } };
}

function seriesOf(
  { report, name }: TraderReport,
  { currency, code, market }: { readonly currency: string; readonly code: string; readonly market: string },
): FileSeries {
  return {
    endpoint: 'cot',
    scope: { currency, report },
    envelope: {
      currency,
      report,
      instrument: market,
      report_name: name,
      report_dataset_id: code,
      available_reports: [report],
      source: 'CFTC',
      source_url: 'https://www.cftc.gov/MarketReports/CommitmentsofTraders/',
      source_series_id: code,
    },
    ofBusinessDays: true,
    ofTuesdays: true,
  };
}
