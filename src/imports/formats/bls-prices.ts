import { onWorkingDays } from '../fetch/download.ts';
import type { FileLine, ImportedFile, ImportFormat } from '../format.ts';
import { readReleaseRule } from '../generic/release-rule.ts';
import { readDate, readNumber, refuse } from '../read/cells.ts';
import { headed, requireWidth } from '../read/dated-lines.ts';
import { lineWriter } from '../read/published-series.ts';
import { FRED_SERIES } from './stlouisfed/fred-series.ts';

/** Consumer prices of the Bureau of Labor Statistics, as a flat file of all its areas. */
export const blsPrices: ImportFormat = {
  id: 'bls-prices',
  publisher: 'BLS',
  doc: 'Consumer price indexes of the Bureau of Labor Statistics (cu.data.1.AllItems, cu.data.0.Current)',
  terms: 'Public domain of the United States.',
  publication: {
    revised: 'often',
    rule:
      'unadjusted prices are known from 08:30 New York time, 33 days after the end of their month, assumed. Earlier months ' +
      'are known with January 1988, the first index on their base, and months corrected in 2000 from the correction. ' +
      'Adjusted prices are known from the import',
  },
  download: {
    page: 'https://www.bls.gov/cpi/data.htm',
    address: 'https://download.bls.gov/pub/time.series/cu/cu.data.1.AllItems',
    file: 'cu.data.1.AllItems',
    needsContact: true,
    appears: { ...onWorkingDays('08:30', 'America/New_York', 20), daysOfMonth: [9, 20] },
    termsPage: 'https://www.bls.gov/bls/linksite.htm',
  },
  recognises: ({ head }) => /^\W*series_id\s*\tyear\tperiod\t\s*value\tfootnote_codes/.test(head),
  read: readPrices,
};

/** Late enough for releases that a shutdown delayed. */
const usually = readReleaseRule('month end +33d 08:30 America/New_York');

/** The first index on the base 1982-84=100. Earlier ones had other bases, and so other rounding. */
const FIRST_ON_BASE = '1988-01-01';

/** Months that were published again on 2000-09-28, higher by 0.1 or 0.2, and the end of that day. */
const CORRECTED = { from: '2000-01-01', to: '2000-08-01', at: Date.parse('2000-09-29T12:00:00Z') / 1000 } as const;

/** Unix seconds from which the number that the file has was known, by the first day of its month. */
function unadjustedIsKnown(month: string): number {
  const isCorrected = month >= CORRECTED.from && month <= CORRECTED.to;
  return Math.max(usually(month), usually(FIRST_ON_BASE), isCorrected ? CORRECTED.at : 0);
}

/** Indexes of all of the country, and the same series at FRED. */
const SERIES: ReadonlyMap<string, string> = new Map([
  ['CUUR0000SA0', 'CPIAUCNS'],
  ['CUSR0000SA0', 'CPIAUCSL'],
  ['CUUR0000SA0L1E', 'CPILFENS'],
  ['CUSR0000SA0L1E', 'CPILFESL'],
]);

function* readPrices(file: ImportedFile): Generator<FileLine> {
  const open = new Map<string, ReturnType<typeof lineWriter>>();
  for (const { cells, line } of headed(file, { separator: '\t' }).records) {
    requireWidth({ cells, line }, 5);
    const [id = '', year = '', period = '', text = ''] = cells;
    // Months alone: averages of half and whole years have periods of their own.
    if (!/^(?:M(?:0[1-9]|1[0-3])|S0[1-3])$/.test(period))
      throw refuse(`'${period}' is no period such as M01.`, { line });
    const fred = FRED_SERIES.get(SERIES.get(id) ?? '');
    if (!fred || period > 'M12') continue;
    const lineOf = open.get(id) ?? lineWriter({ ...fred, sourceSeriesId: id });
    open.set(id, lineOf);
    const date = readDate({ text: `${year}-${period.slice(1)}`, line }, 'YYYY-MM');
    const val = text === '-' || text === '' ? undefined : readNumber({ text, line, of: id });
    const knownFrom = fred.adjustment === 'NSA' ? unadjustedIsKnown(date) : undefined;
    const steps = val === undefined ? [] : [{ epoch: undefined, val, isFirst: false }];
    yield lineOf({ date, line, steps, precision: 'day', knownFrom });
  }
}
