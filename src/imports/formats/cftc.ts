/** Reports of the CFTC on positions of traders: a line for each market and week, of which the interface has some. */
import { asJsonText } from '../../contract/json/json.ts';
import type { FileLine, FileRow, FileSeries, ImportedFile, ImportFormat } from '../format.ts';
import { readDate, refuse } from '../read/cells.ts';
import type { CsvRecord } from '../read/csv.ts';
import { requireWidth } from '../read/dated-lines.ts';
import { reportIsKnown } from '../read/release-days.ts';

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

/** How one of the reports is written. The headerless file of one week has the same columns. */
interface TraderReport {
  readonly report: 'legacy_futures' | 'tff_futures';
  readonly name: string;
  /** Number of columns. */
  readonly width: number;
  readonly market: string;
  /** Titles that the column of dates has had, newest first. */
  readonly dates: readonly string[];
  readonly code: string;
  /** Title of a count without blanks around it, its place, and the member that it becomes. */
  readonly counts: readonly (readonly [title: string, place: number, member: string])[];
  /** Refuses a file of positions in futures and options together. */
  hasOptions(lastCell: string, file: ImportedFile): boolean;
}

const LEGACY: TraderReport = {
  report: 'legacy_futures',
  name: 'Legacy report, futures only',
  width: 129,
  market: 'Market and Exchange Names',
  dates: ['As of Date in Form YYYY-MM-DD'],
  code: 'CFTC Contract Market Code',
  counts: [
    ['Open Interest (All)', 7, 'open_interest'],
    ['Noncommercial Positions-Long (All)', 8, 'noncommercial_long'],
    ['Noncommercial Positions-Short (All)', 9, 'noncommercial_short'],
    ['Commercial Positions-Long (All)', 11, 'commercial_long'],
    ['Commercial Positions-Short (All)', 12, 'commercial_short'],
    ['Noncommercial Positions-Spreading (All)', 10, 'noncommercial_spread'],
    ['Total Reportable Positions-Long (All)', 13, 'total_reportable_long'],
    ['Total Reportable Positions-Short (All)', 14, 'total_reportable_short'],
    ['Nonreportable Positions-Long (All)', 15, 'nonreportable_long'],
    ['Nonreportable Positions-Short (All)', 16, 'nonreportable_short'],
  ],
  // Only the name distinguishes the two.
  hasOptions: (_, { name }) => /annualof|deahistfo|deacom/i.test(name),
};

const TRADERS = [
  ['Dealer', 'dealer'],
  ['Asset_Mgr', 'asset_manager'],
  ['Lev_Money', 'leveraged_funds'],
  ['Other_Rept', 'other_reportable'],
] as const;

const FINANCIAL: TraderReport = {
  report: 'tff_futures',
  name: 'Traders in financial futures, futures only',
  width: 87,
  market: 'Market_and_Exchange_Names',
  // The second one until 2012, above dates of the same form.
  dates: ['Report_Date_as_YYYY-MM-DD', 'Report_Date_as_MM_DD_YYYY'],
  code: 'CFTC_Contract_Market_Code',
  counts: [
    ['Open_Interest_All', 7, 'open_interest'],
    ...TRADERS.flatMap(([title, member], trader) =>
      ['Long', 'Short', 'Spread'].map(
        (side, at) =>
          [`${title}_Positions_${side}_All`, 8 + 3 * trader + at, `${member}_${side.toLowerCase()}`] as const,
      ),
    ),
    ['NonRept_Positions_Long_All', 22, 'nonreportable_long'],
    ['NonRept_Positions_Short_All', 23, 'nonreportable_short'],
  ],
  hasOptions: (lastCell) => lastCell !== 'FutOnly',
};

/** Max days since a report while the second one behind it cannot be out. Each takes three days at least. */
const NEXT_REPORT_DAYS = 16;

/** Legacy report of the CFTC, futures only: commercial and other traders. */
export const cftcLegacy = cftcFormat(LEGACY, {
  id: 'cftc-legacy',
  doc: 'Positions of traders of the CFTC, legacy report, futures only (annual.txt, deacotYEAR.zip, deafut.txt)',
  yearly: 'deacot{year}.zip',
  weekly: 'deafut.txt',
  begins: '1986-01-15',
  header: /^\W*Market and Exchange Names".*Noncommercial Positions-Long/,
});

