import Table from 'cli-table3';
import { createColors } from 'picocolors';
import type { ListingView } from './listing.ts';
import { type ColumnKinds, cellText, type Fields, isNumber, rawAt, tableCell } from './rows.ts';
import { cleanText, wrapPieces, wrapWords } from './text.ts';

export interface TableOptions {
  readonly columns: readonly string[];
  /** Those of the columns that may be left out where there is no room, the least important first. */
  readonly spare: readonly string[];
  readonly rows: readonly Fields[];
  readonly view: ListingView | undefined;
  readonly kinds: ColumnKinds;
  readonly color: boolean;
  /** Width to fit into; undefined for as wide as it gets. */
  readonly width: number | undefined;
}

const MAX_SPARK_WIDTH = 60;
const BARE = {
  ...{ top: '', 'top-mid': '', 'top-left': '', 'top-right': '' },
  ...{ bottom: '', 'bottom-mid': '', 'bottom-left': '', 'bottom-right': '' },
  ...{ left: '', 'left-mid': '', mid: '', 'mid-mid': '', right: '', 'right-mid': '', middle: '  ' },
};

const BARS = '▁▂▃▄▅▆▇█';
type TableColumn = ReturnType<typeof columnsOf>[number];

type FittedColumn = ReturnType<typeof fitted>;

/** Characters of a longer text that stay in a line of its column. */
const MIN_READABLE = 16;
const GAP = 2;

/** The answer for people: title, sparkline, rows as a table or as records, and a block of names and values. */
export function renderTable(options: TableOptions): string {
  const paint = createColors(options.color);
  const width = options.width ?? Number.POSITIVE_INFINITY;
  const parts: string[] = [...titleLines(options.view?.title ?? [], width, paint)];
  const spark = sparkline(options.view?.spark ?? [], Math.min(MAX_SPARK_WIDTH, width));
  if (spark !== '') parts.push(paint.cyan(spark));
  if (parts.length > 0) parts.push('');
  const all = options.rows.length === 0 ? undefined : columnsOf(options);
  const fitted = all && fitColumns(all, width);
  if (!all) parts.push(paint.dim('No rows.'));
  else parts.push(fitted ? gridText(fitted, options.rows.length, paint) : recordsText(all, options, paint));
  const below = [...(options.view?.below ?? []), ...leftOutLine(options.columns, fitted)];
  for (const line of below) parts.push(...wrapWords(cleanText(line), width).map(paint.dim));
  const block = options.view?.block;
  if (block) {
    const lines = block.lines.map(([name, value]) => [cleanText(name), cleanText(value)] as const);
    const record = fieldLines(lines, { indent: '  ', width, paintName: String });
    parts.push('', paint.bold(cleanText(block.title)), record);
  }
  return `${parts.join('\n')}\n`;
}

function columnsOf({ columns, spare, rows, kinds }: TableOptions) {
  return columns.map((name) => {
    const texts = rows.map((row) => tableCell(row, name, kinds));
    const cells = kinds.computed?.has(name) ? withEqualDecimals(texts) : texts;
    const isNumeric = rows.every((row) => isNumber(rawAt(row, name)) || cellText(rawAt(row, name)) === '');
    const isRight = isNumeric && !kinds.times?.has(name);
    const place = spare.indexOf(name);
    return {
      name: cleanText(name),
      cells,
      isRight,
      // A part of a number or a time is another one.
      isFixed: isRight || cells.every(isMoment),
      /** How soon it is left out where there is no room, 0 first; undefined for never. */
      spare: place < 0 ? undefined : place,
    };
  });
}

const DECIMAL = /^-?\d+(?:\.(\d+))?$/;

/** The same numbers with equal decimals: as many as the most precise of them has. */
function withEqualDecimals(texts: readonly string[]): readonly string[] {
  const decimalsOf = (text: string) => DECIMAL.exec(text)?.[1]?.length ?? 0;
  const most = Math.max(0, ...texts.map(decimalsOf));
  return texts.map((text) => {
    if (most === 0 || !DECIMAL.test(text)) return text;
    return `${text}${text.includes('.') ? '' : '.'}${'0'.repeat(most - decimalsOf(text))}`;
  });
}

