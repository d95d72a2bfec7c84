import Table from 'cli-table3';
import { createColors } from 'picocolors';
import { type ColumnKinds, tableCell } from '../cells.ts';
import { cleanText } from '../clean.ts';
import { cellText, type Fields, isNumber, rawAt } from '../fields.ts';
import type { ListingView } from '../listing.ts';
import { type FittedColumn, fitColumns, type TableColumn } from './fit.ts';
import { fieldLines } from './records.ts';
import { sparkline } from './spark.ts';
import { titleLines } from './title-lines.ts';
import { wrapWords } from './wrap.ts';

export interface TableLook {
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

/**
 * The answer for people: title, sparkline, rows, and a block of names and values below. Rows are a table where what matters
 * of them fits, else records of one field a line.
 */
export function renderTable(look: TableLook): string {
  const paint = createColors(look.color);
  const width = look.width ?? Number.POSITIVE_INFINITY;
  const parts: string[] = [...titleLines(look.view?.title ?? [], width, paint)];
  const spark = sparkline(look.view?.spark ?? [], Math.min(MAX_SPARK_WIDTH, width));
  if (spark !== '') parts.push(paint.cyan(spark));
  if (parts.length > 0) parts.push('');
  const all = look.rows.length === 0 ? undefined : columnsOf(look);
  const fitted = all && fitColumns(all, width);
  if (!all) parts.push(paint.dim('No rows.'));
  else parts.push(fitted ? gridText(fitted, look.rows.length, paint) : recordsText(all, look, paint));
  const below = [...(look.view?.below ?? []), ...leftOutLine(look.columns, fitted)];
  for (const line of below) parts.push(...wrapWords(cleanText(line), width).map(paint.dim));
  const block = look.view?.block;
  if (block) {
    const lines = block.lines.map(([name, value]) => [cleanText(name), cleanText(value)] as const);
    const record = fieldLines(lines, { indent: '  ', width, paintName: String });
    parts.push('', paint.bold(cleanText(block.title)), record);
  }
  return `${parts.join('\n')}\n`;
}

function columnsOf({ columns, spare, rows, kinds }: TableLook): readonly TableColumn[] {
  return columns.map((name): TableColumn => {
    const cells = rows.map((row) => tableCell(row, name, kinds));
    const isNumeric = rows.every((row) => isNumber(rawAt(row, name)) || cellText(rawAt(row, name)) === '');
    const isRight = isNumeric && !kinds.times?.has(name);
    const place = spare.indexOf(name);
    return {
      name: cleanText(name),
      cells,
      isRight,
      isFixed: isRight || cells.every(isMoment),
      spare: place < 0 ? undefined : place,
    };
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
  { rows, width }: TableLook,
  paint: ReturnType<typeof createColors>,
): string {
  const look = { indent: '', width: width ?? Number.POSITIVE_INFINITY, paintName: paint.bold };
  return rows
    .map((_, line) => {
      const values = columns.map(({ name, cells }) => [name, cells[line] ?? ''] as const);
      return fieldLines(
        values.filter(([, value]) => value !== ''),
        look,
      );
    })
    .join('\n\n');
}

/** Says which columns are not there, and how to see them. */
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
