/** Any table of dates and values, read as a person describes it. */
import { asJsonText, type JsonObject, readJson } from '../../contract/json/json.ts';
import { parseInstant } from '../../contract/time/time.ts';
import { MacroError } from '../../errors.ts';
import type { FileLine, ImportedFile, ImportFormat } from '../format.ts';
import {
  DATE_SPELLINGS,
  type DateSpelling,
  dateIn,
  notPositive,
  type PlacedCell,
  periodOfSpelling,
  readNumber,
  refuse,
} from '../read/cells.ts';
import type { CsvRecord } from '../read/csv.ts';
import { requireWidth } from '../read/dated-lines.ts';
import { endOfDay } from '../read/release-days.ts';
import { unitOf } from '../read/sdmx-csv.ts';
import { stepsOfCells } from '../read/vintages.ts';
import type { CsvMapping } from './mapping.ts';
import { type Period, periodEnd, readReleaseRule } from './release-rule.ts';
import { type CsvTarget, type FindTarget, type Targets, targetsOf } from './targets.ts';

/** @throws MacroError of kind `usage`. */
export function csvFormat(described: CsvMapping, find: FindTarget): ImportFormat {
  const { releaseRule, vintage, begins, publisher, dateFormat = 'YYYY-MM-DD' } = described;
  const mapping: TableMapping = { ...described, dateFormat, period: described.period ?? periodOfSpelling(dateFormat) };
  const findChecked = (question: string): CsvTarget => {
    const target = find(question);
    if (vintage !== undefined && target.vintages === undefined)
      throw new MacroError('usage', `Rows of ${target.endpoint} have no vintages.`, {
        code: 'bad_option',
        hint: 'Leave --vintage out: a changed value is then known from the import.',
      });
    return mapping.period === 'day' ? target : { ...target, period: mapping.period };
  };
  const targets = targetsOf(mapping.as, findChecked);
  return {
    id: 'csv',
    publisher,
    doc: 'Any table of dates and values, described by options or a mapping file',
    terms: 'Those of its publisher.',
    mayEndOpen: true,
    publication:
      releaseRule === undefined
        ? {
            revised: 'often',
            rule: vintage === undefined ? 'known from the import' : 'each vintage says when it was known',
          }
        : { revised: 'never', rule: `published by the rule ${releaseRule}, assumed`, at: readReleaseRule(releaseRule) },
    ...(begins !== undefined && { begins }),
    recognises: () => false,
    read(file) {
      const lines = (mapping.wide ? wideCells : tableCells)(file, mapping, targets);
      return vintage === undefined ? valuesIn(lines) : vintagesIn(lines, dateFormat);
    },
  };
}

/** A mapping whose spelling of dates is known. */
interface TableMapping extends CsvMapping {
  readonly dateFormat: DateSpelling;
  readonly period: Period;
}

interface Cells {
  readonly target: CsvTarget;
  readonly date: string;
  /** As JSON spells it; undefined where it is missing. */
  readonly value: string | undefined;
  readonly vintage: string;
  readonly line: number;
}

function* valuesIn(lines: Iterable<Cells>): Generator<FileLine> {
  for (const { target: series, date, value, line } of lines) {
    if (value === undefined) {
      yield { number: line, date, rows: [], names: [series] };
      continue;
    }
    const row = { text: asJsonText(`{"date":"${date}","val":${value}}`), value: { date, val: Number(value) } };
    yield { number: line, date, rows: [{ series, row }] };
  }
}

interface OpenDate extends Pick<Cells, 'target' | 'date' | 'line'> {
  readonly list: { epoch: number; val: string | undefined }[];
}

/** Lines of one date stand together, one for each vintage; the newest one is the value of the row. */
function* vintagesIn(lines: Iterable<Cells>, dateFormat: DateSpelling): Generator<FileLine> {
  let open: OpenDate | undefined;
  for (const { target, date, value, vintage, line } of lines) {
    if (open?.date !== date || open.target !== target) {
      if (open) yield rowOfVintages(open);
      open = { target, date, line, list: [] };
    }
    if (value === undefined && vintage === '') continue;
    const epoch = vintageEpoch({ text: vintage, line }, dateFormat);
    if (open.list.some((one) => one.epoch === epoch))
      throw refuse(`${date} has the vintage ${vintage} twice.`, { line });
    open.list.push({ epoch, val: value });
  }
  if (open) yield rowOfVintages(open);
}