function gridText(columns: readonly FittedColumn[], rows: number, paint: ReturnType<typeof createColors>): string {
  const height = Math.max(...columns.map(({ head }) => head.length));
  const table = new Table({
    chars: BARE,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
    colAligns: columns.map(({ isRight }) => (isRight ? 'right' : 'left')),
    colWidths: columns.map(({ width }) => width),
  });
  // A name of fewer lines than the others stands on the lowest ones, next to its values.
  for (let line = 0; line < height; line += 1)
    table.push(columns.map(({ head }) => paint.bold(head[line - height + head.length] ?? '')));
  for (let line = 0; line < rows; line += 1) table.push(columns.map(({ cells }) => cells[line] ?? ''));
  return trimLines(table.toString());
}

function recordsText(
  columns: readonly TableColumn[],
  { rows, width }: TableOptions,
  paint: ReturnType<typeof createColors>,
): string {
  const options = { indent: '', width: width ?? Number.POSITIVE_INFINITY, paintName: paint.bold };
  return rows
    .map((_, line) => {
      const values = columns.map(({ name, cells }) => [name, cells[line] ?? ''] as const);
      return fieldLines(
        values.filter(([, value]) => value !== ''),
        options,
      );
    })
    .join('\n\n');
}

function leftOutLine(columns: readonly string[], fitted: readonly FittedColumn[] | undefined): readonly string[] {
  if (!fitted) return [];
  const kept = new Set(fitted.map(({ name }) => name));
  const names = columns.map(cleanText).filter((name) => !kept.has(name));
  if (names.length === 0) return [];
  return [`No room for ${names.join(', ')}: --fields shows ${names.length === 1 ? 'it' : 'them'}.`];
}

/** A date or a time, or nothing. */
function isMoment(cell: string): boolean {
  return cell === '' || /^\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:\d{2})?)?$/.test(cell);
}

function trimLines(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}

/** Values below each other, one a line with its name in front; a value of several lines stays behind its name. */
function fieldLines(
  values: readonly (readonly [name: string, value: string])[],
  { indent, width, paintName }: { indent: string; width: number; paintName(text: string): string },
): string {
  const nameWidth = Math.max(...values.map(([name]) => name.length), 0);
  const room = Math.max(width - indent.length - nameWidth - 2, MIN_ROOM);
  const lines = values.flatMap(([name, value]) =>
    wrapWords(value, room).map((part, i) => `${indent}${paintName((i === 0 ? name : '').padEnd(nameWidth))}  ${part}`),
  );
  return lines.map((line) => line.trimEnd()).join('\n');
}

/** Min characters of a value in a line, however narrow the terminal is. */
const MIN_ROOM = 20;

/** A line of bars, oldest first; more values than columns are averaged in buckets, a missing value is a blank. */
function sparkline(values: readonly (number | null)[], columns: number): string {
  const buckets = bucketsOf(values, columns);
  const known = buckets.filter((value) => value !== null);
  if (known.length === 0) return '';
  const low = Math.min(...known);
  const range = Math.max(...known) - low;
  return buckets
    .map((value) => {
      if (value === null) return ' ';
      const step = range === 0 ? 3 : Math.round(((value - low) / range) * (BARS.length - 1));
      return BARS[step];
    })
    .join('');
}

function bucketsOf(values: readonly (number | null)[], columns: number): readonly (number | null)[] {
  if (values.length <= columns) return values;
  return Array.from({ length: columns }, (_, i) => {
    const from = Math.floor((i * values.length) / columns);
    const to = Math.floor(((i + 1) * values.length) / columns);
    const known = values.slice(from, to).filter((value) => value !== null);
    return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
  });
}

/** Columns that fit: spare texts are cut, then spare columns go, then texts wrap. Undefined when numbers and times alone are wider. */
function fitColumns(all: readonly TableColumn[], width: number): readonly FittedColumn[] | undefined {
  let kept = all;
  for (;;) {
    const widths = shrinkToFit(kept, width);
    if (widths) return kept.map((column, i) => fitted(column, widths[i] ?? 0));
    const next = leastImportant(kept);
    if (!next) return undefined;
    kept = kept.filter((column) => column !== next);
  }
}

