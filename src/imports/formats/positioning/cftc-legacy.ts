import type { ImportFormat } from '../../format.ts';
import { refuse } from '../../read/cells.ts';
import { beginsWithMarket, CFTC, CFTC_DOWNLOAD, readTraders, type TraderReport, weeklyFile } from './traders.ts';

const titles: readonly (readonly [string, string])[] = [
  ['Open Interest (All)', 'open_interest'],
  ...(['Noncommercial', 'Commercial'] as const).flatMap((trader): [string, string][] => [
    [`${trader} Positions-Long (All)`, `${trader.toLowerCase()}_long`],
    [`${trader} Positions-Short (All)`, `${trader.toLowerCase()}_short`],
  ]),
  ['Noncommercial Positions-Spreading (All)', 'noncommercial_spread'],
  ['Total Reportable Positions-Long (All)', 'total_reportable_long'],
  ['Total Reportable Positions-Short (All)', 'total_reportable_short'],
  ['Nonreportable Positions-Long (All)', 'nonreportable_long'],
  ['Nonreportable Positions-Short (All)', 'nonreportable_short'],
];

const LEGACY: TraderReport = {
  report: 'legacy_futures',
  name: 'Legacy report, futures only',
  market: 'Market and Exchange Names',
  dates: ['As of Date in Form YYYY-MM-DD'],
  code: 'CFTC Contract Market Code',
  counts: new Map(titles),
  weekly: {
    width: 129,
    places: new Map([
      ['Market and Exchange Names', 0],
      ['As of Date in Form YYYY-MM-DD', 2],
      ['CFTC Contract Market Code', 3],
      ['Open Interest (All)', 7],
      ['Noncommercial Positions-Long (All)', 8],
      ['Noncommercial Positions-Short (All)', 9],
      ['Noncommercial Positions-Spreading (All)', 10],
      ['Commercial Positions-Long (All)', 11],
      ['Commercial Positions-Short (All)', 12],
      ['Total Reportable Positions-Long (All)', 13],
      ['Total Reportable Positions-Short (All)', 14],
      ['Nonreportable Positions-Long (All)', 15],
      ['Nonreportable Positions-Short (All)', 16],
    ]),
  },
  /** Only the name distinguishes this report from the report with options. */
  check(_, { name }, line) {
    if (/annualof|deahistfo|deacom/i.test(name))
      throw refuse('it has futures and options together, and the interface has futures alone.', { line });
  },
};

/** Legacy report of the CFTC, futures only: commercial and other traders. */
export const cftcLegacy: ImportFormat = {
  ...CFTC,
  id: 'cftc-legacy',
  doc: 'Positions of traders of the CFTC, legacy report, futures only (annual.txt, deacotYEAR.zip, deafut.txt)',
  endsLastLine: true,
  download: {
    ...CFTC_DOWNLOAD,
    address: 'https://www.cftc.gov/files/dea/history/deacot{year}.zip',
    file: 'deacot{year}.zip',
    begins: '1986-01-15',
    recent: weeklyFile('deafut.txt'),
  },
  recognises: ({ head }) =>
    (/^\W*Market and Exchange Names"/.test(head) && head.includes('Noncommercial Positions-Long')) ||
    beginsWithMarket(head, LEGACY.weekly.width),
  read: (file) => readTraders(file, LEGACY),
};
