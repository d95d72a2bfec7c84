import Table from 'cli-table3';
import { createColors } from 'picocolors';
import { isoSeconds } from '../../contract/time/time.ts';
import { cleanText } from './clean.ts';
import { cellText, type Fields, isNumber, rawAt } from './fields.ts';
import type { ListingView } from './listing.ts';
import { sparkline } from './spark.ts';

export interface TableLook {
  readonly columns: readonly string[];
  readonly rows: readonly Fields[];
  readonly face: ListingView | undefined;
  /** Columns of Unix seconds. */
  readonly times: ReadonlySet<string>;
  readonly color: boolean;
  /** Width to fit into; undefined for as wide as it gets. */
  readonly width: number | undefined;
}

const LONGEST_SPARK = 60;
const NARROWEST = 8;
/** What is kept of a longer name; a first column is never cut to less than a date either. */
const LONGEST_NAME = 10;
const BARE = {
  ...{ top: '', 'top-mid': '', 'top-left': '', 'top-right': '' },
  ...{ bottom: '', 'bottom-mid': '', 'bottom-left': '', 'bottom-right': '' },
  ...{ left: '', 'left-mid': '', mid: '', 'mid-mid': '', right: '', 'right-mid': '', middle: '  ' },
};

/** The table for people: title, sparkline, rows, and a block of names and values below. */
export function renderTable(look: TableLook): string {
  const paint = createColors(look.color);
  const parts: string[] = [];
  const [name, ...facts] = (look.face?.title ?? []).map(cleanText);
  if (name !== undefined) parts.push([paint.bold(name), ...facts.map((fact) => paint.dim(fact))].join('  '));
  const spark = sparkline(look.face?.spark ?? [], Math.min(LONGEST_SPARK, look.width ?? LONGEST_SPARK));
  if (spark !== '') parts.push(paint.cyan(spark));
  if (parts.length > 0) parts.push('');
  const grid = look.rows.length === 0 ? undefined : gridOf(look, paint.bold);
  parts.push(grid?.text ?? paint.dim('No rows.'));
  for (const line of [...(look.face?.below ?? []), ...droppedLine(grid?.dropped ?? [])])
    parts.push(paint.dim(cleanText(line)));
  const block = look.face?.block;
  if (block) parts.push('', paint.bold(cleanText(block.title)), blockOf(block.lines));
  return `${parts.join('\n')}\n`;
}

interface Grid {
  readonly text: string;
  /** Columns for which there was no room. */
  readonly dropped: readonly string[];
}

function gridOf(look: TableLook, strong: (text: string) => string): Grid {
  const { columns, rows, times } = look;
  const all = columns.map((name): Column => {
    const cells = rows.map((row) => shownText(rawAt(row, name), times.has(name)));
    const isRight = rows.every((row) => rightward(rawAt(row, name), times.has(name)));
    return { name: cleanText(name), cells, isRight, isFixed: isRight || cells.every(isMoment) };
  });
  const widths = fitWidths(all, look.width);
  const kept = all.slice(0, widths.length);
  const table = new Table({
    chars: BARE,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
    head: kept.map(({ name }, i) => strong(shortName(name, widths[i] ?? 0))),
    colAligns: kept.map(({ isRight }) => (isRight ? 'right' : 'left')),
    colWidths: [...widths],
  });
  table.push(...rows.map((_, line) => kept.map(({ cells }) => cells[line] ?? '')));
  return { text: trimLines(table.toString()), dropped: columns.slice(widths.length) };
}

interface Column {
  readonly name: string;
  readonly cells: readonly string[];
  readonly isRight: boolean;
  /** Numbers and times: a part of one is another one. */
  readonly isFixed: boolean;
}

function widthOf({ name, cells }: Column): number {
  return longest([name, ...cells]);
}

/** How far a column can give way: texts and names stay readable, everything else whole. */
function leastWidth({ name, cells, isFixed }: Column, isFirst: boolean): number {
  const cell = longest(cells);
  const readable = isFixed ? cell : Math.min(cell, isFirst ? LONGEST_NAME : NARROWEST);
  return Math.max(readable, Math.min(name.length, LONGEST_NAME));
}

/** The end of a path tells more than its start. */
function shortName(name: string, width: number): string {
  if (name.length <= width) return name;
  return name.includes('.') ? `…${name.slice(1 - width)}` : `${name.slice(0, width - 1)}…`;
}

function longest(texts: readonly string[]): number {
  return Math.max(...texts.map((text) => text.length));
}

function droppedLine(names: readonly string[]): readonly string[] {
  if (names.length === 0) return [];
  return [`No room for ${names.join(', ')}: --fields shows ${names.length === 1 ? 'it' : 'them'}.`];
}

function shownText(raw: string | undefined, isTime: boolean): string {
  if (isTime && raw !== undefined && /^-?\d{1,11}$/.test(raw)) return isoSeconds(Number(raw));
  return cleanText(cellText(raw));
}

/** A date or a time, or nothing. */
function isMoment(cell: string): boolean {
  return cell === '' || /^\d{4}-\d{2}-\d{2}(T[\d:.]+Z?)?$/.test(cell);
}

function rightward(raw: string | undefined, isTime: boolean): boolean {
  return !isTime && (cellText(raw) === '' || isNumber(raw));
}

/**
 * Widths of the columns that fit the terminal, first ones first. Texts give way, widest first, as far as they stay
 * readable; then columns are left out from the right. The first one stays, and numbers are never cut.
 */
function fitWidths(all: readonly Column[], width = Number.POSITIVE_INFINITY): readonly number[] {
  const least = all.map((column, i) => leastWidth(column, i === 0));
  let count = all.length;
  while (count > 1 && lineOf(least.slice(0, count)) > width) count -= 1;
  const widths = all.slice(0, count).map(widthOf);
  for (;;) {
    const spare = widths.map((each, i) => (each > (least[i] ?? each) ? each : 0));
    if (lineOf(widths) <= width || Math.max(...spare) === 0) return widths;
    widths[spare.indexOf(Math.max(...spare))] = Math.max(...spare) - 1;
  }
}

function lineOf(widths: readonly number[]): number {
  return widths.reduce((sum, each) => sum + each, 2 * (widths.length - 1));
}

function blockOf(lines: readonly (readonly [string, string])[]): string {
  const width = Math.max(...lines.map(([name]) => name.length), 0);
  return lines.map(([name, value]) => `  ${cleanText(name).padEnd(width)}  ${cleanText(value)}`).join('\n');
}

function trimLines(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}