function leastImportant(columns: readonly TableColumn[]): TableColumn | undefined {
  const spare = columns.filter((column) => column.spare !== undefined);
  return spare.toSorted((a, b) => (a.spare ?? 0) - (b.spare ?? 0))[0];
}

/** Names are broken at first, where they are wider than their values; then texts shrink: words break last. */
function shrinkToFit(columns: readonly TableColumn[], width: number): readonly number[] | undefined {
  const hasSpare = columns.some(({ spare }) => spare !== undefined);
  const whole = columns.map((column) => Math.max(column.name.length, naturalWidth(column)));
  const floors = [naturalWidth, ...(hasSpare ? [cutWidth] : [wordWidth, leastWidth])];
  const widths = floors.reduce<readonly number[]>((from, floor) => shrink(from, columns.map(floor), width), whole);
  return lineWidth(widths) > width ? undefined : widths;
}

/** Narrows the widest column above its min, until the line fits or all columns are at their min. */
function shrink(from: readonly number[], least: readonly number[], width: number): readonly number[] {
  const widths = [...from];
  while (lineWidth(widths) > width) {
    const spare = widths.map((each, i) => (each > (least[i] ?? each) ? each : 0));
    const widest = Math.max(...spare);
    if (widest === 0) break;
    widths[spare.indexOf(widest)] = widest - 1;
  }
  return widths;
}

function naturalWidth({ name, cells }: TableColumn): number {
  return maxLength([...cells, ...nameParts(name)]);
}

function cutWidth(column: TableColumn): number {
  return column.spare === undefined ? naturalWidth(column) : leastWidth(column);
}

function wordWidth(column: TableColumn): number {
  return Math.max(leastWidth(column), maxLength(column.cells.flatMap((cell) => cell.split(' '))));
}

function leastWidth(column: TableColumn): number {
  const natural = naturalWidth(column);
  return column.isFixed ? natural : Math.min(natural, Math.max(MIN_READABLE, maxLength(nameParts(column.name))));
}

function lineWidth(widths: readonly number[]): number {
  return widths.reduce((sum, each) => sum + each, GAP * (widths.length - 1));
}

/** The column with its name on lines that are no wider than it. */
function fitted(column: TableColumn, width: number) {
  const head: string[] = [];
  for (const part of nameParts(column.name)) {
    const joined = `${head.at(-1) ?? ''}${part}`;
    if (head.length === 0 || joined.length > width) head.push(part);
    else head[head.length - 1] = joined;
  }
  const cells = column.spare === undefined ? column.cells.map((cell) => wrapCell(cell, width)) : column.cells;
  return { ...column, cells, width, head };
}

/** A cell on lines of its column: broken between words, a longer word behind a sign such as `/` or `_`, else anywhere. */
function wrapCell(cell: string, width: number): string {
  return wrapWords(cell, width)
    .flatMap((line) => (line.length > width ? wrapPieces(line.split(/(?<=[^\p{L}\p{N}])/u), '', width) : [line]))
    .flatMap((line) => line.match(new RegExp(`.{1,${width}}`, 'gu')) ?? [])
    .join('\n');
}

/** The parts of a name like `previous_value` or `latest.date`, which may stand on lines of their own. */
function nameParts(name: string): readonly string[] {
  return name.match(/[^_.]+[_.]*|[_.]+/g) ?? [name];
}

function maxLength(texts: readonly string[]): number {
  return texts.reduce((most, text) => Math.max(most, text.length), 0);
}

/** The name of the answer stands out from the facts about it. */
export function titleLines(
  title: readonly string[],
  width: number,
  paint: Pick<ReturnType<typeof createColors>, 'bold' | 'dim'>,
): readonly string[] {
  const [name = '', ...facts] = title.map(cleanText);
  return wrapPieces(title.length === 0 ? [] : [name, ...facts], '  ', width).map((line, i) =>
    i === 0 && line.startsWith(name)
      ? `${paint.bold(name)}${line === name ? '' : paint.dim(line.slice(name.length))}`
      : paint.dim(line),
  );
}
