/** Observations of the data service of the ECB by the keys of their series: SDMX-CSV, or a table of its Data Portal. */
import { addDays } from '../../contract/time/time.ts';
import type { ImportedFile } from '../format.ts';
import { refuse } from '../read/cells.ts';
import type { CsvRecord } from '../read/csv.ts';
import { headed, requireWidth } from '../read/dated-lines.ts';

export const ECB_DOWNLOAD = {
  maxBytes: 16_000_000,
  termsPage: 'https://www.ecb.europa.eu/services/using-our-site/disclaimer/html/index.en.html',
  seen: { on: '2026-10-08', by: 'an answer of that day which a public program keeps for its tests' },
} as const;

interface Observations {
  readonly line: number;
  /** As the file spells it: `2026-10`, `2026-Q3`, or a day in it. */
  readonly period: string;
  /** The period as a table of the Data Portal spells it beside its last day: `04 Jan 1999`, `1980Q1`. */
  readonly spelled: string | undefined;
  /** A missing value is undefined. Keys begin with their flow. */
  readonly values: readonly { readonly key: string; readonly text: string | undefined }[];
}

/** Does a file begin with a header and a key of this form? Keys without their flow are those of exchange rates. */
export function hasKey(head: string, form: RegExp): boolean {
  const [header = '', first = ''] = head.split(/\r?\n/);
  const key = /^\W*KEY"?,/.test(header)
    ? /^"?([A-Z]\w*(?:\.\w*)+)/.exec(first)?.[1]
    : /^\W*DATE"?,"?TIME PERIOD"?,.*?\(([A-Z]\w*(?:\.\w*)+)\)"?(?:,|$)/.exec(header)?.[1];
  return key !== undefined && form.test(flowKey(key));
}

const flowKey = (key: string): string => (/^D\.[A-Z]{3}\./.test(key) ? `EXR.${key}` : key);

const NO_VALUE: ReadonlySet<string> = new Set(['', 'NaN', '-']);

/** The lines of a file. @throws MacroError of kind `usage`. */
export function* observations(file: ImportedFile): Generator<Observations> {
  const { header, records } = headed(file);
  const { period, spelled, cellsOf } = columnsIn(header);
  for (const record of records) {
    requireWidth(record, header.cells.length);
    const { cells, line } = record;
    const values = cellsOf(cells).map(({ key, place }) => {
      const text = cells[place] ?? '';
      return { key: flowKey(key), text: NO_VALUE.has(text) ? undefined : text };
    });
    yield { line, period: cells[period] ?? '', spelled: spelled === undefined ? undefined : cells[spelled], values };
  }
}

interface Columns {
  readonly period: number;
  readonly spelled?: number;
  /** The values of a line: its key, and the place of the number. */
  cellsOf(cells: readonly string[]): readonly { readonly key: string; readonly place: number }[];
}

function columnsIn({ cells, line }: CsvRecord): Columns {
  const [key, period, value] = ['KEY', 'TIME_PERIOD', 'OBS_VALUE'].map((title) => cells.indexOf(title));
  if (key !== undefined && period !== undefined && value !== undefined && Math.min(key, period, value) >= 0)
    return { period, cellsOf: (of) => [{ key: of[key] ?? '', place: value }] };
  const places = cells.flatMap((title, place) => {
    const [, found] = /\(([A-Z]\w*(?:\.\w*)+)\)$/.exec(title) ?? [];
    return found === undefined ? [] : [{ key: found, place }];
  });
  // DATE is the last day of the period.
  if (cells[0] === 'DATE' && places.length === cells.length - 2)
    return { period: 0, spelled: 1, cellsOf: () => places };
  throw refuse(
    'its header must have KEY, TIME_PERIOD and OBS_VALUE, or DATE, TIME PERIOD and keys of daily rates or of other unchanged series.',
    {
      line,
    },
  );
}

/** Days without a value are not listed. A wider gap is a file of changes alone, which would take the rest away. */
const MAX_GAP_DAYS = 10;

/** @throws MacroError of kind `usage`. */
export function requireSteady(last: string, date: string, line: number): void {
  if (date > addDays(last, MAX_GAP_DAYS) || date < addDays(last, -MAX_GAP_DAYS))
    throw refuse(`${date} stands behind ${last}: a file of changes alone would take the days between away.`, {
      line,
      hint: 'Download all days of a range: without updatedAfter and lastNObservations.',
    });
}
