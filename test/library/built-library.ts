import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBuilt } from '../support/built.ts';

/** The library as it is imported. */
export type Library = typeof import('./surface.d.ts');

const ENTRY = join(import.meta.dirname, '../../lib/index.js');

/** The built library: what is prepared for it comes with the build. */
export async function builtLibrary(): Promise<Library> {
  await ensureBuilt();
  return import(pathToFileURL(ENTRY).href);
}
