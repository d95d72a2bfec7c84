/** Our documents, which are Markdown, as text for a terminal. */
import { wrapWords } from '../output/table/wrap.ts';

export interface TerminalTextOptions {
  readonly columns: number;
  readonly color: boolean;
}

const INDENT = '    ';

/** The text of a document: headings in bold, lists and tables with hanging lines, commands as they are typed. */
export function terminalText(markdown: string, { columns, color }: TerminalTextOptions): string {
  const strong = (text: string) => (color ? `\u001b[1m${text}\u001b[22m` : text);
  const lines: string[] = [];
  let isCode = false;
  let open: Open | undefined;
  const close = () => {
    if (open) lines.push(...hanging(open, columns));
    open = undefined;
  };
  let head: readonly string[] | undefined;
  for (const line of markdown.split('\n')) {
    if (/^\s*```/.test(line)) {
      close();
      isCode = !isCode;
      continue;
    }
    if (isCode) {
      lines.push(`${INDENT}${line}`);
      continue;
    }
    if (/^<!--/.test(line)) continue;
    const heading = /^(#+) (.*)$/.exec(line);
    const item = /^(\s*)([-*]|\d+\.) (.*)$/.exec(line);
    const cells = cellsOf(line);
    if (!cells) head = undefined;
    if (heading) {
      close();
      lines.push(strong(heading[1] === '#' ? plain(heading[2] ?? '').toUpperCase() : plain(heading[2] ?? '')));
    } else if (cells) {
      close();
      if (head && cells.every((cell) => /^:?-+:?$/.test(cell))) continue;
      if (head) lines.push(...tableRow(head, cells, columns));
      head ??= cells;
    } else if (item) {
      close();
      open = { first: `${item[1] ?? ''}${item[2] ?? ''} `, text: item[3] ?? '' };
    } else if (line.trim() === '') {
      close();
      if (lines.at(-1) !== '') lines.push('');
    } else if (open) {
      open = { ...open, text: `${open.text} ${line.trim()}` };
    } else {
      open = { first: '', text: line.trim() };
    }
  }
  close();
  return lines.join('\n').trim();
}

/** A paragraph or an item that may go on in the next line. */
interface Open {
  readonly first: string;
  readonly text: string;
}

function hanging({ first, text }: Open, columns: number): readonly string[] {
  const after = ' '.repeat(first.length);
  return wrapWords(plain(text), columns - first.length).map((line, i) => `${i === 0 ? first : after}${line}`);
}

/** The cells of a row of a table; undefined for another line. */
function cellsOf(line: string): readonly string[] | undefined {
  if (!/^\s*\|.*\|\s*$/.test(line)) return undefined;
  const cells = line
    .trim()
    .slice(1, -1)
    .split(/(?<!\\)\|/);
  return cells.map((cell) => cell.trim().replaceAll('\\|', '|'));
}

/** The first cell, and below it what the others say; their heads stand in front where there is more than one. */
function tableRow(
  head: readonly string[],
  [first = '', ...others]: readonly string[],
  columns: number,
): readonly string[] {
  const said = others.flatMap((cell, i) =>
    cell === '' ? [] : [others.length > 1 ? `${plain(head[i + 1] ?? '')}: ${plain(cell)}` : plain(cell)],
  );
  return [`  ${plain(first)}`, ...said.flatMap((text) => wrapWords(text, columns - 6).map((line) => `      ${line}`))];
}

/** Links by their text, and nothing of the marks. */
function plain(text: string): string {
  return text
    .replaceAll(/!\[[^\]]*\]\([^)]*\)/g, '')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll('**', '')
    .replaceAll(/`([^`]*)`/g, '$1');
}