/** A vintage that repeats the value before it says nothing new, and one without a value takes it back. */
function rowOfVintages({ target, date, line, list }: OpenDate): FileLine {
  const steps = stepsOfCells([...list].sort((a, b) => a.epoch - b.epoch));
  const last = steps.at(-1);
  if (!last) return { number: line, date, rows: [], names: [target] };
  const name = target.vintages ?? '';
  const vintages = steps.map(({ epoch, val = 'null' }) => `{"epoch":${epoch},"val":${val}}`);
  const text = asJsonText(`{"date":"${date}","val":${last.val ?? 'null'},"${name}":[${vintages.join(',')}]}`);
  return { number: line, date, rows: [{ series: target, row: { text, value: readJson<JsonObject>(text) } }] };
}

/**
 * When a vintage was known: an instant itself, for a date noon UTC of the next day, for a month or year its last day.
 */
function vintageEpoch({ text, line }: PlacedCell, dateFormat: DateSpelling): number {
  const spelled = dateIn(text, dateFormat);
  const date = spelled === undefined ? dateIn(text, 'YYYY-MM-DD') : periodEnd(spelled, periodOfSpelling(dateFormat));
  if (date !== undefined) return endOfDay(date);
  const instant = /T.*(?:Z|[+-]\d\d:\d\d)$/.test(text) ? parseInstant(text) : undefined;
  if (instant === undefined) throw refuse(`'${text}' is no date and no instant of a vintage.`, { line });
  return instant;
}

/** How many lines may stand before the header. */
const MAX_LINES_BEFORE = 100;

function* tableCells(file: ImportedFile, mapping: TableMapping, targets: Targets): Generator<Cells> {
  const missing = new Set(mapping.missing);
  const columns = [mapping.date, mapping.value, ...(mapping.vintage === undefined ? [] : [mapping.vintage])];
  const { dateFormat } = mapping;
  let places: readonly number[] | undefined;
  let seriesPlaces: readonly number[] = [];
  let first: CsvRecord | undefined;
  let doubled: MacroError | undefined;
  let width = 0;
  /** Places of columns of SDMX that no unit speaks for. */
  let [multiplier, unit] = [-1, -1];
  for (const record of file.records({ separator: mapping.separator, encoding: mapping.encoding })) {
    const { cells, line } = record;
    first ??= record;
    if (!places) {
      const found = placesOf(record, [...columns, ...targets.columns]);
      doubled ??= found ? undefined : doubledIn(record, [...columns, ...targets.columns]);
      places = found?.slice(0, columns.length);
      multiplier = mapping.unit === undefined ? cells.indexOf('UNIT_MULT') : -1;
      unit = cells.indexOf('UNIT');
      seriesPlaces = found?.slice(columns.length) ?? [];
      width = cells.length;
      if (!places && line > MAX_LINES_BEFORE) break;
      continue;
    }
    if (cells[0] === '' && cells.every((cell) => cell === '')) continue;
    requireWidth({ cells, line }, width);
    if (!/^0?$/.test(cells[multiplier] ?? '')) throw withMultiplier(record, { multiplier, unit });
    const target = targets.of(record, seriesPlaces);
    const date = periodEnd(describedDate({ text: cells[places[0] ?? 0] ?? '', line }, dateFormat), mapping.period);
    const cell = { text: cells[places[1] ?? 0] ?? '', line, of: mapping.value };
    const value = missing.has(cell.text) ? undefined : checkedNumber(cell, mapping, target);
    yield { target, date, value, vintage: places[2] === undefined ? '' : (cells[places[2]] ?? ''), line };
  }
  if (places) return;
  throw doubled ?? withoutHeader(first, [...columns, ...targets.columns]);
}

function withMultiplier({ cells, line }: CsvRecord, at: { readonly multiplier: number; readonly unit: number }) {
  const times = cells[at.multiplier] ?? '';
  const unit = unitOf(cells[at.unit] ?? '', times, line) ?? '';
  return refuse(`its UNIT_MULT is ${times}: values are times ten to the power of it. --unit '${unit}' says so.`, {
    line,
    mend: ['--unit', unit],
  });
}

