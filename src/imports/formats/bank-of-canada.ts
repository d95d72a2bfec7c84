/** Exchange rates, yields and CORRA of the Bank of Canada: tables of its Valet service. */
import { FX_PUBLISHERS } from '../../contract/words/publishers.ts';
import { onWorkingDays } from '../fetch/download.ts';
import type { FileLine, FileSeries, ImportedFile, ImportFormat } from '../format.ts';
import { announcedSeries, valueOfCell, yieldSeries } from '../read/announced.ts';
import { refuse } from '../read/cells.ts';
import { readTable } from '../read/dated-lines.ts';
import { pairSeries, rateOfCell, ratesOf } from '../read/fx-rates.ts';
import { weekdaysLater } from '../read/release-days.ts';

const PUBLISHER = FX_PUBLISHERS['bank-of-canada'];
const YIELDS_PAGE = 'https://www.bankofcanada.ca/rates/interest-rates/canadian-bonds/';

/** Daily exchange rates of the Bank of Canada: Canadian dollars for one unit of another currency. */
export const bankOfCanada: ImportFormat = {
  id: 'bank-of-canada',
  doc: 'Daily exchange rates of the Bank of Canada (FX_RATES_DAILY.csv of its Valet service)',
  begins: '2017-01-03',
  ...ratesOf(PUBLISHER, 'published by 16:30 Toronto time of its day, as the file says; assumed for each rate'),
  download: {
    page: PUBLISHER.url,
    address: 'https://www.bankofcanada.ca/valet/observations/group/FX_RATES_DAILY/csv?start_date={from}',
    file: 'FX_RATES_DAILY.csv',
    begins: '2017-01-03',
    appears: onWorkingDays('16:30', 'America/Toronto', 5),
    termsPage: 'https://www.bankofcanada.ca/terms/',
  },
  recognises: ({ head }) => /^"?TERMS AND CONDITIONS/.test(head) && /"FX[A-Z]{6}"/.test(head),
  read: readRates,
};

/** A series that has ended stays in the table, without values. */
function readRates(file: ImportedFile): Iterable<FileLine> {
  return readTable(file, {
    header: 'date',
    example: 'FXUSDCAD',
    seriesOf(id, { line }) {
      const [, base, quote] = /^FX([A-Z]{3})([A-Z]{3})$/.exec(id) ?? [];
      if (base === undefined || quote === undefined)
        throw refuse(`its column '${id}' is no exchange rate such as FXUSDCAD.`, { line });
      return pairSeries(PUBLISHER, base, quote);
    },
    spellings: ['YYYY-MM-DD'],
    rowOf: rateOfCell,
  });
}

/** Yields of bonds and bills of the Bank of Canada, and its overnight rate CORRA. Averages of maturities, and the long bond without a maturity, are left out. */
export const bocYields: ImportFormat = {
  id: 'boc-yields',
  publisher: 'BoC',
  doc: 'Bond yields, bill yields and CORRA of the Bank of Canada (bond_yields_all.csv, money_market.csv, CORRA.csv of its Valet service)',
  terms: 'Free to use when the Bank of Canada is named; it endorses nothing.',
  publication: {
    revised: 'never',
    rule: 'published by 16:30 Toronto time of the next business day, three weekdays later assumed for holidays',
    at: weekdaysLater(3, { zone: 'America/Toronto', hour: 16.5 }),
  },
  begins: '2001-01-02',
  download: {
    page: YIELDS_PAGE,
    address: 'https://www.bankofcanada.ca/valet/observations/group/bond_yields_all/csv',
    file: 'bond_yields_all.csv',
    appears: onWorkingDays('16:30', 'America/Toronto', 7),
    termsPage: 'https://www.bankofcanada.ca/terms/',
  },
  recognises: ({ head }) => /^\W*TERMS AND CONDITIONS/.test(head) && /"(?:BD\.CDN|TB\.CDN|AVG\.INTWO)\b/.test(head),
  read: readYields,
};

function readYields(file: ImportedFile): Iterable<FileLine> {
  return readTable(file, {
    ...{ header: 'date', example: 'BD.CDN.10YR.DQ.YLD or AVG.INTWO (CORRA)' },
    ...{ seriesOf, spellings: ['YYYY-MM-DD'], rowOf: valueOfCell },
  });
}

function seriesOf(id: string): FileSeries | undefined {
  const publisher = { currency: 'CAD', source: 'Bank of Canada', sourceUrl: YIELDS_PAGE, sourceSeriesId: id };
  const years = /^BD\.CDN\.(\d+)YR\.DQ\.YLD$/.exec(id)?.[1];
  if (years !== undefined) return yieldSeries(`${years}Y`, 'Benchmark bond', publisher);
  const bill = BILLS[id];
  if (bill !== undefined) return yieldSeries(bill, 'Treasury bill', publisher);
  const other = OTHERS[id];
  return other && announcedSeries({ ...publisher, ...other, unit: '%', period: 'day', adjustment: 'NOT_APPLICABLE' });
}

const BILLS: Readonly<Record<string, string>> = {
  'TB.CDN.30D.MID': '1M',
  'TB.CDN.60D.MID': '2M',
  'TB.CDN.90D.MID': '3M',
  'TB.CDN.180D.MID': '6M',
  'TB.CDN.1Y.MID': '1Y',
};

const OTHERS: Readonly<
  Record<string, { readonly indicator: string; readonly name: string; readonly begins?: string }>
> = {
  'BD.CDN.RRB.DQ.YLD': { indicator: 'inflation_linked_bond', name: 'Real return bond yield, long-term' },
  'AVG.INTWO': { indicator: 'risk_free_rate', name: 'CORRA', begins: '1997-08-12' },
};
