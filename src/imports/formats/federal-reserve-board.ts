/** H.10 and H.15 of the Federal Reserve Board: a table of its Data Download Program, or the release as XML. */
import { FX_PUBLISHERS } from '../../contract/words/publishers.ts';
import { onWorkingDays } from '../fetch/download.ts';
import type { FileLine, FileRow, FileSeries, ImportedFile, ImportFormat } from '../format.ts';
import { valueOfCell, yieldSeries } from '../read/announced.ts';
import { type PlacedCell, readDate, refuse } from '../read/cells.ts';
import { readTable } from '../read/dated-lines.ts';
import { H10_CURRENCIES, isCurrencyCode, pairSeries, rateOfCell, ratesOf } from '../read/fx-rates.ts';
import { H15_HOUR, weekdaysLater } from '../read/release-days.ts';
import { isMarkup } from '../read/xml.ts';

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
    appears: { at: '16:15', zone: 'America/New_York', weekdays: [1, 2], silentAfterDays: 14 },
    termsPage: 'https://www.federalreserve.gov/disclaimer.htm',
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

const RATES: BoardRelease = {
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
    appears: onWorkingDays('16:15', 'America/New_York', 7),
    termsPage: 'https://www.federalreserve.gov/disclaimer.htm',
  },
  recognises: ({ head }) =>
    isBoardXml(head, 'H15') || (/^\W*Series Description"?,/.test(head) && head.includes('H15/H15/')),
  read: (file) => boardLines(file, YIELDS),
};

/** `RIFLGFCY10_N.B` is 10 years, on business days. Other rates of the release are no yields of a maturity. */
const YIELD = /^RIFLGFC([MY])(\d{2})_N\.([A-Z]+)$/;

const YIELDS: BoardRelease = {
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

/** A series of the Board's data, with what its file says of it. */
interface BoardSeries {
  /** `RXI_N.B.CA` */
  readonly id: string;
  readonly unit: string;
  readonly multiplier: string;
  readonly currency: string;
  readonly line: number;
}

/** The parts of a Board release that are read. */
interface BoardRelease {
  /** An id, for messages. */
  readonly example: string;
  /** A series of averages, which has no values of days. */
  isAverage(id: string): boolean;
  /** Undefined for a series that is left out. @throws MacroError of kind `usage`. */
  seriesOf(described: BoardSeries): FileSeries | undefined;
  rowOf(series: FileSeries, date: string, cell: PlacedCell): FileRow;
}

/** `ND` is a holiday, and `NC` and `NA` are days on which there was none. */
const NO_VALUE = ['ND', 'NC', 'NA'];

/** Does a file begin as the XML of a release does, such as `H15`? */
const isBoardXml = (head: string, release: string): boolean =>
  isMarkup(head) && new RegExp(`(?:compact/|DataSet [^>]*\\bid=")${release}(?![A-Z\\d])`).test(head);

/** Both forms: a table of the Data Download Program, or the release itself as XML. @throws MacroError of kind `usage`. */
function boardLines(file: ImportedFile, release: BoardRelease): Iterable<FileLine> {
  return isMarkup(file.head) ? linesOfXml(file, release) : linesOfTable(file, release);
}

/** The last line of facts, `Time Period`, has the ids. */
const linesOfTable = (file: ImportedFile, { example, isAverage, seriesOf, rowOf }: BoardRelease): Iterable<FileLine> =>
  readTable(file, {
    ...{ header: 'Time Period', example, spellings: ['YYYY-MM-DD'], missing: NO_VALUE, rowOf },
    seriesOf(id, { line, fact }) {
      if (isAverage(id)) throw refuse(`its column ${id} has averages, and those are no daily values.`, { line });
      return seriesOf({ id, unit: fact('Unit:'), multiplier: fact('Multiplier:'), currency: fact('Currency:'), line });
    },
  });

/** A `Series` has an `Obs` for each day, and -9999 beside a status that says that there is none. */
function* linesOfXml(file: ImportedFile, { example, seriesOf, rowOf }: BoardRelease): Generator<FileLine> {
  let open: { readonly id: string; readonly series: FileSeries } | undefined;
  let hasAny = false;
  for (const { name, attributes, line } of file.elements()) {
    if (name === 'Series' && attributes) {
      const { SERIES_NAME: id = '', UNIT: unit = '', UNIT_MULT: multiplier = '', CURRENCY: currency = '' } = attributes;
      const series = seriesOf({ id, unit, multiplier, currency, line });
      open = series && { id, series };
      hasAny ||= open !== undefined;
    } else if (name === 'Obs' && attributes && open) {
      const { TIME_PERIOD: day = '', OBS_VALUE: text = '', OBS_STATUS: status = '' } = attributes;
      const date = readDate({ text: day, line }, 'YYYY-MM-DD');
      const isMissing = NO_VALUE.includes(status);
      if (!isMissing && text === '-9999')
        throw refuse(`${text} stands for no value, and the status of ${open.id} is '${status}'.`, { line });
      const rows = isMissing ? [] : [rowOf(open.series, date, { text, line, of: open.id })];
      yield { number: line, date, rows, names: [open.series] };
    }
  }
  if (!hasAny) throw refuse(`it has no series such as ${example}.`);
}
