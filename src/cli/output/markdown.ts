import { cleanText } from './clean.ts';
import { cellText, type Fields, isNumber, rawAt } from './fields.ts';

/** A table in Markdown; numbers stand on the right. */
export function renderMarkdown(columns: readonly string[], rows: readonly Fields[]): string {
  const numeric = columns.map((name) => {
    const filled = rows.map((row) => rawAt(row, name)).filter((raw) => cellText(raw) !== '');
    return filled.length > 0 && filled.every(isNumber);
  });
  const lines = [
    lineOf(columns.map(escapeCell)),
    lineOf(numeric.map((right) => (right ? '---:' : '---'))),
    ...rows.map((row) => lineOf(columns.map((name) => escapeCell(cellText(rawAt(row, name)))))),
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
