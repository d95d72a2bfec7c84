import { FX_PUBLISHERS } from '../../contract/words/publishers.ts';
import { onWorkingDays } from '../fetch/download.ts';
import type { FileLine, FileSeries, ImportedFile, ImportFormat } from '../format.ts';
import { readDate, refuse } from '../read/cells.ts';
import { readTable } from '../read/dated-lines.ts';
import { isCurrencyCode, pairSeries, rateOfCell, ratesOf } from '../read/fx-rates.ts';
import { isMarkup } from '../read/xml.ts';

/** The ECB's euro reference rates: the whole history, 90 days or one day, as CSV, as ZIP or as XML. */
export const ecb: ImportFormat = {
  id: 'ecb',
  doc: 'Euro foreign exchange reference rates of the European Central Bank (eurofxref-hist.csv, its ZIP, or its XML)',
  begins: '1999-01-04',
  ...ratesOf(FX_PUBLISHERS.ecb, 'published at 16:00 Frankfurt time of its day, assumed: the file does not say'),
  download: {
    page: FX_PUBLISHERS.ecb.url,
    address: 'https://www.ecb.europa.eu/stats/eurofxref/eurofxref-hist.zip',
    file: 'eurofxref-hist.zip',
    recent: {
      address: 'https://www.ecb.europa.eu/stats/eurofxref/eurofxref-hist-90d.zip',
      file: 'eurofxref-hist-90d.zip',
      days: 60,
    },
    appears: onWorkingDays('16:00', 'Europe/Berlin', 5),
    termsPage: 'https://www.ecb.europa.eu/services/using-our-site/disclaimer/html/index.en.html',
  },
  recognises: ({ head }) => /^\s*Date *, *[A-Z]{3} *,/.test(head) || isXml(head),
  read: (file) => (isXml(file.head) ? cubesOf(file) : tableOf(file)),
};

/** The ECB's vocabulary stands in the first element. */
const isXml = (head: string): boolean => isMarkup(head) && /\/vocabulary\/[\d-]+\/eurofxref\b/.test(head);

/** Files differ in the order of days, in `10 April 2026` for a date, and in a comma at the end of every line. */
const tableOf = (file: ImportedFile): Iterable<FileLine> =>
  readTable(file, {
    header: 'Date',
    example: 'USD',
    seriesOf: (code, { line }) => seriesOf(code, line),
    spellings: ['YYYY-MM-DD', 'D MMMM YYYY'],
    missing: ['N/A'],
    rowOf: rateOfCell,
  });

function seriesOf(code: string, line: number): FileSeries {
  if (!isCurrencyCode(code) || code === 'EUR') throw refuse(`'${code}' is no currency code.`, { line });
  return pairSeries(FX_PUBLISHERS.ecb, 'EUR', code);
}

/** `<Cube time="2026-10-02">` has a `<Cube currency="USD" rate="1.1225"/>` for each currency. */
function* cubesOf(file: ImportedFile): Generator<FileLine> {
  const known = new Map<string, FileSeries>();
  let date: string | undefined;
  for (const { name, attributes, line } of file.elements()) {
    if (name !== 'Cube' || !attributes) continue;
    const { time, currency, rate } = attributes;
    if (time !== undefined) date = readDate({ text: time, line }, 'YYYY-MM-DD');
    if (currency === undefined && rate === undefined) continue;
    if (date === undefined || currency === undefined || rate === undefined)
      throw refuse('a rate of it has no day, no currency or no number.', { line });
    const series = known.get(currency) ?? seriesOf(currency, line);
    known.set(currency, series);
    const row = rateOfCell(series, date, { text: rate, line, of: currency });
    yield { number: line, date, rows: [row] };
  }
}