function checkedNumber(cell: PlacedCell, { decimal }: CsvMapping, { isRate }: CsvTarget): string {
  const value = describedNumber(cell, decimal);
  if (isRate && !(Number(value) > 0)) throw notPositive(cell);
  return value;
}

/** Walk: the first line with two dates is the header; each line below is a series, or the one line that was named is. */
function* wideCells(file: ImportedFile, mapping: TableMapping, targets: Targets): Generator<Cells> {
  const { dateFormat, period, row } = mapping;
  const missing = new Set(mapping.missing);
  let header: { readonly dates: ReadonlyMap<number, string>; readonly seriesPlaces: readonly number[] } | undefined;
  let width = 0;
  let read = 0;
  for (const record of file.records({ separator: mapping.separator, encoding: mapping.encoding })) {
    const { cells, line } = record;
    if (!header) {
      const dates = datesIn(cells, dateFormat);
      if (dates.size < 2) continue;
      const seriesPlaces = placesOf(record, targets.columns);
      if (!seriesPlaces) throw withoutHeader(record, targets.columns);
      header = { dates, seriesPlaces };
      width = cells.length;
      continue;
    }
    const { dates, seriesPlaces } = header;
    if (row !== undefined && !cells.some((cell, place) => cell === row && !dates.has(place))) continue;
    if (cells.every((cell) => cell === '')) continue;
    requireWidth({ cells, line }, width);
    read += 1;
    if (read > 1 && targets.columns.length === 0) throw severalLines(record, dates);
    const target = targets.of(record, seriesPlaces);
    for (const [place, date] of dates) {
      const cell = { text: cells[place] ?? '', line, of: date };
      const value = missing.has(cell.text) ? undefined : checkedNumber(cell, mapping, target);
      yield { target, date: periodEnd(date, period), value, vintage: '', line };
    }
  }
  if (!header) throw refuse('no line has two dates. --date-format says how they are spelled.');
  if (read === 0) throw refuse(row === undefined ? 'it has a header and no values.' : `no line has a cell '${row}'.`);
}

const datesIn = (cells: readonly string[], spelling: DateSpelling): ReadonlyMap<number, string> =>
  new Map(
    cells.flatMap((cell, place): [number, string][] => {
      const date = dateIn(cell, spelling);
      return date === undefined ? [] : [[place, date]];
    }),
  );

function severalLines({ cells, line }: CsvRecord, dates: ReadonlyMap<number, string>): MacroError {
  const name = cells.find((cell, place) => cell !== '' && !dates.has(place)) ?? '';
  return refuse(
    `it is a second line with values, and --as is one series. Name the line, such as --row '${name}', ` +
      'or take the series from each line with a column in braces.',
    { line },
  );
}

/** Dates that are looked at for their spelling. */
const MAX_SAMPLE_DATES = 100;

/** The spelling that reads most of the first dates of a table; undefined where none or several do. */
export function dateSpellingOf(
  file: ImportedFile,
  { date, wide, separator, encoding }: CsvMapping,
): DateSpelling | undefined {
  const samples: string[] = [];
  let place: number | undefined;
  for (const record of file.records({ separator, encoding })) {
    if (wide) {
      const found = DATE_SPELLINGS.filter((one) => one !== 'YYYY' && datesIn(record.cells, one).size >= 2);
      if (found.length > 0)
        samples.push(...record.cells.filter((cell) => found.some((one) => dateIn(cell, one) !== undefined)));
    } else if (place === undefined) [place] = placesOf(record, [date]) ?? [];
    else if (record.cells[place]) samples.push(record.cells[place] ?? '');
    if (samples.length >= MAX_SAMPLE_DATES || (wide && samples.length > 0)) break;
    if (place === undefined && record.line > MAX_LINES_BEFORE) break;
  }
  const counts = DATE_SPELLINGS.map((spelling) => {
    const dates = samples.map((sample) => dateIn(sample, spelling));
    return { spelling, dates: String(dates), count: dates[0] === undefined ? 0 : dates.filter(Boolean).length };
  });
  const [best, next] = counts.toSorted((a, b) => b.count - a.count);
  if (!best || best.count === 0) return undefined;
  // `3 May 2024` is the same in two spellings, and `1/1/2024` in two that differ elsewhere.
  const isAlone = next?.count !== best.count || (next.dates === best.dates && !best.spelling.includes('/'));
  return isAlone ? best.spelling : undefined;
}

