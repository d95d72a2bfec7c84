import { onWorkingDays } from '../fetch/download.ts';
import type { FileLine, FileSeries, ImportedFile, ImportFormat } from '../format.ts';
import { periodEnd } from '../generic/release-rule.ts';
import { valueRow } from '../read/announced.ts';
import { readDate, refuse } from '../read/cells.ts';
import { endOfDay } from '../read/release-days.ts';
import { readSheetNumber, type SheetRow, sheetRows, sheetsOf } from '../read/workbook.ts';

/** Prices of commodities of the World Bank, the Pink Sheet: averages of months, as such. */
export const pinkSheet: ImportFormat = {
  id: 'pink-sheet',
  publisher: 'World Bank',
  doc: 'Monthly prices of commodities of the World Bank, the Pink Sheet (CMO-Historical-Data-Monthly.xlsx)',
  terms: 'CC BY 4.0: name the World Bank.',
  publication: {
    revised: 'often',
    rule: 'known from the end of the day on which the file says that it was updated; a later change from the import',
  },
  begins: '1960-01-31',
  download: {
    page: 'https://www.worldbank.org/en/research/commodity-markets',
    address: 'https://www.worldbank.org/en/research/commodity-markets',
    link: /\/CMO-Historical-Data-Monthly\.xlsx$/,
    file: 'CMO-Historical-Data-Monthly.xlsx',
    hosts: ['thedocs.worldbank.org'],
    appears: { ...onWorkingDays('18:00', 'America/New_York', 25), daysOfMonth: [1, 10] },
    termsPage: 'https://www.worldbank.org/en/about/legal/terms-of-use-for-datasets',
  },
  recognises: (file) => file.isWorkbook && sheetsOf(file.bytes()).has(SHEET),
  read: readPrices,
};

const SHEET = 'Monthly Prices';
const NO_VALUE: ReadonlySet<string> = new Set(['', '..', '…', '...']);

/** Columns by name, with the unit that each must have and what the interface calls the two. */
const COMMODITIES: ReadonlyMap<string, readonly [slug: string, unit: string, shown: string]> = new Map([
  ['Crude oil, Brent', ['oil_brent', '($/bbl)', 'USD/bbl']],
  ['Crude oil, WTI', ['oil_wti', '($/bbl)', 'USD/bbl']],
  ['Natural gas, US', ['natural_gas', '($/mmbtu)', 'USD/MMBtu']],
  ['Gold', ['gold', '($/troy oz)', 'USD/oz t']],
  ['Platinum', ['platinum', '($/troy oz)', 'USD/oz t']],
  ['Silver', ['silver', '($/troy oz)', 'USD/oz t']],
]);

interface PriceColumn {
  readonly place: number;
  readonly series: FileSeries;
}

/** Walk: titles and the day of the update; a row of names and one of units; then months. */
function* readPrices(file: ImportedFile): Generator<FileLine> {
  const path = sheetsOf(file.bytes()).get(SHEET);
  if (path === undefined) throw refuse(`it has no sheet '${SHEET}'.`);
  let knownFrom: number | undefined;
  let names: SheetRow | undefined;
  let columns: readonly PriceColumn[] | undefined;
  for (const row of sheetRows(file.bytes(), path)) {
    const { cells, line } = row;
    const [first = ''] = cells;
    const [, word, day, year] = /^Updated on ([A-Z][a-z]+) (\d{1,2}), (\d{4})$/.exec(first) ?? [];
    if (year !== undefined) knownFrom = endOfDay(readDate({ text: `${day} ${word} ${year}`, line }, 'D MMMM YYYY'));
    if (!names && cells.some((cell) => COMMODITIES.has(nameOf(cell)))) names = row;
    else if (names && !columns) columns = columnsIn(names, row);
    const [, number, month] = /^(\d{4})M(\d{2})$/.exec(first) ?? [];
    if (month === undefined) {
      if (columns && /^\d/.test(first)) throw refuse(`'${first}' is no month such as 1960M01.`, { line });
      continue;
    }
    if (!columns || knownFrom === undefined)
      throw refuse('its rows of names, of units and of the update must stand before the months.', { line });
    yield lineOf(
      row,
      periodEnd(readDate({ text: `${number}-${month}`, line }, 'YYYY-MM'), 'month'),
      columns,
      knownFrom,
    );
  }
}

/** Names carry an asterisk where a note explains them. */
const nameOf = (cell: string): string => cell.replaceAll('*', '').trim();

function lineOf({ cells, line }: SheetRow, date: string, columns: readonly PriceColumn[], knownFrom: number): FileLine {
  const rows = columns.flatMap(({ place, series }) => {
    const text = cells[place] ?? '';
    if (NO_VALUE.has(text)) return [];
    return [valueRow(series, date, readSheetNumber({ text, line, of: series.scope.indicator ?? '' }), knownFrom)];
  });
  return { number: line, date, rows, names: columns.map(({ series }) => series) };
}

function columnsIn(names: SheetRow, units: SheetRow): readonly PriceColumn[] {
  return names.cells.flatMap((cell, place) => {
    const name = nameOf(cell);
    const [slug, unit, shown] = COMMODITIES.get(name) ?? [];
    if (slug === undefined || shown === undefined) return [];
    if (units.cells[place] !== unit)
      throw refuse(`${name} is in '${units.cells[place]}', not in ${unit}.`, { line: units.line });
    return [{ place, series: commoditySeries(slug, name, shown) }];
  });
}

function commoditySeries(indicator: string, name: string, unit: string): FileSeries {
  return {
    endpoint: 'commodities',
    scope: { indicator },
    envelope: {
      currency: 'USD',
      indicator,
      name,
      unit,
      frequency: 'Monthly',
      source: 'World Bank',
      source_url: 'https://www.worldbank.org/en/research/commodity-markets',
      source_series_name: `${name}, average of the month`,
    },
  };
}
