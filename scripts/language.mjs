// Finds sentences that a stranger reads twice: in documents, in texts of the program, in comments. A test holds them to its list.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync, Visitor } from 'rolldown/utils';
import { blocksOf, documentPaths, readDocument, sourcePaths } from './documents.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** Words of a sentence, at most. */
export const MAX_WORDS = 25;

/** Patterns of a sentence, each with the way to write instead. */
const PATTERNS = {
  'begins with Of': /^Of /,
  'begins with What': /^What (?![^?]*\?)/,
  'begins with To and a noun': /^To (?:the|a|an|this|that|those|these|each|every|such|it|them|one|people|whom|which) /,
  'what is, for a noun': /\bwhat (?:is|was|are|were)\b(?![^.]*\?)/i,
  'to hold, for to store or to have': /\b(?:holds|(?:not|may|must|cannot|can) hold)\b(?! (?:for|in|true)\b|[.,:;]|$)/i,
  'a look, for a check': /\b(?:a|an|the|each|every|last|newest|first|next) looks?\b/i,
  'usual, for default': /(?<!\bas )\busual\b/i,
  'one that': /\b(?:one|ones|those) that\b/i,
};

/** Words that the vocabulary of ARCHITECTURE.md replaces, with the terms to say. Words with a plain use beside are not here. */
const WORDS = {
  lack: 'missing',
  lacks: 'missing',
  shortfall: 'missing',
  shortfalls: 'missing',
  hole: 'missing',
  holes: 'missing',
  unseen: 'missing',
  unwatched: 'missing',
  proven: 'covered, complete',
  held: 'stored, cached',
  kept: 'stored, cached',
  told: 'the plain verb',
  wanted: 'requested',
  wish: 'options',
  wishes: 'options',
  stretch: 'range',
  stretches: 'ranges',
  portion: 'page, batch',
  portions: 'pages, batches',
  piece: 'page, batch',
  pieces: 'pages, batches',
  longest: 'max',
  generation: 'series state',
};
const REPLACED = new RegExp(`\\b(?:${Object.keys(WORDS).join('|')})\\b`, 'gi');

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });

/** The sentences of one block of text, with code and links made plain. */
function sentencesOfBlock(block) {
  const plain = block
    .replace(/!\[[^\]]*\]\([^)]*\)/g, '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/`[^`]*`/g, 'Code')
    // Legal words in brackets are no sentence.
    .replace(/\((?:[^(),]+, ){2,}[^(),]*\)/g, '(words)')
    .replace(/(?<=[.!?] )macro\b/g, 'Macro');
  return [...segmenter.segment(plain)].map(({ segment }) => segment.trim()).filter((sentence) => sentence !== '');
}

/** Faults of a sentence by the name of the pattern or the word. */
export function faultsOf(sentence) {
  const patterns = Object.keys(PATTERNS).filter((name) => PATTERNS[name].test(sentence));
  const words = (sentence.match(REPLACED) ?? []).map((word) => word.toLowerCase());
  return [...patterns, ...words, ...(wordCount(sentence) > MAX_WORDS ? [`above ${MAX_WORDS} words`] : [])];
}

