/** A piece of a terminal line in one style. */
interface Run {
  readonly column: number;
  readonly text: string;
  readonly style: string;
}

/** What a change of style begins with. */
const SEQUENCE = '\u001b[';

const CELL = { width: 8.4, height: 18 } as const;
const MARGIN = 16;

/** Classes for the codes that the program writes: bold, dim, cyan. */
const STYLES: Readonly<Record<string, string>> = { '1': 'b', '2': 'd', '36': 'c' };
const ENDS = new Set(['0', '22', '39']);

/** A terminal with these lines as an SVG. Each run has its place and its width, so that no font moves a column. */
export function terminalSvg(title: string, lines: readonly string[]): string {
  const columns = Math.max(...lines.map((line) => plain(line).length), title.length);
  const width = Math.ceil(columns * CELL.width + 2 * MARGIN);
  const height = lines.length * CELL.height + 3 * MARGIN + CELL.height;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(title)}">`,
    '<style>text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:#d6deeb}.b{font-weight:bold}.d{fill:#8a97a8}.c{fill:#5fd7ff}.p{fill:#9ece6a}.e{fill:#ffb86c}.t{font-size:12px;fill:#8a97a8}</style>',
    `<rect width="${width}" height="${height}" rx="8" fill="#101820"/>`,
    `<text class="t" x="${MARGIN}" y="${MARGIN + 8}">${escaped(title)}</text>`,
    ...lines.flatMap((line, row) => runsOf(line).map((run) => textOf(run, 2 * MARGIN + (row + 1) * CELL.height))),
    '</svg>',
    '',
  ].join('\n');
}

/** The text of a line that was typed, or that came on standard error, in its colour. */
export function styled(style: 'p' | 'e', line: string): string {
  return `${SEQUENCE}${style}m${line}${SEQUENCE}0m`;
}

function textOf({ column, text, style }: Run, y: number): string {
  const x = (MARGIN + column * CELL.width).toFixed(1);
  const length = (text.length * CELL.width).toFixed(1);
  const named = style === '' ? '' : ` class="${style}"`;
  return `<text x="${x}" y="${y}" textLength="${length}" lengthAdjust="spacingAndGlyphs"${named}>${escaped(text)}</text>`;
}

/** The runs of a line. Blanks are no text: a reader of SVG makes one of many, and takes those at the ends away. */
function runsOf(line: string): readonly Run[] {
  const runs: Run[] = [];
  let [style, column] = ['', 0];
  for (const { code, text } of piecesOf(line)) {
    if (code !== undefined) style = ENDS.has(code) ? '' : (STYLES[code] ?? code);
    for (const word of text.matchAll(/\S+(?: \S+)*/g)) runs.push({ column: column + word.index, text: word[0], style });
    column += text.length;
  }
  return runs.reduce(joined, []);
}

/** Cells of a chart are a piece each: neighbours of one style are one run. */
function joined(runs: readonly Run[], run: Run): Run[] {
  const last = runs.at(-1);
  if (last?.style !== run.style || last.column + last.text.length !== run.column) return [...runs, run];
  return [...runs.slice(0, -1), { ...last, text: last.text + run.text }];
}

/** A line cut where its style changes; the first piece has the style of a line's beginning. */
function piecesOf(line: string): readonly { readonly code: string | undefined; readonly text: string }[] {
  return line.split(SEQUENCE).map((piece, index) => {
    const code = index === 0 ? undefined : /^(\d+|[a-z])m/.exec(piece)?.[1];
    return { code, text: code === undefined ? piece : piece.slice(code.length + 1) };
  });
}

function plain(line: string): string {
  return piecesOf(line)
    .map(({ text }) => text)
    .join('');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
