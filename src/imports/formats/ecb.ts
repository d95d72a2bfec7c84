import { FX_PUBLISHERS } from '../../contract/words/publishers.ts';
import { onWorkingDays } from '../fetch/download.ts';
import type { FileLine, FileSeries, ImportedFile, ImportFormat } from '../format.ts';
import { readDate, readPositive, refuse } from '../read/cells.ts';
import type { CsvRecord } from '../read/csv.ts';
import { isCurrencyCode, pairSeries, rateRow, ratesOf } from '../read/fx-rates.ts';

/** The ECB's euro reference rates: the whole history, 90 days or one day, as CSV or as ZIP. */
export const ecb: ImportFormat = {
  id: 'ecb',
  doc: 'Euro foreign exchange reference rates of the European Central Bank (eurofxref-hist.csv, or its ZIP)',
  begins: '1999-01-04',
  ...ratesOf(FX_PUBLISHERS.ecb, 'published at 16:00 Frankfurt time of its day, assumed: the file does not say'),
  endsLastLine: true,
  download: {
    page: FX_PUBLISHERS.ecb.url,
    address: 'https://www.ecb.europa.eu/stats/eurofxref/eurofxref-hist.zip',
    file: 'eurofxref-hist.zip',
    recent: {
      address: 'https://www.ecb.europa.eu/stats/eurofxref/eurofxref-hist-90d.zip',
      file: 'eurofxref-hist-90d.zip',
      days: 60,
    },
    maxBytes: 16_000_000,
    appears: onWorkingDays('16:00', 'Europe/Berlin', 5),
    termsPage: 'https://www.ecb.europa.eu/services/using-our-site/disclaimer/html/index.en.html',
    seen: { on: '2026', by: 'public programs that fetch it every day' },
  },
  recognises: ({ head }) => /^\s*Date *, *[A-Z]{3} *,/.test(head),
  read: readEcb,
};

const NO_RATE: ReadonlySet<string> = new Set(['', 'N/A']);

/** Files differ in the order of days, in `10 April 2026` for a date, and in a comma at the end of every line. */
function* readEcb(file: ImportedFile): Generator<FileLine> {
  let header: { readonly series: readonly FileSeries[]; readonly cells: number } | undefined;
  for (const record of file.records({ separator: ',' })) {
    if (!header) {
      header = readHeader(record);
      continue;
    }
    const { cells, line } = record;
    const date = readDate({ text: cells[0] ?? '', line }, 'YYYY-MM-DD', 'D MMMM YYYY');
    if (cells.length !== header.cells)
      throw refuse(`it has ${cells.length} cells and the header has ${header.cells}.`, { line });
    const rows = header.series.flatMap((series, place) => {
      const text = cells[place + 1] ?? '';
      if (NO_RATE.has(text)) return [];
      return [rateRow(series, date, readPositive({ text, line, of: series.scope.quote ?? '' }))];
    });
    yield { number: line, date, rows, names: header.series };
  }
}

/** `cells` counts the header's cells with the empty one after a final comma, which every line must repeat. */
function readHeader({ cells, line }: CsvRecord) {
  const [first, ...names] = cells;
  if (names.at(-1) === '') names.pop();
  if (first !== 'Date' || names.length === 0)
    throw refuse('its first line must be Date and then currency codes, as in the ECB files eurofxref.', { line });
  for (const [place, name] of names.entries()) {
    if (!isCurrencyCode(name) || name === 'EUR') throw refuse(`'${name}' is no currency code.`, { line });
    if (names.indexOf(name) < place) throw refuse(`the column ${name} stands there twice.`, { line });
  }
  return { series: names.map((name) => pairSeries(FX_PUBLISHERS.ecb, 'EUR', name)), cells: cells.length };
}
