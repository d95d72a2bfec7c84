import { isCalendarDate } from '../contract/time/time.ts';
import { refuse } from './refuse.ts';

/** The ECB's table of reference rates: days newest first, one column a currency. */
export interface EcbTable {
  readonly dates: readonly string[];
  readonly columns: readonly EcbColumn[];
}

export interface EcbColumn {
  readonly currency: string;
  /** The rate of each date as it was spelled; undefined where the ECB published none. */
  readonly rates: readonly (string | undefined)[];
}

interface Line {
  readonly number: number;
  readonly text: string;
}

/** A day of the table, before the days are put in order. */
interface Day {
  readonly date: string;
  readonly rates: readonly (string | undefined)[];
}

const RATE = /^(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/;
const NO_RATE: ReadonlySet<string> = new Set(['', 'N/A']);
const MONTHS = 'January February March April May June July August September October November December'.split(' ');

/**
 * Reads the table strictly: a file that is cut off, doubled or altered is refused with the line where it shows. Allowed
 * is what the ECB's own files differ in: blanks around cells, a comma at the end of every line, `10 April 2026` for a
 * date, any order of days.
 */
export function readEcbTable(text: string): EcbTable {
  const [header, ...lines] = linesOf(text);
  if (!header) throw refuse('it is empty.');
  const { currencies, cells } = readHeader(header);
  const days = new Map<string, Day>();
  for (const line of lines) {
    const day = readDay(line, currencies, cells);
    if (days.has(day.date)) throw refuse(`${day.date} stands in the file twice.`, { line: line.number });
    days.set(day.date, day);
  }
  if (days.size === 0) throw refuse('it has a header and no rates.');
  const ordered = [...days.values()].sort((a, b) => (a.date < b.date ? 1 : -1));
  const columns = currencies.map((currency, place) => ({ currency, rates: ordered.map(({ rates }) => rates[place]) }));
  return { dates: ordered.map(({ date }) => date), columns };
}

function linesOf(text: string): readonly Line[] {
  return text
    .split('\n')
    .map((line, place) => ({ number: place + 1, text: line.trim() }))
    .filter((line) => line.text !== '');
}

function cellsOf(line: Line): readonly string[] {
  return line.text.split(',').map((cell) => cell.trim());
}

/** `cells` counts the header's cells with the empty one after a final comma, which every line must repeat. */
function readHeader(line: Line): { readonly currencies: readonly string[]; readonly cells: number } {
  const cells = cellsOf(line);
  const [first, ...names] = cells;
  if (names.at(-1) === '') names.pop();
  if (first !== 'Date' || names.length === 0)
    throw refuse('its first line must be Date and then currency codes, as in the ECB files eurofxref.', {
      line: line.number,
    });
  for (const [place, name] of names.entries()) {
    if (!/^[A-Z]{3}$/.test(name) || name === 'EUR')
      throw refuse(`'${name}' is no currency code.`, { line: line.number });
    if (names.indexOf(name) < place) throw refuse(`the column ${name} stands there twice.`, { line: line.number });
  }
  return { currencies: names, cells: cells.length };
}

function readDay(line: Line, currencies: readonly string[], count: number): Day {
  const cells = cellsOf(line);
  const date = readDate(cells[0] ?? '', line.number);
  if (cells.length !== count)
    throw refuse(`it has ${cells.length} cells and the header has ${count}.`, { line: line.number });
  return { date, rates: currencies.map((currency, place) => readRate(cells[place + 1] ?? '', currency, line.number)) };
}

function readDate(cell: string, line: number): string {
  const words = /^(\d{1,2}) ([A-Z][a-z]+) (\d{4})$/.exec(cell);
  const month = MONTHS.indexOf(words?.[2] ?? '') + 1;
  const date = words && month > 0 ? [words[3], pad(String(month)), pad(words[1] ?? '')].join('-') : cell;
  if (!isCalendarDate(date)) throw refuse(`'${cell}' is no date.`, { line });
  return date;
}

function readRate(cell: string, currency: string, line: number): string | undefined {
  if (NO_RATE.has(cell)) return undefined;
  if (/^-?[\d.]+$/.test(cell) && Number(cell) <= 0)
    throw refuse(`the rate ${cell} of ${currency} is not above zero.`, { line });
  if (!RATE.test(cell)) throw refuse(`'${cell}' is no rate of ${currency}.`, { line });
  return cell;
}

const pad = (digits: string): string => digits.padStart(2, '0');
