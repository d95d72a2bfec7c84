import { dateToMs } from '../../../contract/time/time.ts';
import { onWorkingDays } from '../../fetch/download.ts';
import type { FileLine, ImportedFile, ImportFormat } from '../../format.ts';
import { periodEnd } from '../../generic/release-rule.ts';
import { refuse } from '../../read/cells.ts';
import { checkPeriod, type PublishedSeries, writerOf } from '../../read/published-series.ts';
import { stepsOfCells } from '../../read/vintages.ts';
import { readSheetNumber, type SheetRow, sheetRows, sheetsOf } from '../../read/workbook.ts';
import { FRED_SERIES } from '../stlouisfed/fred-series.ts';

/** The real-time data set of the Federal Reserve Bank of Philadelphia: a column for each vintage since 1964. */
export const philadelphia: ImportFormat = {
  id: 'philadelphia',
  publisher: 'Philadelphia Fed',
  doc: 'Real-time data set of the Philadelphia Fed: payrolls (employMvMd.xlsx), real output (ROUTPUTQvQd.xlsx)',
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
    maxBytes: 32_000_000,
    appears: onWorkingDays('12:00', 'America/New_York', 60),
    termsPage: 'https://www.philadelphiafed.org/about-us/terms-of-use',
    seen: { on: '2026-08-31', by: 'a public note of a download with the vintage of August 2026' },
  },
  recognises: (file) => file.isWorkbook && sheetOf(file) !== undefined,
  read: readVintages,
};

/** What the sheets are called, and the same series at its own publisher. */
const SERIES: ReadonlyMap<string, string> = new Map([
  ['EMPLOY', 'PAYEMS'],
  ['ROUTPUT', 'GDPC1'],
]);

function sheetOf(file: ImportedFile): { readonly id: string; readonly path: string } | undefined {
  for (const [name, path] of sheetsOf(file.bytes())) {
    const id = name.toUpperCase();
    if (SERIES.has(id)) return { id, path };
  }
  return undefined;
}

const NO_VALUE: ReadonlySet<string> = new Set(['', '#N/A']);

function* readVintages(file: ImportedFile): Generator<FileLine> {
  const sheet = sheetOf(file);
  const known = FRED_SERIES.get(SERIES.get(sheet?.id ?? '') ?? '');
  if (!sheet || !known) throw refuse(`none of its sheets is one of ${[...SERIES.keys()].join(', ')}.`);
  // Its first row is that of the series at its own publisher, so the file is whole.
  const published: PublishedSeries = { ...known, sourceSeriesId: sheet.id };
  const writer = writerOf(published);
  let epochs: readonly number[] | undefined;
  let before: string | undefined;
  for (const { cells, line } of sheetRows(file.bytes(), sheet.path)) {
    if (!epochs) {
      epochs = vintagesIn({ cells, line }, sheet.id);
      continue;
    }
    if (cells.length === 0) continue;
    if (cells.length !== epochs.length + 1)
      throw refuse(`it has ${cells.length} cells and the header has ${epochs.length + 1}.`, { line });
    const date = firstDayIn(cells[0] ?? '', line);
    if (before !== undefined && date <= before) throw refuse(`${date} stands behind ${before}.`, { line });
    checkPeriod(published, { date, before, line });
    const values = epochs.map((epoch, place) => {
      const text = cells[place + 1] ?? '';
      return { epoch, val: NO_VALUE.has(text) ? undefined : readSheetNumber({ text, line, of: sheet.id }) };
    });
    const precision = published.period === 'quarter' ? 'quarter' : 'month';
    // The vintage before it has no value of the period. Nobody knows the day of the release.
    const rows = writer.rowsOf({ date, line, steps: stepsOfCells(values, (place) => place > 0), precision });
    yield { number: line, date: periodEnd(date, published.period), rows, names: writer.names };
    before = date;
  }
}

/** `EMPLOY64M12`, `ROUTPUT65Q4`: the first vintages are of the sixties. */
function vintagesIn({ cells: [first, ...titles], line }: SheetRow, id: string): readonly number[] {
  if (first !== 'DATE' || titles.length === 0) throw refuse('its first row must be DATE and then vintages.', { line });
  const epochs = titles.map((title) => {
    const [, year = '', unit, number = ''] = new RegExp(`^${id}(\\d\\d)([MQ])(\\d{1,2})$`).exec(title) ?? [];
    const month = unit === 'Q' ? 3 * Number(number) - 1 : Number(number);
    if (unit === undefined || month < 1 || month > 12)
      throw refuse(`'${title}' is no vintage such as ${id}64M12.`, { line });
    const century = Number(year) >= 50 ? '19' : '20';
    return dateToMs(`${century}${year}-${String(month).padStart(2, '0')}-15`) / 1000 + MIDDAY_AFTER;
  });
  const late = epochs.findIndex((epoch, place) => epoch <= (epochs[place - 1] ?? Number.NEGATIVE_INFINITY));
  if (late >= 0) throw refuse(`the vintage ${titles[late]} stands behind a later one.`, { line });
  return epochs;
}

/** A day is over everywhere at noon UTC of the next one. */
const MIDDAY_AFTER = 36 * 3600;

/** `1939:01` or `1947:Q1`. */
function firstDayIn(text: string, line: number): string {
  const [, year, quarter, month] = /^(\d{4}):(?:Q([1-4])|(0[1-9]|1[0-2]))$/.exec(text) ?? [];
  if (year === undefined)
    throw refuse(`'${text}' is no month such as 1939:01 and no quarter such as 1947:Q1.`, { line });
  return `${year}-${month ?? String(3 * Number(quarter) - 2).padStart(2, '0')}-01`;
}
