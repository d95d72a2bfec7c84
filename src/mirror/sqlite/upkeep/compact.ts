import { statSync } from 'node:fs';
import { translating } from '../failures.ts';
import { assertIntegrity } from '../integrity.ts';
import { alone, connectForUpkeep } from './connect.ts';

export interface CompactReport {
  /** Bytes of the file and its log. */
  readonly before: number;
  readonly after: number;
}

/**
 * Writes the file anew without the room that deleted and moved rows left, and empties its log. Refused while another
 * program writes, and of a file that is damaged.
 */
export function compactMirror(path: string): CompactReport {
  return translating(path, () => {
    const db = connectForUpkeep(path);
    try {
      // A damaged file may be written anew without an error, and without the rows that could not be read.
      alone(path, () => assertIntegrity(db, path, 'quick'));
      const before = bytesOf(path);
      alone(path, () => db.exec('vacuum'));
      // A reader may still need the log: then whoever closes the file last empties it.
      db.pragma('wal_checkpoint(truncate)');
      return { before, after: bytesOf(path) };
    } finally {
      db.close();
    }
  });
}

function bytesOf(path: string): number {
  return [path, `${path}-wal`].reduce((sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0);
}
