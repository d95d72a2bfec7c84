import { FX_PUBLISHERS } from '../../contract/words/publishers.ts';
import type { ImportFormat } from '../format.ts';
import { refuse } from '../read/cells.ts';
import { H10_CURRENCIES, isCurrencyCode, pairSeries, rateOfCell, ratesOf } from '../read/fx-rates.ts';
import { boardLines, isBoardXml } from '../read/tables.ts';

/** Foreign exchange rates of the Federal Reserve Board (H.10), some per dollar and some in dollars. */
export const h10: ImportFormat = {
  id: 'h10',
  doc: 'Foreign exchange rates of the Federal Reserve Board, H.10, daily (FRB_h10_xml.zip or FRB_H10.csv)',
  begins: '1971-01-04',
  ...ratesOf(
    FX_PUBLISHERS.h10,
    'published with its week, by 16:15 New York time on Tuesday of the next week, assumed: the file does not say',
  ),
  download: {
    page: FX_PUBLISHERS.h10.url,
    address: 'https://www.federalreserve.gov/releases/h10/data/FRB_h10_xml.zip',
    file: 'FRB_h10_xml.zip',
    maxBytes: 32_000_000,
    appears: { at: '16:15', zone: 'America/New_York', weekdays: [1, 2], silentAfterDays: 14 },
    termsPage: 'https://www.federalreserve.gov/disclaimer.htm',
    seen: {
      on: '2026-10-05',
      by: 'public programs',
    },
  },
  recognises: ({ head }) =>
    isBoardXml(head, 'H10') ||
    (/^\W*(?:Series Description|Time Period)"?,/.test(head) && /\bRXI(?:\$US)?_N\./.test(head)),
  read: (file) => boardLines(file, RATES),
};

/** `RXI$US_N.B.AL`: on business days, in Australia. */
const RATE = /^RXI(\$US)?_N\.([A-Z])\.([A-Z]{2,3})$/;

/** The values are dollars for one pound all the same. */
const OF_STERLING = '0.00999999978';

const RATES: Parameters<typeof boardLines>[1] = {
  example: 'RXI_N.B.CA',
  rowOf: rateOfCell,
  isAverage: (id) => (RATE.exec(id)?.[2] ?? 'B') !== 'B',
  /**
   * The id gives the direction: `$US` means dollars for one unit. Files from before 2026 repeat it in the unit,
   * `Currency:_Per_AUD`; newer ones name the other currency. A download without labels has the ids alone.
   */
  seriesOf({ id, unit, multiplier, currency, line }) {
    const [, inDollars, frequency, area = ''] = RATE.exec(id) ?? [];
    // Indexes and averages stand in the same file. That of Venezuela names a currency that ended in 2007 beside rates of today.
    if (frequency !== 'B' || area.startsWith('VE')) return undefined;
    if (multiplier !== '' && multiplier !== '1' && !(area === 'UK' && multiplier === OF_STERLING))
      throw refuse(`its series ${id} is times '${multiplier}', and rates are of one unit.`, { line });
    const per = /^Currency:_Per_([A-Z]{3})$/.exec(unit)?.[1];
    const [other = '', third] = new Set(
      [per, currency, H10_CURRENCIES[area]].filter((code) => code !== undefined && code !== '' && code !== 'USD'),
    );
    const isOneWay = per === undefined || per === (inDollars === undefined ? 'USD' : other);
    if (!isOneWay || third !== undefined || !isCurrencyCode(other))
      throw refuse(`the id ${id} and its unit '${unit}' in '${currency}' do not agree.`, { line });
    const [base, quote] = inDollars === undefined ? ['USD', other] : [other, 'USD'];
    return pairSeries(FX_PUBLISHERS.h10, base, quote);
  },
};
