// Measures what keeps the tree and its documents readable, and prints it: npm run house. The tests hold each figure to its bound.
// With --write, entries that no longer occur leave the lists of exceptions; nothing is ever added to them.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { documentPaths, longPages, MAX_README_BYTES, readDocument, readmeBytes } from './documents.mjs';
import { commentCounts, documentFaults, textFaults } from './language.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** Every TypeScript file below `src`, by its path from the root, with its text. */
const sources = new Map(
  readdirSync(join(root, 'src'), { recursive: true })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => [join('src', name), readFileSync(join(root, 'src', name), 'utf8')])
    .sort(([a], [b]) => (a < b ? -1 : 1)),
);

/** Packages that a folder of its own installs, and copies of the tree that `npm run mutate` works in. */
const NOT_OURS = /(^|[\\/])(node_modules|\.[^\\/]+)[\\/]/;

const IMPORT = /^(?:import|export|\}) [^;]*?from '(\.[^']+)';$|^import '(\.[^']+)';$/gm;
const EXPORTED = /^export (?:async |abstract )?(?:function\*?|const|class|interface|type|enum) ([\w$]+)/gm;

const EXPORTED_VALUE = /^export (?:async )?(?:function\*?|const|class) ([\w$]+)/gm;

/** Files that a file imports at its head, for types too. What is loaded later is a choice of run time. */
function importsOf(file) {
  const found = [...sources.get(file).matchAll(IMPORT)].map(([, from, bare]) => join(dirname(file), from ?? bare));
  return [...new Set(found)].filter((path) => sources.has(path));
}

/** Groups of files that import each other, types included, the largest first (Tarjan's strongly connected components). */
export function importCycles() {
  const order = new Map();
  const lowest = new Map();
  const open = [];
  const cycles = [];
  const visit = (file) => {
    order.set(file, order.size);
    lowest.set(file, order.get(file));
    open.push(file);
    for (const next of importsOf(file)) {
      if (!order.has(next)) visit(next);
      if (open.includes(next)) lowest.set(file, Math.min(lowest.get(file), lowest.get(next)));
    }
    if (lowest.get(file) !== order.get(file)) return;
    const group = open.splice(open.indexOf(file));
    if (group.length > 1) cycles.push(group.sort());
  };
  for (const file of sources.keys()) if (!order.has(file)) visit(file);
  return cycles.sort((a, b) => b.length - a.length);
}

/** Names that more than one file exports, with those files. */
export function repeatedNames() {
  const places = new Map();
  for (const [file, text] of sources)
    for (const name of new Set([...text.matchAll(EXPORTED)].map(([, found]) => found)))
      places.set(name, [...(places.get(name) ?? []), file]);
  return [...places].filter(([, files]) => files.length > 1).map(([name, files]) => `${name}: ${files.join(' ')}`);
}

/**
 * Functions and constants that a file exports and no other file of ours says, tests and scripts included. A type may be
 * exported for the sake of a signature.
 */
export function unusedExports() {
  const others = ['test', 'scripts', 'bench'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true })
      .filter((name) => /\.(ts|mjs)$/.test(name) && !NOT_OURS.test(name))
      .map((name) => [join(folder, name), readFileSync(join(root, folder, name), 'utf8')]),
  );
  const sayers = new Map();
  for (const [file, text] of [...sources, ...others])
    for (const word of new Set(text.match(/[\w$]+/g))) sayers.set(word, [...(sayers.get(word) ?? []), file]);
  return [...sources].flatMap(([file, text]) =>
    [...text.matchAll(EXPORTED_VALUE)].flatMap(([, name]) =>
      sayers.get(name)?.length === 1 ? [`${file}: ${name}`] : [],
    ),
  );
}

/** Lines of a file, at most. */
export const MAX_LINES = 400;

/** A shorter file needs a reason: three importers, loading on demand, or that it is a description. */
export const SHORT_LINES = 40;

/** Folders of descriptions: one of many files of a kind that a list names. */
const DESCRIPTIONS = /^src\/(?:endpoints|imports\/formats|derive\/technicals)\//;

const linesOf = (file) => sources.get(file).split('\n').length - 1;

const roomOf = (file) => file.split('/')[1];

