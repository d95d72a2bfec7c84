import { MAPPINGS } from '../../../endpoints/index.ts';
import { lockSync } from '../../../mirror/sqlite/lock.ts';
import { type RebuiltTable, rebuildMirror } from '../../../mirror/sqlite/rebuild.ts';
import type { App } from '../../app/app.ts';
import { listOwn } from '../../print/listing.ts';
import { noMirror, requireFile } from './require-held.ts';

const COLUMNS = ['table', 'rows', 'left', 'old'] as const;

/**
 * Makes the tables of data anew from the stored texts. The mirror is not opened: its tables may not fit this program.
 * @throws MacroError of kind `notFound`.
 */
export async function runRebuild(app: App): Promise<void> {
  const path = requireFile(app, 'mirror rebuild', 'There, name another schema with ?schema=NAME and run macro sync.');
  if (!app.platform.files.exists(path)) throw noMirror(path);
  const done = await app.change(`make the tables of ${path} anew from the stored texts`, () => rebuild(app, path));
  if (!done) return;
  const rows = done.result.map(({ old = null, ...table }) => ({ ...table, old }));
  await app.print(listOwn({ columns: COLUMNS, rows, title: ['Rebuilt', path] }));
  for (const { table, left, old } of done.result)
    if (left > 0)
      await app.warn(
        `${left} rows of ${table} have no key for this version; all its old rows stay in ${old}.`,
        'rows_left_behind',
      );
  await app.note('macro mirror compact gives the room of the old tables back.', 'next_step');
}

async function rebuild(app: App, path: string): Promise<readonly RebuiltTable[]> {
  const lock = await lockSync(path, { runs: async () => [] });
  try {
    const onTable = (table: string) => void app.progress(`making ${table} anew`);
    return rebuildMirror({ path, mappings: MAPPINGS, onTable });
  } finally {
    await lock.release();
  }
}
