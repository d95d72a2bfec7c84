/** Dates and numbers of cells. Each is refused with its line where it is not what the file should have there. */
import { isCalendarDate } from '../../contract/time/time.ts';
import { MacroError } from '../../errors.ts';

/** A cell and the line that it stands on. */
export interface PlacedCell {
  readonly text: string;
  readonly line: number;
  /** The subject of the value, for messages. */
  readonly of?: string;
}

const SPELLED = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,17})?$/;

/** Further facts about a file that cannot be read. */
interface Refusal {
  /** Counted from 1, as editors do. */
  readonly line?: number;
  /** The alternative to giving the publisher's own file. */
  readonly hint?: string;
  /** Options of `macro import csv` that may mend it, as words of a command line; none where a person has to describe the table. */
  readonly mend?: readonly string[];
  readonly cause?: unknown;
}

/** A number as JSON spells it, with the file's digits: 1.10 stays. @throws MacroError of kind `usage`. */
export function readNumber({ text, line, of }: PlacedCell, decimal: '.' | ',' = '.'): string {
  if (decimal === '.' && SPELLED.test(text)) return text;
  const spelled = decimal === '.' ? text : swapMarks(text);
  const number = spelled.replace(/^(-?)\./, '$10.');
  if (SPELLED.test(number)) return number;
  throw refuse(`'${text}' is no number${of === undefined ? '' : ` of ${of}`}.`, { line });
}

/** With a decimal comma a point is no part of a number: it would be read as a thousandth. */
const swapMarks = (text: string): string => (text.includes('.') ? 'x' : text.replace(',', '.'));

/** A number above zero. @throws MacroError of kind `usage`. */
export function readPositive(cell: PlacedCell, decimal: '.' | ',' = '.'): string {
  const number = readNumber(cell, decimal);
  if (Number(number) > 0) return number;
  throw notPositive(cell);
}

export function notPositive({ text, of, line }: PlacedCell): MacroError {
  return refuse(`${text}${of === undefined ? '' : ` of ${of}`} is not above zero.`, { line });
}

/** A number divided by a power of ten, exactly: its decimal mark is moved. */
export function dividedBy(number: string, powerOfTen: number): string {
  const places = String(powerOfTen).length - 1;
  if (places === 0) return number;
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(number) ?? [];
  const digits = whole.padStart(places + 1, '0');
  const cut = digits.length - places;
  return `${sign}${digits.slice(0, cut)}.${digits.slice(cut)}${fraction}`;
}

const MONTHS = 'January February March April May June July August September October November December'.split(' ');

/**
 * How files spell a date. `MMMM` is an English month, `MMM` its first three letters, in any case; `YY` is a year from 1950 to
 * 2049. A month, a quarter or a year is its first day.
 */
const SPELLINGS = {
  'YYYY-MM-DD': /^(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})$/,
  YYYYMMDD: /^(?<year>\d{4})(?<month>\d{2})(?<day>\d{2})$/,
  'D MMMM YYYY': /^(?<day>\d{1,2})[ -](?<word>[A-Za-z]+)[ -](?<year>\d{4})$/,
  'D MMM YYYY': /^(?<day>\d{1,2})[ -](?<word>[A-Za-z]{3})[ -](?<year>\d{4})$/,
  'D MMM YY': /^(?<day>\d{1,2})[ -](?<word>[A-Za-z]{3})[ -](?<short>\d{2})$/,
  'MM/DD/YYYY': /^(?<month>\d{1,2})\/(?<day>\d{1,2})\/(?<year>\d{4})$/,
  'DD/MM/YYYY': /^(?<day>\d{1,2})\/(?<month>\d{1,2})\/(?<year>\d{4})$/,
  'DD.MM.YYYY': /^(?<day>\d{1,2})\.(?<month>\d{1,2})\.(?<year>\d{4})$/,
  'YYYY-MM': /^(?<year>\d{4})[-M:](?<month>\d{2})$/,
  'YYYY MMM': /^(?<year>\d{4})[ -](?<word>[A-Za-z]{3})$/,
  'MMM YYYY': /^(?<word>[A-Za-z]{3})[ -](?<year>\d{4})$/,
  'MMM YY': /^(?<word>[A-Za-z]{3})[ -](?<short>\d{2})$/,
  'YYYY-Q': /^(?<year>\d{4})[- :]?Q(?<quarter>[1-4])$/,
  YYYY: /^(?<year>\d{4})$/,
} as const satisfies Readonly<Record<string, RegExp>>;

export type DateSpelling = keyof typeof SPELLINGS;

export const DATE_SPELLINGS = Object.keys(SPELLINGS) as readonly DateSpelling[];

/** The period of a spelling. */
export function periodOfSpelling(spelling: DateSpelling): 'day' | 'month' | 'quarter' | 'year' {
  if (spelling.includes('D')) return 'day';
  return spelling === 'YYYY' ? 'year' : spelling === 'YYYY-Q' ? 'quarter' : 'month';
}

/** The date of a cell as YYYY-MM-DD; undefined when it is none in this spelling. */
export function dateIn(text: string, spelling: DateSpelling): string | undefined {
  if (spelling === 'YYYY-MM-DD') return isCalendarDate(text) ? text : undefined;
  const found = SPELLINGS[spelling].exec(text)?.groups;
  if (!found) return undefined;
  const { short = '', year = `${Number(short) >= 50 ? '19' : '20'}${short}`, word, quarter, day = '01' } = found;
  const month = word === undefined ? (found.month ?? monthOfQuarter(quarter)) : monthNamed(word, spelling);
  const date = `${year}-${String(month).padStart(2, '0')}-${day.padStart(2, '0')}`;
  return isCalendarDate(date) ? date : undefined;
}

const monthOfQuarter = (quarter = '1'): number => 3 * Number(quarter) - 2;

function monthNamed(word: string, spelling: DateSpelling): number {
  const length = spelling.includes('MMMM') ? undefined : 3;
  return MONTHS.findIndex((name) => name.slice(0, length).toLowerCase() === word.toLowerCase()) + 1;
}

export function readDate({ text, line }: PlacedCell, ...spellings: readonly DateSpelling[]): string {
  for (const spelling of spellings) {
    const date = dateIn(text, spelling);
    if (date !== undefined) return date;
  }
  throw refuse(`'${text}' is no date.`, { line });
}

const MAX_NAMES = 8;
const MAX_NAME_LENGTH = 60;
/** A sentence quotes cells of somebody's file, and one of them may be megabytes long. */
const MAX_SENTENCE_LENGTH = 1000;

/** The first of some names, and how many more there are. */
export function someOf(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMES).map((name) => shortened(name));
  const more = names.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

export function shortened(text: string, maxLength = MAX_NAME_LENGTH): string {
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}

/** The error of a file that cannot be read. */
export function refuse(sentence: string, { line, hint, mend, cause }: Refusal = {}): MacroError {
  const place = line === undefined ? 'The file cannot be imported' : `Line ${line} of the file cannot be imported`;
  return new MacroError('usage', `${place}: ${shortened(sentence, MAX_SENTENCE_LENGTH)}`, {
    code: 'bad_import',
    hint: `Nothing was written. ${hint ?? 'Give the file as the publisher offers it, as CSV or as ZIP.'}`,
    ...(mend !== undefined && { extra: { mend } }),
    ...(cause !== undefined && { cause }),
  });
}
