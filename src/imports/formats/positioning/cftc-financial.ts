import type { ImportFormat } from '../../format.ts';
import { refuse } from '../../read/cells.ts';
import { beginsWithMarket, CFTC, CFTC_DOWNLOAD, readTraders, type TraderReport, weeklyFile } from './traders.ts';

const TRADERS = [
  ['Dealer', 'dealer'],
  ['Asset_Mgr', 'asset_manager'],
  ['Lev_Money', 'leveraged_funds'],
  ['Other_Rept', 'other_reportable'],
] as const;

const titles: readonly (readonly [string, string])[] = [
  ['Open_Interest_All', 'open_interest'],
  ...TRADERS.flatMap(([title, member]) =>
    ['Long', 'Short', 'Spread'].map((side): [string, string] => [
      `${title}_Positions_${side}_All`,
      `${member}_${side.toLowerCase()}`,
    ]),
  ),
  ['NonRept_Positions_Long_All', 'nonreportable_long'],
  ['NonRept_Positions_Short_All', 'nonreportable_short'],
];

const FINANCIAL: TraderReport = {
  report: 'tff_futures',
  name: 'Traders in financial futures, futures only',
  market: 'Market_and_Exchange_Names',
  // The second one until 2012, above dates of the same form.
  dates: ['Report_Date_as_YYYY-MM-DD', 'Report_Date_as_MM_DD_YYYY'],
  code: 'CFTC_Contract_Market_Code',
  counts: new Map(titles),
  weekly: {
    width: 87,
    places: new Map([
      ['Market_and_Exchange_Names', 0],
      ['Report_Date_as_YYYY-MM-DD', 2],
      ['CFTC_Contract_Market_Code', 3],
      // Open interest, then long, short and spread of each trader.
      ...titles.slice(0, 13).map(([title], place): [string, number] => [title, 7 + place]),
      ['NonRept_Positions_Long_All', 22],
      ['NonRept_Positions_Short_All', 23],
      ['FutOnly_or_Combined', 86],
    ]),
  },
  check({ cell }, _, line) {
    if (cell('FutOnly_or_Combined') !== 'FutOnly')
      throw refuse('it has futures and options together, and the interface has futures alone.', { line });
  },
};

/** Traders in financial futures of the CFTC, futures only. */
export const cftcFinancial: ImportFormat = {
  ...CFTC,
  id: 'cftc-financial',
  doc: 'Positions of traders of the CFTC, traders in financial futures, futures only (FinFutYY.txt, fut_fin_txt_YEAR.zip, FinFutWk.txt)',
  endsLastLine: true,
  download: {
    ...CFTC_DOWNLOAD,
    address: 'https://www.cftc.gov/files/dea/history/fut_fin_txt_{year}.zip',
    file: 'fut_fin_txt_{year}.zip',
    begins: '2010-01-05',
    recent: weeklyFile('FinFutWk.txt'),
  },
  recognises: ({ head }) =>
    (/^\W*Market_and_Exchange_Names"?,/.test(head) && head.includes('Dealer_Positions_Long_All')) ||
    beginsWithMarket(head, FINANCIAL.weekly.width),
  read: (file) => readTraders(file, FINANCIAL),
};
