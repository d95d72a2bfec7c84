import { addDays } from '../../contract/time/time.ts';
import { FX_PUBLISHERS } from '../../contract/words/publishers.ts';
import { onWorkingDays } from '../fetch/download.ts';
import type { FileLine, FileSeries, ImportedFile, ImportFormat } from '../format.ts';
import { readDate, readPositive, refuse } from '../read/cells.ts';
import type { CsvRecord } from '../read/csv.ts';
import { pairSeries, rateRow, ratesOf } from '../read/fx-rates.ts';

/** The ECB's reference rates as its data service has them: SDMX-CSV, a line for each rate, or a table of the Data Portal. */
export const ecbData: ImportFormat = {
  id: 'ecb-data',
  doc: 'Daily euro reference rates from the data service of the ECB (EXR, SDMX-CSV) or its Data Portal (DATE, TIME PERIOD)',
  begins: '1999-01-04',
  ...ratesOf(FX_PUBLISHERS.ecb, 'published at 16:00 Frankfurt time of its day, assumed: the file does not say'),
  endsLastLine: true,
  download: {
    page: 'https://data.ecb.europa.eu/data/datasets/EXR',
    address: 'https://data-api.ecb.europa.eu/service/data/EXR/D.{id}.EUR.SP00.A?format=csvdata',
    file: 'EXR.D.{id}.EUR.SP00.A.csv',
    ids: { doc: 'currencies, such as USD', pattern: /^[A-Z]{3}$/, defaults: [], example: 'USD' },
    maxBytes: 16_000_000,
    appears: onWorkingDays('16:00', 'Europe/Berlin', 5),
    termsPage: 'https://www.ecb.europa.eu/services/using-our-site/disclaimer/html/index.en.html',
    seen: { on: '2026', by: 'public programs that ask for one or several currencies' },
  },
  recognises: ({ head }) =>
    (/^\W*KEY"?,/.test(head) && /\bD\.[A-Z]{3}\.EUR\.SP00\.A\b/.test(head)) ||
    /^\W*DATE"?,"?TIME PERIOD"?,[^\r\n]*\(EXR\.D\./.test(head),
  read: readRates,
};

const NO_RATE: ReadonlySet<string> = new Set(['', 'NaN', '-']);

/** Days without a rate are not listed. A wider gap is a file of changes alone, which would take the rest away. */
const MAX_GAP_DAYS = 10;

interface Header {
  readonly width: number;
  /** Place of the date. */
  readonly date: number;
  /** The rates of a line: its key, and the place of the number. */
  cellsOf(cells: readonly string[]): readonly { readonly key: string; readonly place: number }[];
}

function* readRates(file: ImportedFile): Generator<FileLine> {
  let header: Header | undefined;
  const open = new Map<string, { readonly series: FileSeries; last: string }>();
  for (const record of file.records({ separator: ',' })) {
    if (!header) {
      header = headerOf(record);
      continue;
    }
    const { cells, line } = record;
    if (cells.length !== header.width)
      throw refuse(`it has ${cells.length} cells and the header has ${header.width}.`, { line });
    const date = readDate({ text: cells[header.date] ?? '', line }, 'YYYY-MM-DD');
    const rows = header.cellsOf(cells).flatMap(({ key, place }) => {
      const one = open.get(key) ?? { series: seriesOf(key, line), last: date };
      open.set(key, one);
      if (date > addDays(one.last, MAX_GAP_DAYS) || date < addDays(one.last, -MAX_GAP_DAYS))
        throw refuse(`${date} stands behind ${one.last}: a file of changes alone would take the days between away.`, {
          line,
          hint: 'Download all days of a range: without updatedAfter and lastNObservations.',
        });
      one.last = date;
      const text = cells[place] ?? '';
      return NO_RATE.has(text) ? [] : [rateRow(one.series, date, readPositive({ text, line, of: key }))];
    });
    yield { number: line, date, rows, names: [...open.values()].map(({ series }) => series) };
  }
}

function headerOf({ cells, line }: CsvRecord): Header {
  const [key, date, value] = ['KEY', 'TIME_PERIOD', 'OBS_VALUE'].map((title) => cells.indexOf(title));
  const width = cells.length;
  if (key !== undefined && date !== undefined && value !== undefined && Math.min(key, date, value) >= 0)
    return { width, date, cellsOf: (of) => [{ key: of[key] ?? '', place: value }] };
  const places = cells.flatMap((title, place) => {
    const [, found] = /\((EXR\.[^)]+)\)$/.exec(title) ?? [];
    return found === undefined ? [] : [{ key: found, place }];
  });
  if (cells[0] === 'DATE' && places.length === width - 2) return { width, date: 0, cellsOf: () => places };
  throw refuse('its header must have KEY, TIME_PERIOD and OBS_VALUE, or DATE, TIME PERIOD and keys of daily rates.', {
    line,
  });
}

function seriesOf(key: string, line: number): FileSeries {
  const [, code] = /^(?:EXR\.)?D\.([A-Z]{3})\.EUR\.SP00\.A$/.exec(key) ?? [];
  if (code === undefined)
    throw refuse(`its key '${key}' is no daily rate of the euro such as EXR.D.USD.EUR.SP00.A.`, { line });
  return { ...pairSeries(FX_PUBLISHERS.ecb, 'EUR', code), ownRange: true };
}
