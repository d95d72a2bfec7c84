import { FX_PUBLISHERS } from '../../contract/words/publishers.ts';
import { onWorkingDays } from '../fetch/download.ts';
import type { FileLine, FileSeries, ImportedFile, ImportFormat } from '../format.ts';
import { dateIn, readPositive, refuse } from '../read/cells.ts';
import type { CsvRecord } from '../read/csv.ts';
import { requireWidth } from '../read/dated-lines.ts';
import { pairSeries, rateRow, ratesOf } from '../read/fx-rates.ts';

/** The ECB's reference rates as the Deutsche Bundesbank exports them, one or more series a file, in English or German. */
export const bundesbank: ImportFormat = {
  id: 'bundesbank',
  doc: 'Euro reference rates as the Deutsche Bundesbank exports them (BBEX3.D.USD.EUR.BB.AC.000.csv)',
  begins: '1999-01-04',
  ...ratesOf(FX_PUBLISHERS.bundesbank, 'published by 16:15 Frankfurt time of its day, assumed: the file does not say'),
  endsLastLine: true,
  download: {
    page: FX_PUBLISHERS.bundesbank.url,
    address: 'https://api.statistiken.bundesbank.de/rest/download/BBEX3/D.{id}.EUR.BB.AC.000?format=csv&lang=en',
    file: 'BBEX3.D.{id}.EUR.BB.AC.000.csv',
    ids: { doc: 'a currency', pattern: /^[A-Z]{3}$/, defaults: ['USD'] },
    maxBytes: 8_000_000,
    appears: onWorkingDays('16:15', 'Europe/Berlin', 5),
    termsPage: 'https://www.bundesbank.de/en/homepage/terms-of-use',
    seen: { on: '2025', by: 'a public program that asks it for each currency' },
  },
  recognises: ({ head }) => /^(?:"")?[,;]BBEX3\.[A-Z]\.[A-Z]{3}\.EUR\.BB\./.test(head),
  read: readExport,
};

/** On weekends and holidays, which the file lists. */
const NO_RATE: ReadonlySet<string> = new Set(['', '.']);

const DIMENSION = /^(?:unit multiplier|Dimension)$/i;
const ONE = /^(?:One|Eins)$/i;

interface RateColumn {
  readonly place: number;
  readonly series: FileSeries;
}

/** Walk: the ids; facts about them in any number and order; the days. Comments stand before or behind the days. */
function* readExport(file: ImportedFile): Generator<FileLine> {
  // The German export has semicolons and a decimal comma.
  const isGerman = /^(?:"")?;/.test(file.head);
  let header: { readonly columns: readonly RateColumn[]; readonly cells: number } | undefined;
  for (const record of file.records({ separator: isGerman ? ';' : ',' })) {
    if (!header) {
      header = readHeader(record);
      continue;
    }
    const { cells, line } = record;
    const [first = ''] = cells;
    const date = dateIn(first, 'YYYY-MM-DD');
    if (date === undefined) {
      if (/^\d/.test(first)) throw refuse(`'${first}' is no date.`, { line });
      requireOne(cells, header.columns, line);
      continue;
    }
    requireWidth({ cells, line }, header.cells);
    const rows = header.columns.flatMap(({ place, series }) => {
      const text = cells[place] ?? '';
      if (NO_RATE.has(text)) return [];
      const rate = readPositive({ text, line, of: series.scope.quote ?? '' }, isGerman ? ',' : '.');
      return [rateRow(series, date, rate)];
    });
    yield { number: line, date, rows, names: header.columns.map(({ series }) => series) };
  }
}

function readHeader({ cells, line }: CsvRecord) {
  const columns = cells.flatMap((id, place) => {
    if (id === '' || id.endsWith('_FLAGS')) return [];
    const [, code] = /^BBEX3\.D\.([A-Z]{3})\.EUR\.BB\.AC\.000$/.exec(id) ?? [];
    if (code === undefined) throw refuse(`its series '${id}' is no daily rate of the euro.`, { line });
    return [{ place, series: pairSeries(FX_PUBLISHERS.bundesbank, 'EUR', code) }];
  });
  if (columns.length === 0) throw refuse('its first line names no series such as BBEX3.D.USD.EUR.BB.AC.000.', { line });
  return { columns, cells: cells.length };
}

/** A rate that is given in hundreds or thousands would be wrong by as much. */
function requireOne(cells: readonly string[], columns: readonly RateColumn[], line: number): void {
  if (!DIMENSION.test(cells[0] ?? '')) return;
  for (const { place } of columns)
    if (!ONE.test(cells[place] ?? '')) throw refuse(`its dimension is '${cells[place]}' and not one.`, { line });
}
