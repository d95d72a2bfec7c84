import { onWorkingDays } from '../../fetch/download.ts';
import type { ImportFormat } from '../../format.ts';
import { valueOfCell } from '../../read/announced.ts';
import { refuse } from '../../read/cells.ts';
import { weekdaysLater } from '../../read/release-days.ts';
import { boardLines, H15_HOUR, isBoardXml, yieldSeries } from '../../read/tables.ts';

/** Selected interest rates of the Federal Reserve Board (H.15): yields at constant maturity. */
export const h15: ImportFormat = {
  id: 'h15',
  publisher: 'H.15',
  doc: 'Treasury yields at constant maturity of the Federal Reserve Board, H.15, daily (FRB_h15_xml.zip or FRB_H15.csv)',
  terms: 'Public domain of the United States.',
  publication: {
    revised: 'never',
    rule: 'published by 16:15 New York time of the next business day, two weekdays later assumed for holidays',
    at: weekdaysLater(2, H15_HOUR),
  },
  begins: '1962-01-02',
  download: {
    page: 'https://www.federalreserve.gov/releases/h15/',
    address: 'https://www.federalreserve.gov/releases/h15/data/FRB_h15_xml.zip',
    file: 'FRB_h15_xml.zip',
    maxBytes: 32_000_000,
    appears: onWorkingDays('16:15', 'America/New_York', 7),
    termsPage: 'https://www.federalreserve.gov/disclaimer.htm',
    seen: {
      on: '2026-08-26',
      by: 'public programs',
    },
  },
  recognises: ({ head }) =>
    isBoardXml(head, 'H15') || (/^\W*Series Description"?,/.test(head) && head.includes('H15/H15/')),
  read: (file) => boardLines(file, YIELDS),
};

/** `RIFLGFCY10_N.B` is 10 years, on business days. Other rates of the release are no yields of a maturity. */
const YIELD = /^RIFLGFC([MY])(\d{2})_N\.([A-Z]+)$/;

const YIELDS: Parameters<typeof boardLines>[1] = {
  example: 'RIFLGFCY10_N.B',
  rowOf: valueOfCell,
  isAverage: (id) => (YIELD.exec(id)?.[3] ?? 'B') !== 'B',
  seriesOf({ id, unit, multiplier, line }) {
    const [, word = '', size, frequency] = YIELD.exec(id) ?? [];
    if (frequency !== 'B') return undefined;
    if (!/^Percent(?::_Per_Year)?$/.test(unit) || multiplier !== '1')
      throw refuse(`its series ${id} is in '${unit}' times '${multiplier}', not in per cent.`, { line });
    return yieldSeries(`${Number(size)}${word}`, 'Treasury', {
      currency: 'USD',
      source: 'Federal Reserve Board',
      sourceUrl: 'https://www.federalreserve.gov/releases/h15/',
      sourceSeriesId: id,
    });
  },
};