/** Who imports each file, at its head or on demand. */
function importers() {
  const users = new Map([...sources.keys()].map((file) => [file, new Set()]));
  const late = new Set();
  for (const [file, text] of sources) {
    for (const to of importsOf(file)) users.get(to).add(file);
    for (const [, from] of text.matchAll(/\bimport\(\s*'(\.[^']+)'/g)) {
      const to = join(dirname(file), from);
      users.get(to)?.add(file);
      late.add(to);
    }
  }
  return { users, late };
}

/** Files above the bound, with their lines. */
export function longFiles() {
  return [...sources.keys()].filter((file) => linesOf(file) > MAX_LINES).map((file) => `${file}: ${linesOf(file)}`);
}

/** Short files without a reason to be files of their own. */
export function shortFiles() {
  const { users, late } = importers();
  return [...sources.keys()].filter(
    (file) =>
      linesOf(file) < SHORT_LINES &&
      users.get(file).size < 3 &&
      !late.has(file) &&
      !DESCRIPTIONS.test(file) &&
      !isEntry(file),
  );
}

/** Files that belong into the only file that imports them: it stands in the same room, and both together fit. */
export function lonelyFiles() {
  const { users, late } = importers();
  return [...sources.keys()].filter((file) => {
    const [user, ...others] = users.get(file);
    if (user === undefined || others.length > 0 || late.has(file) || DESCRIPTIONS.test(file) || isEntry(file))
      return false;
    return roomOf(user) === roomOf(file) && linesOf(file) + linesOf(user) <= MAX_LINES;
  });
}

/** Files that the build puts other text in place of, or bundles as an entry: each must stand alone. */
function isEntry(file) {
  return BUILD_NAMES.has(file.split('/').at(-1));
}

/** File names that the scripts of the build mention. */
const BUILD_NAMES = new Set(
  readdirSync(join(root, 'scripts'), { recursive: true })
    .filter((name) => /\.(mjs|cjs)$/.test(name))
    .flatMap((name) => readFileSync(join(root, 'scripts', name), 'utf8').match(/[\w-]+\\?\.ts\b/g) ?? [])
    .map((name) => name.replace('\\', '')),
);

/** Words that the vocabulary of ARCHITECTURE.md replaces, with the term to use. */
export const REPLACED_WORDS = {
  lack: 'missing',
  lacks: 'missing',
  shortfall: 'missing',
  hole: 'missing',
  holes: 'missing',
  unseen: 'missing',
  unwatched: 'missing',
  lost: 'missing',
  proven: 'covered',
  held: 'stored',
  kept: 'stored or cached',
  look: 'check',
  looks: 'check',
  told: 'the plain term',
  wanted: 'request or options',
  wish: 'options',
  news: 'the plain term',
  stretch: 'range',
  face: 'the plain term',
  faces: 'the plain term',
  longest: 'max',
  usual: 'default',
};

/** How often names that `src` declares have a word that the vocabulary replaces, by word. */
export function replacedWords() {
  const counts = {};
  for (const text of sources.values())
    for (const [, name] of text.matchAll(DECLARED))
      for (const word of name.split(/(?=[A-Z])|_/).map((part) => part.toLowerCase()))
        if (word in REPLACED_WORDS) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}

const DECLARED = /^(?:export )?(?:async |abstract )?(?:function\*?|const|class|interface|type) ([\w$]+)/gm;

/** Where an endpoint is described, computed, made up or filled from a file: there it may be called by its id. */
const OF_ENDPOINTS = /^src\/(?:endpoints|derive|sandbox|imports\/formats)\//;

/**
 * How often ids of endpoints stand as strings in general code, by room and id. What one endpoint does otherwise is a member of
 * its description; what is about one endpoint imports it. Some of these are words or names of another kind.
 */
export function idsInGeneralCode(ids) {
  const counts = {};
  for (const [file, text] of sources) {
    if (OF_ENDPOINTS.test(file)) continue;
    for (const [, word] of withoutComments(text).matchAll(/'([a-z]\w*)'/g)) {
      if (!ids.includes(word)) continue;
      const name = `${roomOf(file)}: ${word}`;
      counts[name] = (counts[name] ?? 0) + 1;
    }
  }
  return counts;
}

/** Ids of all endpoints. */
export async function endpointIds() {
  const { INTERFACE } = await import('../src/endpoints/index.ts');
  return INTERFACE.map(({ id }) => id);
}