/** Traders in financial futures of the CFTC, futures only. */
export const cftcFinancial = cftcFormat(FINANCIAL, {
  id: 'cftc-financial',
  doc: 'Positions of traders of the CFTC, traders in financial futures, futures only (FinFutYY.txt, fut_fin_txt_YEAR.zip, FinFutWk.txt)',
  yearly: 'fut_fin_txt_{year}.zip',
  weekly: 'FinFutWk.txt',
  begins: '2010-01-05',
  header: /^\W*Market_and_Exchange_Names"?,.*Dealer_Positions_Long_All/,
});

/** A format of the CFTC: a file for each year, which grows by a week, and one of the newest week. */
function cftcFormat(
  report: TraderReport,
  file: Readonly<Record<'id' | 'doc' | 'yearly' | 'weekly' | 'begins', string>> & { readonly header: RegExp },
): ImportFormat {
  return {
    id: file.id,
    publisher: 'CFTC',
    doc: file.doc,
    terms: 'Public domain of the United States.',
    publication: {
      revised: 'never',
      rule:
        'published at 15:30 New York time on Friday, or on Tuesday of the next week if a holiday may lie between, assumed. ' +
        'Until 2000 the bound is two weeks later, until 1990 the middle of the next month. Late reports, and those of the ' +
        'middle of a month until 1990, are known from the import',
      at: reportIsKnown,
    },
    download: {
      page: 'https://www.cftc.gov/MarketReports/CommitmentsofTraders/HistoricalCompressed/index.htm',
      address: `https://www.cftc.gov/files/dea/history/${file.yearly}`,
      file: file.yearly,
      begins: file.begins,
      recent: { address: `https://www.cftc.gov/dea/newcot/${file.weekly}`, file: file.weekly, days: NEXT_REPORT_DAYS },
      appears: { at: '15:30', zone: 'America/New_York', weekdays: [1, 2, 5], silentAfterDays: 10 },
      termsPage: 'https://www.cftc.gov/WebPolicy/index.htm',
    },
    recognises: ({ head }) => file.header.test(head) || beginsWithMarket(head, report.width),
    read: (read) => readTraders(read, report),
  };
}

/**
 * Counts have blanks before them. A point stands for a count that is withheld, and that is no value.
 * @throws MacroError of kind `usage`.
 */
function* readTraders(file: ImportedFile, report: TraderReport): Generator<FileLine> {
  let places: ReadonlyMap<string, number> | undefined;
  let width = 0;
  const series = new Map<string, FileSeries>();
  for (const { cells, line } of file.records({ separator: ',' })) {
    if (!places) {
      const isWeekly = cells.length === report.width && /^\d{6}$/.test(cells[1]?.trim() ?? '');
      places = isWeekly ? weeklyPlaces(report) : placesIn({ cells, line }, report);
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
    if (report.hasOptions(cells.at(-1)?.trim() ?? '', file))
      throw refuse('it has futures and options together, and the interface has futures alone.', { line });
    const currency = CONTRACTS.get(code);
    if (currency === undefined) continue;
    const one = series.get(currency) ?? seriesOf(report, { currency, code, market: cell(report.market) });
    series.set(currency, one);
    yield { number: line, date, rows: [rowOf(one, date, countsOf(report, cell, line))], names: [one] };
  }
}

/** Does a file begin with a line of a market, as the file of one week does? */
function beginsWithMarket(head: string, width: number): boolean {
  const [first = ''] = head.split('\n', 1);
  if (!/^"[^"]+" *,\d{6} *,\d{4}-\d\d-\d\d *,/.test(first)) return false;
  return first.replaceAll(/"[^"]*"/g, '').split(',').length === width;
}

/** Some titles have blanks inside of their quotes. */
function placesIn({ cells, line }: CsvRecord, { counts, dates, code, market }: TraderReport) {
  const titles = cells.map((title) => title.trim());
  const date = dates.find((title) => titles.includes(title)) ?? dates[0] ?? '';
  const lacking = [market, date, code, ...counts.map(([title]) => title)].find((title) => !titles.includes(title));
  if (lacking !== undefined) throw refuse(`its header has no column '${lacking}'.`, { line });
  return new Map(titles.map((title, place) => [title, place]));
}

const weeklyPlaces = ({ market, dates: [date = ''], code, counts }: TraderReport): ReadonlyMap<string, number> =>
  new Map([[market, 0], [date, 2], [code, 3], ...counts.map(([title, place]): [string, number] => [title, place])]);

function countsOf({ counts }: TraderReport, cell: (title: string) => string, line: number) {
  return counts.flatMap(([title, , member]): readonly (readonly [string, string])[] => {
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
