/** Bank Rate and SONIA: exports of the database of the Bank of England, a column for each code, and its list of changes. */

import { asJsonText } from '../../contract/json/json.ts';
import { onWorkingDays } from '../fetch/download.ts';
import type { FileLine, FileSeries, ImportedFile, ImportFormat } from '../format.ts';
import { readReleaseRule } from '../generic/release-rule.ts';
import { announcedSeries, valueOfCell, valueRow } from '../read/announced.ts';
import { readDate, readNumber, refuse } from '../read/cells.ts';
import { readTable, requireEachDay, requireWidth } from '../read/dated-lines.ts';
import { weekdaysLater } from '../read/release-days.ts';

const BANK_OF_ENGLAND = {
  publisher: 'Bank of England',
  terms: 'Terms of the Bank of England: read them before you pass rates on.',
  termsPage: 'https://www.bankofengland.co.uk/legal',
} as const;

/** Where the database gives a code from a first date on. */
const databaseAddress = (code: string): string =>
  'https://www.bankofengland.co.uk/boeapps/database/_iadb-fromshowcolumns.asp?csv.x=yes&Datefrom={from:DD/MMM/YYYY}' +
  `&Dateto=now&SeriesCodes=${code}&CSVF=TN&UsingCodes=Y&VPD=Y&VFD=N`;

/** Bank Rate of the Bank of England: a row for each change. */
export const bankRate: ImportFormat = {
  id: 'bank-rate',
  publisher: BANK_OF_ENGLAND.publisher,
  doc: 'Bank Rate of the Bank of England, its changes (Date Changed, Rate), or IUDBEDR of its database',
  terms: BANK_OF_ENGLAND.terms,
  publication: {
    revised: 'never',
    rule: 'published by 17:00 London time of the day of the change, assumed: usually it is 12:00, and was later in March 2020',
    at: readReleaseRule('day 17:00 Europe/London'),
  },
  begins: '1975-01-20',
  download: {
    page: 'https://www.bankofengland.co.uk/boeapps/database/Bank-Rate.asp',
    address: databaseAddress('IUDBEDR'),
    file: 'IUDBEDR.csv',
    begins: '1975-01-02',
    appears: onWorkingDays('12:00', 'Europe/London', 400),
    termsPage: BANK_OF_ENGLAND.termsPage,
  },
  recognises: ({ head }) => isOfChanges(head) || (hasCode(head, 'IUDBEDR') && !hasCode(head, 'IUDSOIA')),
  read: readChanges,
};

const isOfChanges = (head: string): boolean => /^\W*Date Changed"?,"?Rate"?\s*[\r\n]/.test(head);

const RATE = announcedSeries({
  currency: 'GBP',
  indicator: 'policy_rate',
  name: 'Official Bank Rate',
  unit: '%',
  source: BANK_OF_ENGLAND.publisher,
  sourceUrl: 'https://www.bankofengland.co.uk/boeapps/database/Bank-Rate.asp',
  sourceSeriesId: 'Bank Rate',
  adjustment: 'NOT_APPLICABLE',
});

/** The page has the changes, and the database the rate of each day. */
function* readChanges(file: ImportedFile): Generator<FileLine> {
  if (isOfChanges(file.head)) {
    const table = { header: 'Date Changed', example: 'Rate', seriesOf: () => RATE, rowOf: valueOfCell };
    yield* readTable(file, { ...table, spellings: ['D MMM YY', 'D MMM YYYY'] });
    return;
  }
  for (const { date, line, val } of changesIn(databaseValues(file, 'IUDBEDR'), bankRate.begins))
    yield { number: line, date, rows: val === undefined ? [] : [valueRow(RATE, date, val)], names: [RATE] };
}

/** SONIA of the Bank of England: the overnight rate of sterling. */
export const sonia: ImportFormat = {
  id: 'sonia',
  publisher: BANK_OF_ENGLAND.publisher,
  doc: 'SONIA, an export of the database of the Bank of England with the column IUDSOIA',
  terms: BANK_OF_ENGLAND.terms,
  publication: {
    revised: 'never',
    rule: 'published at 09:00 London time of the next business day, three weekdays later assumed for holidays',
    at: weekdaysLater(3, { zone: 'Europe/London', hour: 9 }),
  },
  begins: '1997-01-02',
  download: {
    page: 'https://www.bankofengland.co.uk/markets/sonia-benchmark',
    address: databaseAddress('IUDSOIA'),
    file: 'IUDSOIA.csv',
    begins: '1997-01-02',
    appears: onWorkingDays('09:00', 'Europe/London', 6),
    termsPage: BANK_OF_ENGLAND.termsPage,
  },
  recognises: ({ head }) => hasCode(head, 'IUDSOIA'),
  read: readSonia,
};

const PRICES: FileSeries = {
  endpoint: 'financial_prices',
  scope: { currency: 'GBP' },
  envelope: { currency: 'GBP' },
  ofBusinessDays: true,
};

const SONIA_RATE = announcedSeries({
  currency: 'GBP',
  indicator: 'risk_free_rate',
  name: 'SONIA',
  unit: '%',
  source: BANK_OF_ENGLAND.publisher,
  sourceUrl: 'https://www.bankofengland.co.uk/boeapps/database/',
  sourceSeriesId: 'IUDSOIA',
  adjustment: 'NOT_APPLICABLE',
  period: 'day',
});

function* readSonia(file: ImportedFile): Generator<FileLine> {
  for (const { date, line, val } of databaseValues(file, 'IUDSOIA'))
    yield { number: line, date, rows: val === undefined ? [] : rowsOf(date, val), names: [PRICES, SONIA_RATE] };
}

function rowsOf(date: string, val: string) {
  const value = {
    date,
    source: 'Bank of England',
    instrument_id: 'sonia',
    measure: 'rate',
    instrument_name: 'SONIA',
    instrument_type: 'overnight_rate',
    unit: '%',
  };
  const text = asJsonText(`${JSON.stringify(value).slice(0, -1)},"val":${val}}`);
  return [{ series: PRICES, row: { text, value: { ...value, val: Number(val) } } }, valueRow(SONIA_RATE, date, val)];
}

/** Does a file begin as an export with a code does? Lines that describe the codes may stand first. */
const hasCode = (head: string, code: string): boolean =>
  new RegExp(`^"?date"?,(?:.*[ ,"])?${code}"?(?:,|\\s*$)`, 'im').test(head);

interface DatabaseValue {
  readonly date: string;
  readonly line: number;
  /** Undefined where the code has none on that date. */
  readonly val: string | undefined;
}

/** The values of one code; other columns are left out. @throws MacroError of kind `usage`. */
function* databaseValues(file: ImportedFile, code: string): Generator<DatabaseValue> {
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
function* changesIn(days: Iterable<DatabaseValue>, begins = ''): Generator<DatabaseValue> {
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
