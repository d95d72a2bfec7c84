import { hintFor } from '../../../contract/words/nearest.ts';
import { wordList } from '../../../contract/words/words.ts';
import { MacroError } from '../../../errors.ts';
import { type App, usesColor } from '../../app/app.ts';
import { commandText } from '../../print/help.ts';
import { wrapWords } from '../../print/text.ts';
import type { Call, CommandDeclaration, CommandSpec } from '../command.ts';
import { type CommandNode, commandsUnder, treeOf } from '../tree.ts';
import { DOCUMENTS } from './documents.ts';

/** Pages about subjects: documents of this name in docs/. A page about a command has its words. */
export const SUBJECTS = [
  ...wordList('endpoints exit-codes faults import-rules import-tables imports interface'),
  ...wordList('interface-access interface-endpoints interface-events library mcp mirror operations'),
  ...wordList('point-in-time publication-times quota running-serve serve settings sql-and-files'),
  ...wordList('lake stream-and-webhooks team-mirror tour troubleshooting troubleshooting-answers'),
];

export default [
  {
    path: ['manual'],
    summary: 'Show the manual page of a subject or command; without a word, list all pages',
    words: `[topic...] (<topics>|${SUBJECTS.join('|')}): a subject, or the words of a command`,
    examples: ['manual point-in-time', 'manual fx session'],
    rows: 'topic text, about text',
    run: showManual,
  },
] satisfies readonly CommandDeclaration[];

/** Lines of prose are read up to this width; a wider terminal has room to spare. */
const MAX_COLUMNS = 100;

interface ManualTopic {
  readonly topic: string;
  readonly about: string;
  text(): string;
}

const INDENT = '    ';

/** Shows a page of the manual, in a pager where it is longer than the screen; without words the list of pages. */
async function showManual(app: App, call: Call): Promise<void> {
  const topics = manualTopics(await commandsUnder());
  if (call.words.length === 0) {
    const rows = topics.map(({ topic, about }) => ({ topic, about }));
    const title = ['The manual', `${rows.length} pages`, 'macro manual TOPIC shows one'];
    return app.list({ rows, title });
  }
  const typed = call.words.join(' ').toLowerCase();
  const page = topics.find(({ topic }) => topic === typed || topic === typed.replaceAll(' ', '-'));
  if (!page) {
    const names = topics.map(({ topic }) => topic);
    const hint = hintFor(typed, names, 'macro manual lists the pages; macro search finds words.');
    throw new MacroError('usage', `The manual has no page '${typed}'.`, { code: 'unknown_topic', hint });
  }
  const { stdout } = app.platform.io;
  const columns = Math.min(MAX_COLUMNS, stdout.isTerminal ? stdout.columns : MAX_COLUMNS);
  await app.printText(terminalText(page.text(), { columns, color: usesColor(app.platform, app.options, stdout) }));
}

/** Every page, subjects first. A command and a subject of one name are one page. */
function manualTopics(all: readonly CommandSpec[]): readonly ManualTopic[] {
  const commands = nodesUnder(treeOf(all)).map(
    (node): ManualTopic => ({
      topic: node.path.join(' '),
      about: node.summary ?? '',
      text: () => pagesUnder(node, all).join('\n\n'),
    }),
  );
  const subjects = SUBJECTS.map((name): ManualTopic => {
    const document = DOCUMENTS[name] ?? '';
    const command = commands.find(({ topic }) => topic === name);
    return {
      topic: name,
      about: aboutOf(document),
      text: () => [document, ...(command ? [command.text()] : [])].join('\n\n'),
    };
  });
  const names = new Set<string>(SUBJECTS);
  return [...subjects, ...commands.filter(({ topic }) => !names.has(topic))];
}

function nodesUnder(node: CommandNode): readonly CommandNode[] {
  return node.children.flatMap((child) => [child, ...nodesUnder(child)]);
}

function pagesUnder({ command, children }: CommandNode, all: readonly CommandSpec[]): readonly string[] {
  return [...(command ? [commandText(command, all)] : []), ...children.flatMap((child) => pagesUnder(child, all))];
}

/** The title, and the first sentence below it. */
function aboutOf(document: string): string {
  const title = /^# (.*)$/m.exec(document)?.[1] ?? '';
  const first = document
    .split(/\n{2,}/)
    .map((block) => block.trim())
    .find((block) => /^[A-Z`]/.test(block));
  const sentence = /^[\s\S]*?[.:](?=\s|$)/.exec(first ?? '')?.[0].replaceAll(/\s+/g, ' ');
  return sentence === undefined
    ? title
    : `${title}. ${sentence.replaceAll('`', '').replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')}`;
}

/** The text of a document: headings in bold, lists and tables with hanging lines, commands as they are typed. */
function terminalText(markdown: string, { columns, color }: { columns: number; color: boolean }): string {
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
function tableRow(head: readonly string[], [first = '', ...others]: readonly string[], columns: number) {
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
