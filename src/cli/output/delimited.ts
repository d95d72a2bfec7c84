import { inertCell } from './clean.ts';
import { cellText, type Fields, rawAt } from './fields.ts';

export interface Sheet {
  readonly columns: readonly string[];
  readonly rows: readonly Fields[];
  readonly header: boolean;
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

function renderLines({ columns, rows, header }: Sheet, separator: string, cell: (text: string) => string): string {
  const lines = rows.map((row) => columns.map((name) => cell(cellText(rawAt(row, name)))).join(separator));
  if (header) lines.unshift(columns.map((name) => cell(name)).join(separator));
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}

/** Where a semicolon separates cells, what follows one could begin with a formula: it is quoted, too. */
function csvCell(cell: string): string {
  const text = inertCell(cell);
  return /[",;]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text;
}
