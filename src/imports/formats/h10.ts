import { FX_PUBLISHERS } from '../../contract/words/publishers.ts';
import type { FileLine, FileSeries, ImportedFile, ImportFormat } from '../format.ts';
import { readDate, readPositive, refuse } from '../read/cells.ts';
import { H10_CURRENCIES, isCurrencyCode, pairSeries, rateRow, ratesOf } from '../read/fx-rates.ts';
import { type BoardTable, readBoardTable } from '../read/tables.ts';

/** Foreign exchange rates of the Federal Reserve Board (H.10), some per dollar and some in dollars. */
export const h10: ImportFormat = {
  id: 'h10',
  doc: 'Foreign exchange rates of the Federal Reserve Board, H.10, daily (FRB_H10.csv of its Data Download Program)',
  begins: '1971-01-04',
  ...ratesOf(
    FX_PUBLISHERS.h10,
    'published with its week, by 16:15 New York time on Tuesday of the next week, assumed: the file does not say',
  ),
  download: {
    page: FX_PUBLISHERS.h10.url,
    address:
      'https://www.federalreserve.gov/datadownload/Output.aspx?rel=H10&series=60f32914ab61dfab590e0e470153e3ae' +
      '&lastobs=&from=&to=&filetype=csv&label=include&layout=seriescolumn&type=package',
    file: 'FRB_H10.csv',
    maxBytes: 32_000_000,
    appears: { at: '16:15', zone: 'America/New_York', weekdays: [1, 2], silentAfterDays: 14 },
    termsPage: 'https://www.federalreserve.gov/disclaimer.htm',
    seen: { on: '2026', by: 'public programs that ask for this package of daily rates' },
  },
  recognises: ({ head }) => /^\W*(?:Series Description|Time Period)"?,/.test(head) && /\bRXI(?:\$US)?_N\./.test(head),
  read: readTable,
};

const NO_RATE: ReadonlySet<string> = new Set(['', 'ND']);

interface RateColumn {
  readonly place: number;
  readonly series: FileSeries;
}

function* readTable(file: ImportedFile): Generator<FileLine> {
  const table = readBoardTable(file);
  const columns = columnsIn(table);
  const names = columns.map(({ series }) => series);
  for (const { cells, line } of table.rows) {
    const date = readDate({ text: cells[0] ?? '', line }, 'YYYY-MM-DD');
    const rows = columns.flatMap(({ place, series }) => {
      const text = cells[place] ?? '';
      if (NO_RATE.has(text)) return [];
      return [rateRow(series, date, readPositive({ text, line, of: `${series.scope.base}/${series.scope.quote}` }))];
    });
    yield { number: line, date, rows, names };
  }
}

/**
 * The id says the direction: `$US` means dollars for one unit. Files of before 2026 say it again in `Unit`,
 * `Currency:_Per_AUD`; newer ones name the other currency in `Currency`, and a download without labels has the ids alone.
 * The multiplier is not read: that of sterling was about 0.01, although the values are dollars for one pound.
 */
function columnsIn({ facts, line }: BoardTable): readonly RateColumn[] {
  const [ids, units, currencies] = [facts('Time Period'), facts('Unit:'), facts('Currency:')];
  const columns = ids.flatMap((id, place) => {
    const [, inDollars, frequency, area = ''] = /^RXI(\$US)?_N\.([A-Z])\.([A-Z]{2,3})$/.exec(id) ?? [];
    // Indexes of the dollar stand in the same file.
    if (frequency === undefined) return [];
    if (frequency !== 'B')
      throw refuse(`its column ${id} has averages of months or years, and those are no daily rates.`, { line });
    const per = /^Currency:_Per_([A-Z]{3})$/.exec(units[place] ?? '')?.[1];
    const [other = '', third] = new Set(
      [per, currencies[place], H10_CURRENCIES[area]].filter((code) => code !== undefined && code !== 'USD'),
    );
    const isOneWay = per === undefined || per === (inDollars === undefined ? 'USD' : other);
    if (!isOneWay || third !== undefined || !isCurrencyCode(other))
      throw refuse(`the id ${id} and its unit '${units[place] ?? ''}' in '${currencies[place] ?? ''}' do not agree.`, {
        line,
      });
    const [base, quote] = inDollars === undefined ? ['USD', other] : [other, 'USD'];
    return [{ place, series: pairSeries(FX_PUBLISHERS.h10, base, quote) }];
  });
  if (columns.length === 0) throw refuse('its line Time Period names no daily rate such as RXI_N.B.CA.', { line });
  return columns;
}
