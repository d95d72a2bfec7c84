/** Exports of the database of the Bank of England: a column for each code, under its title or under the code alone. */
import type { ImportedFile } from '../../format.ts';
import { readDate, readNumber, refuse } from '../../read/cells.ts';
import { requireEachDay, requireWidth } from '../../read/dated-lines.ts';

export const BANK_OF_ENGLAND = {
  publisher: 'Bank of England',
  terms: 'Terms of the Bank of England: read them before you pass rates on.',
  termsPage: 'https://www.bankofengland.co.uk/legal',
} as const;

/** Where the database gives a code from a first date on. */
export const databaseAddress = (code: string): string =>
  'https://www.bankofengland.co.uk/boeapps/database/_iadb-fromshowcolumns.asp?csv.x=yes&Datefrom={from:DD/MMM/YYYY}' +
  `&Dateto=now&SeriesCodes=${code}&CSVF=TN&UsingCodes=Y&VPD=Y&VFD=N`;

/** Does a file begin as an export with a code does? Lines that describe the codes may stand first. */
export const hasCode = (head: string, code: string): boolean =>
  new RegExp(`^"?date"?,(?:.*[ ,"])?${code}"?(?:,|\\s*$)`, 'im').test(head);

export interface DatabaseValue {
  readonly date: string;
  readonly line: number;
  /** Undefined where the code has none on that date. */
  readonly val: string | undefined;
}

/** The values of one code; other columns are left out. @throws MacroError of kind `usage`. */
export function* databaseValues(file: ImportedFile, code: string): Generator<DatabaseValue> {
  let header: { readonly width: number; readonly place: number } | undefined;
  let before: string | undefined;
  for (const { cells, line } of file.records({ separator: ',' })) {
    if (!header) {
      const isOfCode = (title: string) => title === code || title.endsWith(` ${code}`);
      const place = cells.findIndex(isOfCode);
      if (!/^date$/i.test(cells[0] ?? '') || place <= 0) continue;
      if (cells.findLastIndex(isOfCode) > place) throw refuse(`the column ${code} stands there twice.`, { line });
      header = { width: cells.length, place };
      continue;
    }
    requireWidth({ cells, line }, header.width);
    const date = readDate({ text: cells[0] ?? '', line }, 'D MMM YY', 'D MMM YYYY', 'YYYY-MM-DD');
    const text = cells[header.place] ?? '';
    requireEachDay(before, date, line);
    before = date;
    yield { date, line, val: text === '' ? undefined : readNumber({ text, line, of: code }) };
  }
  if (!header) throw refuse(`no line of it begins with DATE and names the code ${code}.`);
}

/**
 * The same days with a value where it differs from that of the day before alone. Days are in either order. The oldest day has
 * one if it is the first change of the history. Nobody knows whether another one changed the rate, so it is left out.
 */
export function* changesIn(days: Iterable<DatabaseValue>, begins = ''): Generator<DatabaseValue> {
  let first: DatabaseValue | undefined;
  let before: DatabaseValue | undefined;
  let isDescending = false;
  let empty: DatabaseValue[] = [];
  for (const day of days) {
    if (day.val === undefined) {
      if (before) empty.push(day);
      continue;
    }
    yield* empty;
    empty = [];
    first ??= day;
    if (before) {
      isDescending = day.date < before.date;
      const [older, newer] = isDescending ? [day, before] : [before, day];
      if (older === first && older.date === begins) yield older;
      yield Number(newer.val) === Number(older.val) ? { ...newer, val: undefined } : newer;
    }
    before = day;
  }
  if (before?.date === begins && (isDescending || before === first)) yield before;
  if (!isDescending) yield* empty;
}
