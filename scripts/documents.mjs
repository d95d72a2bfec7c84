// Measures the documents: how large the README is, and which sentences are too long. Run alone it prints what it finds and
// fails where a bound is broken; a test asks it the same.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const MAX_README_BYTES = 8 * 1024;
export const MAX_WORDS = 25;

const root = fileURLToPath(new URL('..', import.meta.url));

/** Every document for people, by its path from the root. */
export function documentPaths() {
  const own = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md'];
  const docs = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
  return [...own, ...docs.sort().map((name) => `docs/${name}`)];
}

export function readDocument(path) {
  return readFileSync(join(root, path), 'utf8');
}

export function readmeBytes() {
  return statSync(join(root, 'README.md')).size;
}

/** The sentences of a text in Markdown: not those of tables, code and quotes. */
export function sentencesOf(text) {
  return blocksOf(text).flatMap((block) =>
    block
      .replace(/!\[[^\]]*\]\([^)]*\)/g, '')
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replace(/`[^`]*`/g, 'code')
      .split(/(?<=[.!?])["')*]*\s+/)
      .map((sentence) => sentence.trim())
      .filter((sentence) => sentence !== ''),
  );
}

/** Paragraphs, items and headings, each on one line. */
function blocksOf(text) {
  const blocks = [];
  let isCode = false;
  let isOpen = false;
  for (const line of text.split('\n')) {
    if (/^\s*```/.test(line)) isCode = !isCode;
    const isText = !isCode && !/^\s*(```|\||>|<!--|$)/.test(line);
    const begins = /^\s*([-*]|\d+\.|#+) /.test(line);
    if (isText && isOpen && !begins) blocks.push(`${blocks.pop()} ${line.trim()}`);
    else if (isText) blocks.push(line.trim().replace(/^([-*]|\d+\.|#+) /, ''));
    isOpen = isText && !line.startsWith('#');
  }
  return blocks;
}

export function wordCount(sentence) {
  return sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

/** Every sentence above the bound, with its document. */
export function longSentences() {
  return documentPaths().flatMap((path) =>
    sentencesOf(readDocument(path))
      .map((sentence) => ({ path, words: wordCount(sentence), sentence }))
      .filter(({ words }) => words > MAX_WORDS),
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const long = longSentences();
  process.stdout.write(`README.md: ${readmeBytes()} of ${MAX_README_BYTES} bytes\n`);
  process.stdout.write(`sentences above ${MAX_WORDS} words: ${long.length}\n`);
  for (const { path, words, sentence } of long) process.stdout.write(`  ${path}: ${words} words: ${sentence}\n`);
  if (long.length > 0 || readmeBytes() > MAX_README_BYTES) process.exitCode = 1;
}
