import { MAPPINGS } from '../../../endpoints/index.ts';
import { lockSync } from '../../../mirror/sqlite/lock.ts';
import { rebuildMirror } from '../../../mirror/sqlite/upkeep/rebuild.ts';
import type { App } from '../../app/app.ts';
import { listOwn } from '../../output/own-listing.ts';
import { noMirror, requireFile } from './require-held.ts';

const COLUMNS = ['table', 'rows', 'left', 'old'] as const;

/** Makes the tables of data anew from the stored texts. The mirror is not opened: its tables may not fit this program. */
export async function runRebuild(app: App): Promise<void> {
  const path = requireFile(app, 'mirror rebuild', 'There, name another schema with ?schema=NAME and run macro sync.');
  if (!app.platform.files.exists(path)) throw noMirror(path);
  const lock = await lockSync(path, { runs: async () => [] });
  try {
    const rebuilt = rebuildMirror({
      path,
      mappings: MAPPINGS,
      onTable: (table) => void app.progress(`making ${table} anew`),
    });
    const rows = rebuilt.map(({ old = null, ...table }) => ({ ...table, old }));
    await app.print(listOwn({ columns: COLUMNS, rows, title: ['Rebuilt', path] }));
    for (const { table, left, old } of rebuilt)
      if (left > 0)
        await app.warn(
          `${left} rows of ${table} have no key for this version; all its old rows stay in ${old}.`,
          'rows_left_behind',
        );
    await app.note('macro mirror compact gives the room of the old tables back.', 'next_step');
  } finally {
    await lock.release();
  }
}
