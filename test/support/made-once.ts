import { existsSync, linkSync, rmSync } from 'node:fs';
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
 * that need it at the same moment both make it, and the first of the equal files stays: one that is in use is never replaced.
 */
export async function madeOnce(name: string, make: (path: string) => Promise<void>): Promise<string> {
  const path = join(inject('madeOnce'), name);
  if (existsSync(path)) return path;
  const mine = `${path}.${process.pid}`;
  await make(mine);
  try {
    linkSync(mine, path);
  } catch (error) {
    if (!existsSync(path)) throw error;
  } finally {
    rmSync(mine);
  }
  return path;
}
