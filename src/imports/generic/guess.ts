/** Guesses the columns of a table of an unknown publisher from its cells. */
import { MacroError } from '../../errors.ts';
import type { ImportedFile } from '../format.ts';
import { DATE_SPELLINGS, dateIn } from '../read/cells.ts';
import type { CsvRecord } from '../read/csv.ts';

export interface GuessedTable {
  readonly separator: ',' | ';' | '\t';
  /** Title; undefined where no column has dates. */
  readonly date: string | undefined;
  /** Titles of the columns with numbers, which may have different units: only a person knows which is meant. */
  readonly values: readonly string[];
  /** Dates stand as titles of columns. */
  readonly isWide: boolean;
}

const SEPARATORS = [',', ';', '\t'] as const;

/** Lines that are looked at. */
const MAX_SAMPLE_LINES = 50;

/** Titles that SDMX gives to the two columns. */
const DATE_TITLE = 'TIME_PERIOD';
const VALUE_TITLE = 'OBS_VALUE';

/** A year alone may as well be a number. */
const FULL_SPELLINGS = DATE_SPELLINGS.filter((one) => one !== 'YYYY');
const isDate = (text: string): boolean => FULL_SPELLINGS.some((one) => dateIn(text, one) !== undefined);
const isNumber = (text: string): boolean => /^-?\d*[.,]?\d+$/.test(text) && !isDate(text);

/** The table of a text, cut by the mark that makes the most lines of one width; undefined where it has one column. */
export function guessTable(file: ImportedFile): GuessedTable | undefined {
  const [table] = SEPARATORS.map((separator) => {
    const lines = firstLines(file, separator);
    const width = Math.max(0, ...lines.map(({ cells }) => cells.length));
    const fitting = width < 2 ? 0 : lines.filter(({ cells }) => cells.length === width).length;
    return { separator, lines, width, fitting };
  }).toSorted((a, b) => b.fitting - a.fitting || b.width - a.width);
  if (!table || table.fitting === 0) return undefined;
  const at = table.lines.findIndex(({ cells }) => cells.length === table.width);
  const titles = table.lines[at]?.cells ?? [];
  const below = table.lines.slice(at + 1);
  const columns = titles.flatMap((title, place) => {
    const cells = below.map(({ cells }) => cells[place] ?? '').filter((cell) => cell !== '');
    const share = (is: (text: string) => boolean) => cells.filter(is).length / Math.max(cells.length, 1);
    return title === '' ? [] : [{ title, hasDates: share(isDate) > 0.5, hasNumbers: share(isNumber) >= 0.5 }];
  });
  const dates = columns.filter(({ hasDates }) => hasDates).map(({ title }) => title);
  const numbers = columns.filter(({ hasNumbers }) => hasNumbers).map(({ title }) => title);
  return {
    separator: table.separator,
    date: dates.includes(DATE_TITLE) ? DATE_TITLE : dates[0],
    values: numbers.includes(VALUE_TITLE) ? [VALUE_TITLE] : numbers,
    isWide: dates.length === 0 && titles.filter(isDate).length >= 2,
  };
}

/** None where the text cannot be cut so: quotes stand elsewhere then. */
function firstLines(file: ImportedFile, separator: GuessedTable['separator']): readonly CsvRecord[] {
  const lines: CsvRecord[] = [];
  try {
    for (const record of file.records({ separator })) {
      lines.push(record);
      if (lines.length >= MAX_SAMPLE_LINES) break;
    }
  } catch (error) {
    if (error instanceof MacroError) return [];
    throw error;
  }
  return lines;
}
