import { compactMirror } from '../../../mirror/sqlite/upkeep/compact.ts';
import type { App } from '../../app/app.ts';
import { listOwn } from '../../output/own-listing.ts';
import { requireFile, requireMirror } from './require-held.ts';

const COLUMNS = ['file', 'before', 'after'] as const;

/** Gives unused room of the mirror file back to the disk. */
export async function runCompact(app: App): Promise<void> {
  requireFile(app, 'mirror compact', 'There, the server gives unused room back by itself.');
  const { mirror } = await requireMirror(app);
  const lock = await mirror.lockSync();
  try {
    const report = compactMirror(mirror.name);
    await app.print(
      listOwn({ columns: COLUMNS, rows: [{ file: mirror.name, ...report }], title: ['Compacted', mirror.name] }),
    );
  } finally {
    await lock.release();
  }
}
