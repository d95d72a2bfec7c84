import { compactMirror } from '../../../mirror/sqlite/compact.ts';
import type { App } from '../../app/app.ts';
import { listOwn } from '../../print/listing.ts';
import { requireFile, requireMirror } from './require-held.ts';

const COLUMNS = ['file', 'before', 'after'] as const;

/** Gives unused room of the mirror file back to the disk. */
export async function runCompact(app: App): Promise<void> {
  requireFile(app, 'mirror compact', 'There, the server gives unused room back by itself.');
  const { mirror } = await requireMirror(app);
  const done = await app.change(`give unused room of ${mirror.name} back to the disk`, async () => {
    const lock = await mirror.lockSync();
    try {
      return compactMirror(mirror.name);
    } finally {
      await lock.release();
    }
  });
  if (!done) return;
  const rows = [{ file: mirror.name, ...done.result }];
  await app.print(listOwn({ columns: COLUMNS, rows, title: ['Compacted', mirror.name] }));
}
