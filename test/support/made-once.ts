import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Folder for what the whole run makes once. */
    madeOnce: string;
  }
}

/**
 * The path of a file that the whole run of the tests makes once, whoever needs it first; nobody writes it from then on. Two
 * that need it at the same moment both make it, and one of the equal files stays.
 */
export async function madeOnce(name: string, make: (path: string) => Promise<void>): Promise<string> {
  const path = join(inject('madeOnce'), name);
  if (existsSync(path)) return path;
  const mine = `${path}.${process.pid}`;
  await make(mine);
  renameSync(mine, path);
  return path;
}
