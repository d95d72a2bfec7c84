import Table from 'cli-table3';
import { createColors } from 'picocolors';
import { isoSeconds } from '../../contract/time.ts';
import { cleanText } from './clean.ts';
import { cellText, type Fields, isNumber, rawAt } from './fields.ts';
import type { Face } from './listing.ts';
import { sparkline } from './spark.ts';

export interface TableLook {
  readonly columns: readonly string[];
  readonly rows: readonly Fields[];
  readonly face: Face | undefined;
  /** Columns of Unix seconds. */
  readonly times: ReadonlySet<string>;
  readonly color: boolean;
  /** Width to fit into; undefined for as wide as it gets. */
  readonly width: number | undefined;
}

const LONGEST_SPARK = 60;
const NARROWEST = 8;
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
  parts.push(look.rows.length === 0 ? paint.dim('No rows.') : gridOf(look, paint.bold));
  const block = look.face?.block;
  if (block) parts.push('', paint.bold(cleanText(block.title)), blockOf(block.lines));
  return `${parts.join('\n')}\n`;
}

function gridOf(look: TableLook, strong: (text: string) => string): string {
  const { columns, rows, times } = look;
  const cells = rows.map((row) => columns.map((name) => shownText(rawAt(row, name), times.has(name))));
  const right = columns.map((name) => rows.every((row) => rightward(rawAt(row, name), times.has(name))));
  const widths = fitWidths(
    columns.map((name, i) => Math.max(name.length, ...cells.map((line) => (line[i] ?? '').length))),
    right,
    look.width,
  );
  const table = new Table({
    chars: BARE,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
    head: columns.map((name) => strong(cleanText(name))),
    colAligns: right.map((is) => (is ? 'right' : 'left')),
    ...(widths && { colWidths: [...widths] }),
  });
  table.push(...cells);
  return trimLines(table.toString());
}

function shownText(raw: string | undefined, isTime: boolean): string {
  if (isTime && raw !== undefined && /^-?\d{1,11}$/.test(raw)) return isoSeconds(Number(raw));
  return cleanText(cellText(raw));
}

function rightward(raw: string | undefined, isTime: boolean): boolean {
  return !isTime && (cellText(raw) === '' || isNumber(raw));
}

/** Widths that fit the terminal: text columns give way, widest first; numbers are never cut. Undefined when all fits. */
function fitWidths(
  natural: readonly number[],
  fixed: readonly boolean[],
  width: number | undefined,
): readonly number[] | undefined {
  const widths = [...natural];
  const total = () => widths.reduce((sum, each) => sum + each, 2 * (widths.length - 1));
  if (width === undefined || total() <= width) return undefined;
  while (total() > width) {
    const loose = widths.map((each, i) => (fixed[i] ? 0 : each));
    const widest = Math.max(...loose);
    if (widest <= NARROWEST) break;
    widths[loose.indexOf(widest)] = widest - 1;
  }
  return widths;
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
