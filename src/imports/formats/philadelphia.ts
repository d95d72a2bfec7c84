import { MacroError } from '../../errors.ts';
import { onWorkingDays } from '../fetch/download.ts';
import type { FileLine, ImportedFile, ImportFormat } from '../format.ts';
import type { Period } from '../generic/release-rule.ts';
import { dateIn, refuse } from '../read/cells.ts';
import { requireWidth } from '../read/dated-lines.ts';
import { lineWriter, type PublishedSeries } from '../read/published-series.ts';
import { endOfDay } from '../read/release-days.ts';
import { stepsOfCells } from '../read/vintages.ts';
import { readSheetNumber, type SheetRow, sheetRows, sheetsOf } from '../read/workbook.ts';
import { FRED_SERIES } from './stlouisfed/fred-series.ts';

/** The real-time data set of the Federal Reserve Bank of Philadelphia: a column for each vintage since 1964. */
export const philadelphia: ImportFormat = {
  id: 'philadelphia',
  publisher: 'Philadelphia Fed',
  doc: 'Real-time data set of the Philadelphia Fed, any sheet: employMvMd.xlsx, ROUTPUTQvQd.xlsx, cpiQvMd.xlsx',
  terms: 'Public data of a Federal Reserve Bank, which asks to be named.',
  publication: {
    revised: 'often',
    rule: 'known from the end of the 15th of its vintage month, or of the middle month of its vintage quarter, assumed',
  },
  download: {
    page: 'https://www.philadelphiafed.org/surveys-and-data/real-time-data-research/real-time-data-set-full-time-series-history',
    address:
      'https://www.philadelphiafed.org/-/media/FRBP/Assets/Surveys-And-Data/real-time-data/data-files/xlsx/{id}.xlsx',
    file: '{id}.xlsx',
    ids: { doc: 'names of workbooks', pattern: /^[A-Z0-9]{4,20}$/, defaults: ['employMvMd', 'ROUTPUTQvQd'] },
    appears: onWorkingDays('12:00', 'America/New_York', 60),
    termsPage:
      'https://www.philadelphiafed.org/surveys-and-data/real-time-data-research/real-time-data-set-full-time-series-history',
  },
  recognises: hasVintages,
  read: readVintages,
};

/** Sheets whose series the interface has, and the same series at its own publisher. */
const SERIES: ReadonlyMap<string, string> = new Map([
  ['CPI', 'CPIAUCSL'],
  ['EMPLOY', 'PAYEMS'],
  ['ROUTPUT', 'GDPC1'],
  ['RUC', 'UNRATE'],
]);

interface VintageSheet {
  readonly id: string;
  readonly path: string;
}

/** The sheet that begins with vintages of its own name. */
function sheetOf(file: ImportedFile): VintageSheet | undefined {
  for (const [name, path] of sheetsOf(file.bytes())) {
    const id = name.toUpperCase();
    const [header] = /^[A-Z0-9]+$/.test(id) ? sheetRows(file.bytes(), path) : [];
    const [first, second = ''] = header?.cells ?? [];
    if (first === 'DATE' && vintageIn(second, id)) return { id, path };
  }
  return undefined;
}

/** A workbook that cannot be read may be of another format. */
function hasVintages(file: ImportedFile): boolean {
  try {
    return file.isWorkbook && sheetOf(file) !== undefined;
  } catch (error) {
    if (error instanceof MacroError) return false;
    throw error;
  }
}

const NO_VALUE: ReadonlySet<string> = new Set(['', '#N/A']);

/** A sheet without a word of the interface is a word of its own: `philadelphia_rcon`. */
function seriesOf(id: string, period: 'month' | 'quarter'): PublishedSeries {
  const known = FRED_SERIES.get(SERIES.get(id) ?? '');
  // The first row is that of the series at its own publisher, so the file is whole.
  if (known) return { ...known, sourceSeriesId: id };
  return {
    currency: 'USD',
    source: 'Philadelphia Fed',
    sourceUrl:
      'https://www.philadelphiafed.org/surveys-and-data/real-time-data-research/real-time-data-set-full-time-series-history',
    sourceSeriesId: id,
    period,
    outputs: [{ indicator: `philadelphia_${id.toLowerCase()}`, name: `${id} of the real-time data set` }],
  };
}

