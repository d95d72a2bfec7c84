/** Any table of dates and values, read as a person describes it. */
import { asJsonText, type JsonObject } from '../../contract/json/json.ts';
import { addDays, dateToMs, parseInstant } from '../../contract/time/time.ts';
import { MacroError } from '../../errors.ts';
import type { FileLine, FileSeries, ImportedFile, ImportFormat } from '../format.ts';
import { dateIn, readDate, readNumber } from '../read/cells.ts';
import type { CsvRecord } from '../read/csv.ts';
import { refuse } from '../refuse.ts';
import type { CsvMapping } from './mapping.ts';
import { periodEnd } from './periods.ts';
import { readReleaseRule } from './release-rule.ts';

/** The series that a table is read as. */
export interface CsvTarget extends FileSeries {
  /** Member of a row that lists its vintages; undefined where the endpoint has none. */
  readonly vintages: string | undefined;
}

export function csvFormat(mapping: CsvMapping, target: CsvTarget): ImportFormat {
  const { releaseRule, vintage, begins, publisher } = mapping;
  if (vintage !== undefined && target.vintages === undefined)
    throw new MacroError('usage', `Rows of ${target.endpoint} have no vintages.`, {
      code: 'bad_option',
      hint: 'Leave --vintage out: a changed value is then known from the import.',
    });
  return {
    id: 'csv',
    publisher,
    doc: 'Any table of dates and values, described by options or a mapping file',
    terms: 'Those of its publisher.',
    publication:
      releaseRule === undefined
        ? {
            revised: 'often',
            rule: vintage === undefined ? 'known from the import' : 'each vintage says when it was known',
          }
        : { revised: 'never', rule: `published by the rule ${releaseRule}, assumed`, at: readReleaseRule(releaseRule) },
    ...(begins !== undefined && { begins }),
    recognises: () => false,
    read: (file) => (vintage === undefined ? valuesIn(file, mapping, target) : vintagesIn(file, mapping, target)),
  };
}

interface Cells {
  readonly date: string;
  /** As JSON spells it; undefined where it is missing. */
  readonly value: string | undefined;
  readonly vintage: string;
  readonly line: number;
}

function* valuesIn(file: ImportedFile, mapping: CsvMapping, series: FileSeries): Generator<FileLine> {
  for (const { date, value, line } of cellsIn(file, mapping)) {
    const row = { text: asJsonText(`{"date":"${date}","val":${value}}`), value: { date, val: Number(value) } };
    yield { number: line, date, rows: value === undefined ? [] : [{ series, row }] };
  }
}

/** Lines of one date stand together, one for each vintage; the newest one is the value of the row. */
function* vintagesIn(file: ImportedFile, mapping: CsvMapping, target: CsvTarget): Generator<FileLine> {
  let open:
    | { readonly date: string; readonly line: number; readonly list: { epoch: number; value: string }[] }
    | undefined;
  for (const { date, value, vintage, line } of cellsIn(file, mapping)) {
    if (open && open.date !== date) yield rowOfVintages(open, target);
    if (!open || open.date !== date) open = { date, line, list: [] };
    if (value === undefined) continue;
    const epoch = vintageEpoch(vintage, mapping, line);
    if (open.list.some((one) => one.epoch === epoch))
      throw refuse(`${date} has the vintage ${vintage} twice.`, { line });
    open.list.push({ epoch, value });
  }
  if (open) yield rowOfVintages(open, target);
}

function rowOfVintages(
  {
    date,
    line,
    list,
  }: { readonly date: string; readonly line: number; readonly list: { epoch: number; value: string }[] },
  target: CsvTarget,
): FileLine {
  const sorted = [...list].sort((a, b) => a.epoch - b.epoch);
  // A vintage that repeats the value before it says nothing new.
  const told = sorted.filter(({ value }, place) => sorted[place - 1]?.value !== value);
  const last = told.at(-1);
  if (!last) return { number: line, date, rows: [] };
  const name = target.vintages ?? '';
  const vintages = told.map(({ epoch, value }) => `{"epoch":${epoch},"val":${value}}`);
  const value: JsonObject = {
    date,
    val: Number(last.value),
    [name]: told.map(({ epoch, value }) => ({ epoch, val: Number(value) })),
  };
  const text = asJsonText(`{"date":"${date}","val":${last.value},"${name}":[${vintages.join(',')}]}`);
  return { number: line, date, rows: [{ series: target, row: { text, value } }] };
}

/** An instant is taken as it is. A date alone is known when it is over everywhere: at noon UTC of the next day. */
function vintageEpoch(text: string, { dateFormat }: CsvMapping, line: number): number {
  const date = dateIn(text, dateFormat) ?? dateIn(text, 'YYYY-MM-DD');
  if (date !== undefined) return dateToMs(addDays(date, 1)) / 1000 + NOON;
  const instant = /T.*(?:Z|[+-]\d\d:\d\d)$/.test(text) ? parseInstant(text) : undefined;
  if (instant === undefined) throw refuse(`'${text}' is no date and no instant of a vintage.`, { line });
  return instant;
}

const NOON = 43_200;

/** How many lines may stand before the header. */
const MOST_LINES_BEFORE = 100;

function* cellsIn(file: ImportedFile, mapping: CsvMapping): Generator<Cells> {
  const missing = new Set(mapping.missing);
  let places: ReturnType<typeof placesIn>;
  let first: CsvRecord | undefined;
  let width = 0;
  for (const record of file.records({ separator: mapping.separator, encoding: mapping.encoding })) {
    const { cells, line } = record;
    first ??= record;
    if (!places) {
      places = placesIn(record, mapping);
      width = cells.length;
      if (!places && line > MOST_LINES_BEFORE) break;
      continue;
    }
    if (cells.every((cell) => cell === '')) continue;
    if (cells.length !== width) throw refuse(`it has ${cells.length} cells and the header has ${width}.`, { line });
    const told = cells[places.date] ?? '';
    const date = periodEnd(readDate({ text: told, line }, mapping.dateFormat), mapping.period);
    const text = cells[places.value] ?? '';
    const value = missing.has(text) ? undefined : readNumber({ text, line, of: mapping.value }, mapping.decimal);
    yield { date, value, vintage: places.vintage === undefined ? '' : (cells[places.vintage] ?? ''), line };
  }
  if (places) return;
  const names = [mapping.date, mapping.value, ...(mapping.vintage === undefined ? [] : [mapping.vintage])];
  throw refuse(
    `no line has the columns ${names.join(', ')}. Its first line has: ${first?.cells.slice(0, 20).join(', ') ?? ''}.`,
    { line: first?.line ?? 1 },
  );
}

/** Places of the columns, where a line is the header. A title that stands there twice names no column. */
function placesIn({ cells }: CsvRecord, { date, value, vintage }: CsvMapping) {
  const placeOf = (name: string): number | undefined => {
    const place = cells.indexOf(name);
    if (place >= 0) return cells.indexOf(name, place + 1) < 0 ? place : undefined;
    const number = /^\d{1,4}$/.test(name) ? Number(name) : 0;
    return number >= 1 && number <= cells.length ? number - 1 : undefined;
  };
  const found = {
    date: placeOf(date),
    value: placeOf(value),
    vintage: vintage === undefined ? undefined : placeOf(vintage),
  };
  if (found.date === undefined || found.value === undefined) return undefined;
  if (vintage !== undefined && found.vintage === undefined) return undefined;
  return { date: found.date, value: found.value, vintage: found.vintage };
}
