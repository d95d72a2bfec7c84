import { FX_PUBLISHERS } from '../../contract/words/publishers.ts';
import { onWorkingDays } from '../fetch/download.ts';
import type { FileLine, ImportedFile, ImportFormat } from '../format.ts';
import { readPositive, refuse } from '../read/cells.ts';
import type { CsvRecord } from '../read/csv.ts';
import { datedLines, headed, type ValueColumn } from '../read/dated-lines.ts';
import { pairSeries, rateRow, ratesOf } from '../read/fx-rates.ts';

/** The ECB's reference rates as the Deutsche Bundesbank exports them, one or more series a file, in English or German. */
export const bundesbank: ImportFormat = {
  id: 'bundesbank',
  doc: 'Euro reference rates as the Deutsche Bundesbank exports them (BBEX3.D.USD.EUR.BB.AC.000.csv)',
  begins: '1999-01-04',
  ...ratesOf(FX_PUBLISHERS.bundesbank, 'published by 16:15 Frankfurt time of its day, assumed: the file does not say'),
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

const DIMENSION = /^(?:unit multiplier|Dimension)$/i;
const ONE = /^(?:One|Eins)$/i;

/** Walk: the ids; facts about them in any number and order; the days. Comments stand before or behind the days. */
function readExport(file: ImportedFile): Iterable<FileLine> {
  // The German export has semicolons and a decimal comma.
  const isGerman = /^(?:"")?;/.test(file.head);
  const { header, records } = headed(file, { separator: isGerman ? ';' : ',' });
  const columns = columnsIn(header);
  function* days(): Generator<CsvRecord> {
    for (const record of records) {
      const [first = ''] = record.cells;
      if (/^\d/.test(first)) yield record;
      else requireOne(record, columns);
    }
  }
  return datedLines({
    ...{ records: days(), columns, width: header.cells.length, spellings: ['YYYY-MM-DD'] },
    // On weekends and holidays, which the file lists.
    missing: ['.'],
    rowOf: (series, date, cell) => rateRow(series, date, readPositive(cell, isGerman ? ',' : '.')),
  });
}

function columnsIn({ cells, line }: CsvRecord): readonly ValueColumn[] {
  const columns = cells.flatMap((id, place) => {
    if (id === '' || id.endsWith('_FLAGS')) return [];
    const [, code] = /^BBEX3\.D\.([A-Z]{3})\.EUR\.BB\.AC\.000$/.exec(id) ?? [];
    if (code === undefined) throw refuse(`its series '${id}' is no daily rate of the euro.`, { line });
    return [{ place, name: code, series: pairSeries(FX_PUBLISHERS.bundesbank, 'EUR', code) }];
  });
  if (columns.length === 0) throw refuse('its first line names no series such as BBEX3.D.USD.EUR.BB.AC.000.', { line });
  return columns;
}

/** A rate that is given in hundreds or thousands would be wrong by as much. */
function requireOne({ cells, line }: CsvRecord, columns: readonly ValueColumn[]): void {
  if (!DIMENSION.test(cells[0] ?? '')) return;
  for (const { place } of columns)
    if (!ONE.test(cells[place] ?? '')) throw refuse(`its dimension is '${cells[place]}' and not one.`, { line });
}