/** Why a line with all of the columns is no header: one of them stands there twice, and only its number tells which. */
function doubledIn({ cells, line }: CsvRecord, columns: readonly string[]): MacroError | undefined {
  if (!columns.every((name) => cells.includes(name) || IS_NUMBER.test(name))) return undefined;
  const placesIn = (name: string) => cells.flatMap((cell, place) => (cell === name ? [place + 1] : []));
  const twice = columns.find((name) => placesIn(name).length > 1);
  if (twice === undefined) return undefined;
  const numbers = placesIn(twice);
  return refuse(
    `it has the column ${twice} ${times(numbers.length)}. Write its number for its name: ${numbers.join(' or ')}.`,
    { line },
  );
}

function withoutHeader(first: CsvRecord | undefined, columns: readonly string[]): MacroError {
  const { cells = [], line = 1 } = first ?? {};
  const other = cells.length > 1 ? undefined : SEPARATORS.find(([mark]) => cells[0]?.includes(mark));
  return refuse(
    `no line has the columns ${columns.join(', ')}. Its first line has: ${cells.slice(0, 20).join(', ')}.` +
      (other === undefined ? '' : ` Its cells may be cut by another mark: --separator ${other[1]}`),
    { line, ...(other !== undefined && { mend: ['--separator', other[1].replaceAll("'", '')] }) },
  );
}

const times = (count: number): string => (count === 2 ? 'twice' : `${count} times`);

/** The legal separators of cells, and how each is typed. */
const SEPARATORS = [
  [';', "';'"],
  ['\t', 'tab'],
  [',', ','],
] as const;

/** A fault of a description names the option that mends it. */
function describedDate(cell: PlacedCell, spelling: DateSpelling): string {
  const date = dateIn(cell.text, spelling);
  if (date !== undefined) return date;
  const others = DATE_SPELLINGS.filter((one) => dateIn(cell.text, one) !== undefined);
  const mend = others.length === 0 ? '' : ` --date-format reads it as ${others.map((one) => `'${one}'`).join(' or ')}.`;
  const [only] = others;
  throw refuse(`'${cell.text}' is no date.${mend}`, {
    line: cell.line,
    ...(only !== undefined && others.length === 1 && { mend: ['--date-format', only] }),
  });
}

/** A comma before three digits: as a decimal mark it would make a thousandth of the number. */
const HAS_THOUSANDS = /^-?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$/;

function describedNumber(cell: PlacedCell, decimal: '.' | ','): string {
  if (decimal === '.' && HAS_THOUSANDS.test(cell.text)) throw withComma(cell);
  const isOther = decimal === '.' && /^-?\d+,\d+$/.test(cell.text);
  if (isOther)
    throw refuse(`'${cell.text}' is no number of ${cell.of}. --decimal , reads it as one.`, {
      line: cell.line,
      mend: ['--decimal', ','],
    });
  if (/\d/.test(cell.text)) return readNumber(cell, decimal);
  throw refuse(`'${cell.text}' is no number of ${cell.of}. --missing '${cell.text}' reads it as no value.`, {
    line: cell.line,
    mend: ['--missing', cell.text],
  });
}

/** One comma before three digits can be either mark: a wrong guess is a thousand times too large, or too small. */
function withComma({ text, of, line }: PlacedCell): MacroError {
  const decimal = /^-?\d+,\d+$/.test(text) ? ', or say that it is decimal: --decimal ,' : '.';
  const whole = text.replaceAll(',', '');
  return refuse(
    `'${text}' of ${of} may be ${whole}, with a comma between thousands. Take such commas out of the file${decimal}`,
    { line },
  );
}

/** A column by its place, counted from 1. */
const IS_NUMBER = /^\d{1,4}$/;

/** Places of the columns, where a line is the header. A title that stands there twice names no column. */
function placesOf({ cells }: CsvRecord, columns: readonly string[]): readonly number[] | undefined {
  const placeOf = (name: string): number => {
    const place = cells.indexOf(name);
    if (place >= 0) return cells.indexOf(name, place + 1) < 0 ? place : -1;
    const number = IS_NUMBER.test(name) ? Number(name) : 0;
    return number >= 1 && number <= cells.length ? number - 1 : -1;
  };
  const places = columns.map(placeOf);
  return places.includes(-1) ? undefined : places;
}