/** Names in backticks, in comments and documents, that look like names of code and that no code has. */
export function unresolvedNames() {
  const known = new Set();
  for (const [, text] of allCode()) for (const word of withoutComments(text).match(/[\w$]+/g) ?? []) known.add(word);
  const found = [];
  const files = new Set(allCode().map(([file]) => basename(file)));
  const visit = (place, text) => {
    for (const [name] of text.matchAll(/[\w.-]+\.(?:ts|mjs)\b/g))
      if (!name.startsWith('.') && !files.has(name)) found.push(`${place}: ${name}`);
    for (const [, quoted] of text.matchAll(/`([^`\n]+)`/g)) {
      const name = /^(?:[a-z$][\w$]*\.)?([A-Za-z$][\w$]*)(?:\(\))?$/.exec(quoted)?.[1];
      if (name !== undefined && /[a-z][A-Z]/.test(name) && !known.has(name)) found.push(`${place}: ${quoted}`);
    }
  };
  for (const [file, text] of sources) for (const comment of text.match(COMMENT) ?? []) visit(file, comment);
  for (const path of documentPaths()) visit(path, readDocument(path));
  return found;
}

const COMMENT = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/[^\n]*/g;

const withoutComments = (text) => text.replace(COMMENT, '');

function allCode() {
  const others = ['test', 'scripts', 'bench', 'bin'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true })
      .filter((name) => /\.(ts|mjs|js|json)$/.test(name) && !NOT_OURS.test(name))
      .map((name) => [join(folder, name), readFileSync(join(root, folder, name), 'utf8')]),
  );
  return [...sources, ...others];
}

/** The figures of the house, for closing notes: files, lines, folders and short files of `src`. */
export function figures() {
  const files = [...sources.keys()];
  return {
    files: files.length,
    lines: files.reduce((sum, file) => sum + linesOf(file), 0),
    folders: new Set(files.map(dirname)).size,
    short: files.filter((file) => linesOf(file) < SHORT_LINES).length,
  };
}

/** Exceptions to the laws of the house. The lists only shrink. */
const LISTS = join(root, 'test', 'laws', 'house-exceptions.json');

export const exceptions = () => JSON.parse(readFileSync(LISTS, 'utf8'));

/** Counts that are not above those before, without what is gone. */
function shrunk(before, now) {
  return Object.fromEntries(
    Object.entries(before).flatMap(([name, count]) => (now[name] ? [[name, Math.min(count, now[name])]] : [])),
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const list = (found) =>
    [found.length, ...found.map((one) => `  ${Array.isArray(one) ? one.join(' ') : one}`)].join('\n');
  const { files, lines, folders, short } = figures();
  console.log(`src: ${files} files, ${lines} lines, ${folders} folders, ${short} files under ${SHORT_LINES} lines`);
  console.log(`README.md: ${readmeBytes()} bytes (at most ${MAX_README_BYTES})`);
  console.log(`files above ${MAX_LINES} lines (0): ${list(longFiles())}`);
  console.log(`short files without a reason: ${list(shortFiles())}`);
  console.log(`files that belong into their only importer: ${list(lonelyFiles())}`);
  console.log(`words that the vocabulary replaces, in names: ${JSON.stringify(replacedWords())}`);
  const ids = idsInGeneralCode(await endpointIds());
  console.log(`ids of endpoints in general code: ${JSON.stringify(ids)}`);
  console.log(`names of comments and documents that no code has: ${list(unresolvedNames())}`);
  console.log(`import cycles, types included (0): ${list(importCycles())}`);
  console.log(`exported names that repeat (0): ${list(repeatedNames())}`);
  console.log(`exported functions and constants that nobody else says (0): ${list(unusedExports())}`);
  console.log(`pages of docs/ that are too long (0): ${list(longPages())}`);
  console.log(
    `faults of language in documents (0): ${documentFaults().length}; in texts of the program (0): ${textFaults().length}`,
  );
  console.log(`faults of language in comments: ${JSON.stringify(commentCounts())}`);
  if (process.argv.includes('--write')) {
    const old = exceptions();
    const words = replacedWords();
    const left = {
      short: old.short.filter((file) => shortFiles().includes(file)),
      lonely: old.lonely.filter((file) => lonelyFiles().includes(file)),
      ids: shrunk(old.ids, ids),
      words: shrunk(old.words, words),
      comments: shrunk(old.comments, commentCounts()),
    };
    writeFileSync(LISTS, `${JSON.stringify(left, null, 2)}\n`);
  }
}
