import { MAPPINGS } from '../../src/endpoints/index.ts';
import type { Mirror } from '../../src/mirror/api/mirror.ts';
import { openMirror } from '../../src/mirror/sqlite/open.ts';
import type { Platform } from '../../src/platform/platform.ts';

export interface MirrorFile {
  readonly path: string;
  readonly platform: Pick<Platform, 'clock' | 'random' | 'files'>;
  /** It is only read when left out. */
  readonly mode?: 'write' | 'read';
}

/** Does something with the mirror in a file, through a connection of its own that is closed then. */
export async function inMirror<T>(file: MirrorFile, work: (mirror: Mirror) => Promise<T>): Promise<T> {
  const mirror = await openMirror({ mode: 'read', ...file, mappings: MAPPINGS });
  try {
    return await work(mirror);
  } finally {
    mirror.close();
  }
}
