// What the build has to know of the sources: who imports whom, and what a file exports.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..');
/** Worked out while building, so nothing that it imports is loaded by the program through it. */
export const FACES = join(root, 'src', 'cli', 'commands', 'endpoint-data.ts');

/** What a source file exports, worked out now. */
export async function exportsOf(file) {
  const given = { absWorkingDir: root, entryPoints: [file], bundle: true, write: false, format: 'esm' };
  const { outputFiles } = await build({ ...given, platform: 'node' });
  const code = Buffer.from(outputFiles[0].contents).toString('base64');
  return import(`data:text/javascript;base64,${code}`);
}

/** Files that a file imports at once, and theirs, and the names of packages. */
export function reachedFrom(file, reached = new Set()) {
  if (reached.has(file)) return reached;
  reached.add(file);
  if (file === FACES || !file.startsWith(root)) return reached;
  for (const next of importsOf(file, /^(?:import|export)\b(?! type\b)[^;']*from '((?!node:)[^']+)'/gm))
    reachedFrom(next, reached);
  return reached;
}

export function importsOf(file, pattern) {
  const found = [...readFileSync(file, 'utf8').matchAll(pattern)].map(([, name]) => name);
  return found.map((name) => (name.startsWith('.') ? join(dirname(file), name) : name));
}