function* readVintages(file: ImportedFile): Generator<FileLine> {
  const sheet = sheetOf(file);
  if (!sheet) throw refuse('none of its sheets has vintages such as ROUTPUT65Q4 under its own name.');
  const { id } = sheet;
  let vintages: readonly Vintage[] | undefined;
  let open: { readonly every: Period; lineOf: ReturnType<typeof lineWriter> } | undefined;
  for (const { cells, line } of sheetRows(file.bytes(), sheet.path)) {
    if (!vintages) {
      vintages = vintagesIn({ cells, line }, id);
      continue;
    }
    if (cells.length === 0) continue;
    requireWidth({ cells, line }, vintages.length + 1);
    const { date, period } = periodIn(cells[0] ?? '', line);
    open ??= { every: period, lineOf: lineWriter(seriesOf(id, period)) };
    if (period !== open.every) throw refuse(`'${cells[0]}' is no ${open.every}.`, { line });
    const values = vintages.map(({ epoch }, place) => {
      const text = cells[place + 1] ?? '';
      return { epoch, val: NO_VALUE.has(text) ? undefined : readSheetNumber({ text, line, of: id }) };
    });
    const precision = vintages[0]?.every ?? period;
    // The vintage before it has no value of the period. Nobody knows the day of the release, and between vintages of two
    // quarters a month may have been revised.
    const isRelease = (place: number) => place > 0 && !(precision === 'quarter' && period === 'month');
    yield open.lineOf({ date, line, steps: stepsOfCells(values, isRelease), precision });
  }
}

interface Vintage {
  readonly epoch: number;
  readonly every: 'month' | 'quarter';
}

/** `EMPLOY64M12`, `ROUTPUT65Q4`: the first vintages are of the sixties. */
function vintageIn(title: string, id: string): Vintage | undefined {
  if (!title.startsWith(id)) return undefined;
  const [, year = '', unit, number = ''] = /^(\d\d)([MQ])(\d{1,2})$/.exec(title.slice(id.length)) ?? [];
  const month = unit === 'Q' ? 3 * Number(number) - 1 : Number(number);
  if (unit === undefined || month < 1 || month > 12) return undefined;
  const middle = `${Number(year) >= 50 ? '19' : '20'}${year}-${String(month).padStart(2, '0')}-15`;
  return { epoch: endOfDay(middle), every: unit === 'Q' ? 'quarter' : 'month' };
}

function vintagesIn({ cells: [first, ...titles], line }: SheetRow, id: string): readonly Vintage[] {
  if (first !== 'DATE' || titles.length === 0) throw refuse('its first row must be DATE and then vintages.', { line });
  const vintages = titles.map((title) => {
    const vintage = vintageIn(title, id);
    if (!vintage) throw refuse(`'${title}' is no vintage such as ${id}64M12.`, { line });
    return vintage;
  });
  const late = vintages.findIndex(
    ({ epoch }, place) => epoch <= (vintages[place - 1]?.epoch ?? Number.NEGATIVE_INFINITY),
  );
  if (late >= 0) throw refuse(`the vintage ${titles[late]} stands behind a later one.`, { line });
  return vintages;
}

/** `1939:01` or `1947:Q1`: the first day. */
function periodIn(text: string, line: number): { readonly date: string; readonly period: 'month' | 'quarter' } {
  const spelling = /:Q/.test(text) ? 'YYYY-Q' : 'YYYY-MM';
  const date = text[4] === ':' ? dateIn(text, spelling) : undefined;
  if (date === undefined)
    throw refuse(`'${text}' is no month such as 1939:01 and no quarter such as 1947:Q1.`, { line });
  return { date, period: spelling === 'YYYY-Q' ? 'quarter' : 'month' };
}
