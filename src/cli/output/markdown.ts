import { type ColumnKinds, sheetCell } from './cells.ts';
import { cleanText } from './clean.ts';
import { cellText, type Fields, isNumber, rawAt } from './fields.ts';

/** A table in Markdown; numbers stand on the right. */
export function renderMarkdown(columns: readonly string[], rows: readonly Fields[], kinds: ColumnKinds): string {
  const numeric = columns.map((name) => {
    const filled = rows.map((row) => rawAt(row, name)).filter((raw) => cellText(raw) !== '');
    return filled.length > 0 && filled.every(isNumber) && !kinds.times?.has(name);
  });
  const lines = [
    lineOf(columns.map(escapeCell)),
    lineOf(numeric.map((right) => (right ? '---:' : '---'))),
    ...rows.map((row) => lineOf(columns.map((name) => escapeCell(sheetCell(row, name, kinds))))),
  ];
  return `${lines.join('\n')}\n`;
}

function lineOf(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

/** Remote text may neither leave its cell nor become markup. */
function escapeCell(text: string): string {
  return cleanText(text)
    .replace(/[\\|`[]/g, '\\$&')
    .replaceAll('<', '&lt;');
}
