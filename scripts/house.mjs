// Measures what keeps the tree and its documents readable, and prints it: npm run house. The tests hold each figure to its bound.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { longSentences, MAX_README_BYTES, MAX_WORDS, readmeBytes } from './documents.mjs';

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

/** Files at the root of each folder, the fullest first. */
export function fullestFolders() {
  const counts = new Map();
  for (const file of sources.keys()) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
  return [...counts].map(([folder, files]) => ({ folder, files })).sort((a, b) => b.files - a.files);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [fullest] = fullestFolders();
  const list = (found) =>
    [found.length, ...found.map((one) => `  ${Array.isArray(one) ? one.join(' ') : one}`)].join('\n');
  console.log(`README.md: ${readmeBytes()} bytes (at most ${MAX_README_BYTES})`);
  console.log(`fullest folder: ${fullest.folder}, ${fullest.files} files at its root (at most 20)`);
  console.log(`import cycles, types included (0): ${list(importCycles())}`);
  console.log(`exported names that repeat (0): ${list(repeatedNames())}`);
  console.log(`exported functions and constants that nobody else says (0): ${list(unusedExports())}`);
  console.log(`sentences of the documents above ${MAX_WORDS} words (0): ${longSentences().length}`);
}
