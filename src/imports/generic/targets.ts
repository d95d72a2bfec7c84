/** The series of each line of a table: one for all lines, or named by cells of the line. */
import { MacroError } from '../../errors.ts';
import type { FileSeries } from '../format.ts';
import { refuse } from '../read/cells.ts';
import type { CsvRecord } from '../read/csv.ts';

/** The series that a table is read as. */
export interface CsvTarget extends FileSeries {
  /** Member of a row that lists its vintages; undefined where the endpoint has none. */
  readonly vintages: string | undefined;
  /** Its values are rates: above zero. */
  readonly isRate?: boolean;
}

/** Gives the series of a question as typed. */
export type FindTarget = (question: string) => CsvTarget;

export interface Targets {
  /** Columns that name a series. */
  readonly columns: readonly string[];
  /** The series of a line. `places` are those of `columns`. */
  of(record: CsvRecord, places: readonly number[]): CsvTarget;
}

const COLUMN = /\{([^{}]+)\}/g;

/** `fx {base} {quote}` takes both words from the cells of those columns. */
export function targetsOf(question: string, find: FindTarget): Targets {
  const columns = [...question.matchAll(COLUMN)].map(([, name = '']) => name);
  if (columns.length === 0) {
    const only = find(question);
    return { columns, of: () => only };
  }
  const known = new Map<string, CsvTarget>();
  return {
    columns,
    of({ cells, line }, places) {
      let name = '';
      for (const place of places) name += `${cells[place]}\0`;
      const target =
        known.get(name) ?? findOnLine(question, find, { words: places.map((place) => cells[place] ?? ''), line });
      known.set(name, target);
      return target;
    },
  };
}

function findOnLine(
  question: string,
  find: FindTarget,
  { words, line }: { readonly words: readonly string[]; readonly line: number },
): CsvTarget {
  const broken = words.find((word) => !/^\S+$/.test(word));
  if (broken !== undefined) throw refuse(`'${broken}' is no word that names a series.`, { line });
  let place = 0;
  const filled = question.replace(COLUMN, () => words[place++] ?? '');
  try {
    return find(filled);
  } catch (cause) {
    if (cause instanceof MacroError) throw refuse(`it is read as '${filled}'. ${cause.message}`, { line, cause });
    throw cause;
  }
}
