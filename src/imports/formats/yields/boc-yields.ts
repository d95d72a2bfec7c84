import { onWorkingDays } from '../../fetch/download.ts';
import type { FileLine, FileSeries, ImportedFile, ImportFormat } from '../../format.ts';
import { announcedSeries, valueOfCell } from '../../read/announced.ts';
import { refuse } from '../../read/cells.ts';
import { datedLines } from '../../read/dated-lines.ts';
import { weekdaysLater } from '../../read/release-days.ts';
import { readValet, yieldSeries } from '../../read/tables.ts';

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
  endsLastLine: true,
  download: {
    page: 'https://www.bankofcanada.ca/rates/interest-rates/canadian-bonds/',
    address: 'https://www.bankofcanada.ca/valet/observations/group/bond_yields_all/csv',
    file: 'bond_yields_all.csv',
    maxBytes: 16_000_000,
    appears: onWorkingDays('16:30', 'America/Toronto', 7),
    termsPage: 'https://www.bankofcanada.ca/terms/',
    seen: { on: '2026', by: 'public programs that read it' },
  },
  recognises: ({ head }) => /^\W*TERMS AND CONDITIONS/.test(head) && /"(?:BD\.CDN|TB\.CDN|AVG\.INTWO)\b/.test(head),
  read: readYields,
};

const URL = 'https://www.bankofcanada.ca/rates/interest-rates/canadian-bonds/';

function readYields(file: ImportedFile): Iterable<FileLine> {
  const { ids, records } = readValet(file);
  const columns = ids.flatMap((id, at) => {
    const series = seriesOf(id);
    return series ? [{ place: at + 1, name: id, series }] : [];
  });
  if (columns.length === 0)
    throw refuse('its table has no yield such as BD.CDN.10YR.DQ.YLD, and no CORRA (AVG.INTWO).');
  return datedLines({ records, columns, width: ids.length + 1, spellings: ['YYYY-MM-DD'], rowOf: valueOfCell });
}

function seriesOf(id: string): FileSeries | undefined {
  const publisher = { currency: 'CAD', source: 'Bank of Canada', sourceUrl: URL, sourceSeriesId: id };
  const years = /^BD\.CDN\.(\d+)YR\.DQ\.YLD$/.exec(id)?.[1];
  if (years !== undefined) return yieldSeries(`${years}Y`, 'Benchmark bond', publisher);
  const bill = BILLS[id];
  if (bill !== undefined) return yieldSeries(bill, 'Treasury bill', publisher);
  const other = OTHERS[id];
  return (
    other && announcedSeries({ ...publisher, ...other, unit: '%', frequency: 'Daily', adjustment: 'NOT_APPLICABLE' })
  );
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