export function wordCount(sentence) {
  return sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

/** The sentences of a text in Markdown. */
export function sentencesOf(text) {
  return blocksOf(text).flatMap(sentencesOfBlock);
}

function faultsIn(place, blocks) {
  return blocks.flatMap((block) =>
    sentencesOfBlock(block).flatMap((sentence) => faultsOf(sentence).map((fault) => ({ place, fault, sentence }))),
  );
}

/** Faults of the documents, cells of tables included. */
export function documentFaults() {
  return documentPaths().flatMap((path) => faultsIn(path, blocksOf(readDocument(path))));
}

/** Faults of what the program says: strings, templates and the text of pages. */
export function textFaults() {
  return sourcePaths().flatMap((path) => (SHELL_CODE.test(path) ? [] : faultsIn(path, parsed(path).texts)));
}

/** Faults of comments. */
export function commentFaults() {
  return sourcePaths().flatMap((path) => faultsIn(path, parsed(path).comments));
}

/** How often comments have a fault, by room and fault. */
export function commentCounts() {
  const counts = {};
  for (const { place, fault } of commentFaults()) {
    const name = `${place.split('/')[1]}: ${fault}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

const files = new Map();

function parsed(path) {
  const known = files.get(path);
  if (known) return known;
  const source = readFileSync(join(root, path), 'utf8');
  const { program, comments } = parseSync(path, source);
  const found = { texts: textsOf(program), comments: commentsOf(comments, source) };
  files.set(path, found);
  return found;
}

/** Texts that a person reads, in a source file. */
export function textsIn(path, source) {
  return textsOf(parseSync(path, source).program);
}

/** Comments of a source file, by paragraph. */
export function commentsIn(path, source) {
  return commentsOf(parseSync(path, source).comments, source);
}

/** Strings that have the form of prose: three words with spaces between. What stands in between is one word. */
function textsOf(program) {
  const texts = [];
  const inner = new Set();
  const add = (text) => {
    if (STATEMENT.test(text) || FIELDS.test(text)) return;
    const parts = text.split(/<[^>]+>|\n/).map((part) => part.replace(/\s+/g, ' ').trim().replace(DECLARED, ''));
    texts.push(...parts.filter((part) => THREE_WORDS.test(part) && SMALL_WORD.test(part)));
  };
  const visitor = new Visitor({
    BinaryExpression(node) {
      if (inner.has(node) || node.operator !== '+') return;
      const text = textOf(node, inner);
      if (text !== undefined) add(text);
    },
    TemplateLiteral(node) {
      if (!inner.has(node)) add(textOf(node, inner));
    },
    Literal(node) {
      if (!inner.has(node) && typeof node.value === 'string') add(node.value);
    },
    JSXText(node) {
      add(node.value.trim());
    },
  });
  visitor.visit(program);
  return texts;
}

const THREE_WORDS = /[a-z]+,? [a-z(]+[,:;]? [a-z(]/i;

/** A list of names has none. */
const SMALL_WORD = /\b(?:an?|the|is|are|was|were|of|in|on|to|and|or|not|no|with|for|by|that|it|as)\b/i;

/** Fields of rows, as a command declares them: their names are public. */
const FIELDS = /^\w+ (?:text|count|time|list|number|date|bool|json|any)\??,/;

/** Before the sentence of an option or a word: how a command declares it. */
const DECLARED = /^(?:(?:-\w, )?--[\w-]+[^:]*|[\w-]*(?:\.\.\.)? ?\([^)]*\)[^:]*): /;

/** Scripts of shells. */
const SHELL_CODE = /^src\/cli\/completion\//;

/** SQL. */
const STATEMENT =
  /\b(?:select\b.*\bfrom|insert into|delete from|update \S+ (?:as \w+ )?set|create (?:table|index|unique|view|function|trigger|schema|temp)|alter (?:table|system)|drop (?:table|index)|on conflict|primary key|(?:left|cross) join|order by|where \w+ (?:=|in|is)|and \w+ (?:=|<|>|in)|::)/is;

/** A string with X for each value in it; undefined for what is none. */
function textOf(node, inner) {
  inner.add(node);
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : 'X';
  if (node.type === 'TemplateLiteral') return node.quasis.map(({ value }) => value.cooked ?? '').join('X');
  if (node.type === 'BinaryExpression' && node.operator === '+') {
    const [left, right] = [textOf(node.left, inner), textOf(node.right, inner)];
    return left === undefined && right === undefined ? undefined : `${left ?? 'X'}${right ?? 'X'}`;
  }
  return undefined;
}

/** Comments as blocks: lines that follow each other are one. */
function commentsOf(comments, source) {
  const blocks = [];
  let end = -1;
  for (const { type, value, start, end: last } of comments) {
    const text = value.replace(/^\s*\*+ ?/gm, '').replace(/^\*/, '');
    const follows =
      type === 'Line' &&
      end >= 0 &&
      /^\s*$/.test(source.slice(end, start)) &&
      !source.slice(end, start).includes('\n\n');
    if (follows) blocks.push(`${blocks.pop()} ${text.trim()}`);
    else
      for (const part of text.split(/\n\s*\n|\n(?=\s*(?:[-*]|\d+\.|@\w+) )/))
        if (!/^\s*(?:biome-ignore|@ts-)/.test(part)) blocks.push(part.trim().replace(/\s+/g, ' '));
    end = type === 'Line' ? last : -1;
  }
  return blocks;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const kinds = { documents: documentFaults, texts: textFaults, comments: commentFaults };
  const chosen = process.argv.slice(2);
  for (const [kind, find] of Object.entries(kinds)) {
    const found = find();
    process.stdout.write(`${kind}: ${found.length}\n`);
    if (chosen.includes(kind))
      for (const { place, fault, sentence } of found) process.stdout.write(`${place}: ${fault}: ${sentence}\n`);
  }
}
