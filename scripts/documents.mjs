// The documents: their paths, their sizes and their blocks of text.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const MAX_README_BYTES = 8 * 1024;

/** A page of docs/: longer ones are not read to their end. */
export const MAX_PAGE_BYTES = 14 * 1024;

const root = fileURLToPath(new URL('..', import.meta.url));

/** Every document for people, by its path from the root. */
export function documentPaths() {
  const own = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'];
  const docs = readdirSync(join(root, 'docs'), { recursive: true }).filter((name) => name.endsWith('.md'));
  return [...own, ...docs.sort().map((name) => `docs/${name}`)];
}

export function readDocument(path) {
  return readFileSync(join(root, path), 'utf8');
}

/** Every TypeScript file below `src`, by its path from the root. */
export function sourcePaths() {
  const names = readdirSync(join(root, 'src'), { recursive: true }).filter((name) => /\.tsx?$/.test(name));
  return names.sort().map((name) => `src/${name}`);
}

export function readmeBytes() {
  return statSync(join(root, 'README.md')).size;
}

/** Pages above the bound, with their bytes. */
export function longPages() {
  return documentPaths().flatMap((path) => {
    const { size } = statSync(join(root, path));
    return path.startsWith('docs/') && size > MAX_PAGE_BYTES ? [`${path}: ${size}`] : [];
  });
}

/** Headings, paragraphs, items and cells of tables, each on one line. Code, quotes and marks of generated parts have none. */
export function blocksOf(text) {
  const blocks = [];
  let isCode = false;
  let isOpen = false;
  for (const line of text.split('\n')) {
    if (/^\s*```/.test(line)) isCode = !isCode;
    const isText = !isCode && !/^\s*(```|>|<!--|$)/.test(line);
    const isRow = isText && /^\s*\|/.test(line);
    const begins = /^\s*([-*]|\d+\.|#+) /.test(line);
    if (isRow) blocks.push(...cellsOf(line));
    else if (isText && isOpen && !begins) blocks.push(`${blocks.pop()} ${line.trim()}`);
    else if (isText) blocks.push(line.trim().replace(/^([-*]|\d+\.|#+) /, ''));
    isOpen = isText && !isRow && !line.startsWith('#');
  }
  return blocks;
}

function cellsOf(row) {
  const cells = row.split(/(?<!\\)\|/).map((cell) => cell.trim());
  return cells.filter((cell) => /[a-z]/i.test(cell));
}
