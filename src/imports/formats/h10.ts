import { FX_PUBLISHERS } from '../../contract/words/fx-publishers.ts';
import type { FileLine, FileSeries, ImportedFile, ImportFormat } from '../format.ts';
import { readDate, readPositive } from '../read/cells.ts';
import type { CsvRecord } from '../read/csv.ts';
import { isCurrencyCode, pairSeries, rateRow, ratesOf } from '../read/fx-rates.ts';
import { refuse } from '../refuse.ts';

/** Foreign exchange rates of the Federal Reserve Board (H.10), some per dollar and some in dollars. */
export const h10: ImportFormat = {
  id: 'h10',
  doc: 'Foreign exchange rates of the Federal Reserve Board, H.10, daily (FRB_H10.csv of its Data Download Program)',
  begins: '1971-01-04',
  ...ratesOf(
    FX_PUBLISHERS.h10,
    'published with its week, by 16:15 New York time on Tuesday of the next week, assumed: the file does not say',
  ),
  recognises: ({ head }) => /^"?Series Description"?,/.test(head) && head.includes('H10/H10/'),
  read: readTable,
};

const NO_RATE: ReadonlySet<string> = new Set(['', 'ND']);

interface RateColumn {
  readonly place: number;
  readonly series: FileSeries;
}

/** Walk: six lines of facts about the columns, known by their first cell, up to `Time Period`; the days. */
function* readTable(file: ImportedFile): Generator<FileLine> {
  const facts = new Map<string, CsvRecord>();
  let columns: readonly RateColumn[] | undefined;
  for (const record of file.records({ separator: ',' })) {
    const { cells, line } = record;
    const [first = ''] = cells;
    if (!columns) {
      facts.set(first, record);
      if (first === 'Time Period') columns = columnsIn(facts, line);
      continue;
    }
    const date = readDate({ text: first, line }, 'YYYY-MM-DD');
    const width = facts.get('Time Period')?.cells.length ?? 0;
    if (cells.length !== width) throw refuse(`it has ${cells.length} cells and its header has ${width}.`, { line });
    const rows = columns.flatMap(({ place, series }) => {
      const text = cells[place] ?? '';
      if (NO_RATE.has(text)) return [];
      return [rateRow(series, date, readPositive({ text, line, of: `${series.scope.base}/${series.scope.quote}` }))];
    });
    yield { number: line, date, rows, names: columns.map(({ series }) => series) };
  }
  if (!columns) throw refuse('it ends before its line Time Period.');
}

/**
 * The direction stands twice: in `Unit`, `Currency:_Per_AUD`, and in the id, where `$US` means dollars for one unit. The
 * multiplier is not read: that of sterling is about 0.01, although the values are dollars for one pound.
 */
function columnsIn(facts: ReadonlyMap<string, CsvRecord>, line: number): readonly RateColumn[] {
  const [ids, units, currencies] = ['Time Period', 'Unit:', 'Currency:'].map((name) => facts.get(name)?.cells);
  if (!ids || !units || !currencies)
    throw refuse('its lines Unit: and Currency: must stand before Time Period.', { line });
  const columns = ids.flatMap((id, place) => {
    const [, inDollars, frequency] = /^RXI(\$US)?_N\.([A-Z])\.[A-Z]{2}$/.exec(id) ?? [];
    // Indexes of the dollar stand in the same file.
    if (frequency === undefined) return [];
    if (frequency !== 'B')
      throw refuse(`its column ${id} has averages of months or years, and those are no daily rates.`, { line });
    const base = /^Currency:_Per_([A-Z]{3})$/.exec(units[place] ?? '')?.[1] ?? '';
    const quote = currencies[place] ?? '';
    const [dollar, other] = inDollars === undefined ? [base, quote] : [quote, base];
    if (dollar !== 'USD' || other === 'USD' || !isCurrencyCode(other))
      throw refuse(`the id ${id} and its unit '${units[place]}' in '${quote}' do not agree.`, { line });
    return [{ place, series: pairSeries(FX_PUBLISHERS.h10, base, quote) }];
  });
  if (columns.length === 0) throw refuse('its line Time Period names no daily rate such as RXI_N.B.CA.', { line });
  return columns;
}
