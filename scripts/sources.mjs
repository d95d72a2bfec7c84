// Where the sources are, and what they export.
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** What a source file exports, worked out now: the Node of a checkout reads TypeScript. */
export const exportsOf = (file) => import(pathToFileURL(file).href);
