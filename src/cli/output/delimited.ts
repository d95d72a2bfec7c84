import { type ColumnKinds, sheetCell } from './cells.ts';
import { inertCell } from './clean.ts';
import type { Fields } from './fields.ts';

export interface Sheet {
  readonly columns: readonly string[];
  readonly rows: readonly Fields[];
  readonly header: boolean;
  readonly kinds: ColumnKinds;
}

/** CSV with the quoting of RFC 4180; lines end with a newline and hold none, formulas are inert. */
export function renderCsv(sheet: Sheet): string {
  return renderLines(sheet, ',', csvCell);
}

/** One line of CSV. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\n`;
}

/** TSV: tabs and breaks cannot occur in a cell, so nothing is quoted; formulas are inert. */
export function renderTsv(sheet: Sheet): string {
  return renderLines(sheet, '\t', inertCell);
}

function renderLines(sheet: Sheet, separator: string, cell: (text: string) => string): string {
  const { columns, rows, header, kinds } = sheet;
  const lines = rows.map((row) => columns.map((name) => cell(sheetCell(row, name, kinds))).join(separator));
  if (header) lines.unshift(columns.map((name) => cell(name)).join(separator));
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}

/** Where a semicolon separates cells, what follows one could begin with a formula: it is quoted, too. */
function csvCell(cell: string): string {
  const text = inertCell(cell);
  return /[",;]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text;
}
