import { onWorkingDays } from '../../fetch/download.ts';
import type { FileLine, FileSeries, ImportedFile, ImportFormat } from '../../format.ts';
import { valueRow } from '../../read/announced.ts';
import { readDate, readNumber, refuse } from '../../read/cells.ts';
import { weekdaysLater } from '../../read/release-days.ts';
import { type BoardTable, H15_HOUR, readBoardTable, yieldSeries } from '../../read/tables.ts';

/** Selected interest rates of the Federal Reserve Board (H.15): yields at constant maturity. */
export const h15: ImportFormat = {
  id: 'h15',
  publisher: 'H.15',
  doc: 'Treasury yields at constant maturity of the Federal Reserve Board, H.15, daily (FRB_H15.csv)',
  terms: 'Public domain of the United States.',
  publication: {
    revised: 'never',
    rule: 'published by 16:15 New York time of the next business day, two weekdays later assumed for holidays',
    at: weekdaysLater(2, H15_HOUR),
  },
  begins: '1962-01-02',
  download: {
    page: 'https://www.federalreserve.gov/releases/h15/',
    address:
      'https://www.federalreserve.gov/datadownload/Output.aspx?rel=H15&series=bf17364827e38702b42a58cf8eaa3f78' +
      '&lastobs=&from=&to=&filetype=csv&label=include&layout=seriescolumn&type=package',
    file: 'FRB_H15.csv',
    maxBytes: 32_000_000,
    appears: onWorkingDays('16:15', 'America/New_York', 7),
    termsPage: 'https://www.federalreserve.gov/disclaimer.htm',
    seen: { on: '2026', by: 'public programs that ask for this package of constant maturities' },
  },
  recognises: ({ head }) => /^\W*Series Description"?,/.test(head) && head.includes('H15/H15/'),
  read: readYields,
};

interface YieldColumn {
  readonly place: number;
  readonly series: FileSeries;
}

/** `ND` is a holiday; a series that has not begun is empty. */
const NO_VALUE: ReadonlySet<string> = new Set(['', 'ND', 'NC']);

function* readYields(file: ImportedFile): Generator<FileLine> {
  const table = readBoardTable(file);
  const columns = columnsIn(table);
  const names = columns.map(({ series }) => series);
  for (const { cells, line } of table.rows) {
    const date = readDate({ text: cells[0] ?? '', line }, 'YYYY-MM-DD');
    const rows = columns.flatMap(({ place, series }) => {
      const text = cells[place] ?? '';
      if (NO_VALUE.has(text)) return [];
      return [valueRow(series, date, readNumber({ text, line, of: series.scope.indicator ?? '' }))];
    });
    yield { number: line, date, rows, names };
  }
}

/** `RIFLGFCY10_N.B` is 10 years, on business days. Other rates of the table are no yields of a maturity. */
function columnsIn({ facts, line }: BoardTable): readonly YieldColumn[] {
  const [units, multipliers] = [facts('Unit:'), facts('Multiplier:')];
  const columns = facts('Time Period').flatMap((id, place) => {
    const [, unit = '', size, frequency] = /^RIFLGFC([MY])(\d{2})_N\.([A-Z]+)$/.exec(id) ?? [];
    if (size === undefined) return [];
    if (frequency !== 'B') throw refuse(`its column ${id} has averages, and those are no daily yields.`, { line });
    if (units[place] !== 'Percent:_Per_Year' || multipliers[place] !== '1')
      throw refuse(`its column ${id} is in '${units[place]}' times '${multipliers[place]}', not in per cent.`, {
        line,
      });
    const publisher = {
      currency: 'USD',
      source: 'Federal Reserve Board',
      sourceUrl: 'https://www.federalreserve.gov/releases/h15/',
      sourceSeriesId: id,
    };
    return [{ place, series: yieldSeries(`${Number(size)}${unit}`, 'Treasury', publisher) }];
  });
  if (columns.length === 0) throw refuse('its line Time Period names no yield such as RIFLGFCY10_N.B.', { line });
  return columns;
}
