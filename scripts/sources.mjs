// What the build has to know of the sources: who imports whom, and what a file exports.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..');
/** Worked out while building, so nothing that it imports is loaded by the program through it. */
export const COMMAND_DATA = join(root, 'src', 'cli', 'commands', 'command-data.ts');

/** What a source file exports, worked out now: the Node of a checkout reads TypeScript. */
export const exportsOf = (file) => import(pathToFileURL(file).href);

/** Files that a file imports at once, and theirs, and the names of packages. */
export function reachedFrom(file, reached = new Set()) {
  if (reached.has(file)) return reached;
  reached.add(file);
  if (file === COMMAND_DATA || !file.startsWith(root)) return reached;
  for (const next of importsOf(file, /^(?:import|export)\b(?! type\b)[^;']*from '((?!node:)[^']+)'/gm))
    reachedFrom(next, reached);
  return reached;
}

export function importsOf(file, pattern) {
  const found = [...readFileSync(file, 'utf8').matchAll(pattern)].map(([, name]) => name);
  return found.map((name) => (name.startsWith('.') ? join(dirname(file), name) : name));
}
