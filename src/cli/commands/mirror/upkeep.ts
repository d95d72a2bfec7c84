// Operations on a whole mirror file.

import { dirname, resolve } from 'node:path';
import { MAPPINGS } from '../../../endpoints/index.ts';
import { MacroError } from '../../../errors.ts';
import { tablesOfViews } from '../../../mirror/rules/views.ts';
import { backupMirror, refuseForeignSchema, refuseTarget, restoreMirror } from '../../../mirror/sqlite/backup.ts';
import { compactMirror } from '../../../mirror/sqlite/compact.ts';
import { lockSync } from '../../../mirror/sqlite/lock.ts';
import { type RebuiltTable, rebuildMirror } from '../../../mirror/sqlite/rebuild.ts';
import type { App } from '../../app/app.ts';
import { noteVerified } from '../../app/verified.ts';
import { isOn } from '../../parse/options.ts';
import { openProgressBar } from '../../print/progress-bar.ts';
import type { Call } from '../command.ts';
import { noMirror, onlyWord, requireFile, requireMirror, underLock } from '../require.ts';

/** Copies the mirror into one plain file, while others may go on using it. */
export async function runBackup(app: App, call: Call): Promise<void> {
  requireFile(app, 'mirror backup', 'There, pg_dump --schema copies it as a whole.');
  const target = resolve(app.platform.cwd, onlyWord(call, 'mirror backup', 'FILE'));
  // Opening it tells whether it is a mirror at all.
  const { mirror } = await requireMirror(app);
  const bar = openProgressBar(app, app.platform.clock);
  const replace = isOn(call.options, 'yes');
  const isThere = app.platform.files.exists(target);
  refuseTarget({ path: mirror.name, target, replace });
  const done = await app.change(
    `copy ${mirror.name} into ${target}${isThere ? ', in place of the present one' : ''}`,
    () =>
      backupMirror({
        ...{ path: mirror.name, target, replace, signal: app.signal },
        onProgress: (copied, of) => bar.show({ share: copied / Math.max(of, 1), what: 'copying' }),
      }),
  );
  if (!done) return;
  bar.show({ share: 1, what: 'copied' });
  await app.list({ rows: [{ file: target, ...done.result }], title: ['Backup', target] });
  await app.note(`macro mirror verify --mirror ${target} checks every row of it.`, 'next_step');
}

/** Checks a backup and replaces the mirror, which stays beside it. @throws MacroError of kind `usage`. */
export async function runRestore(app: App, call: Call): Promise<void> {
  const path = requireFile(app, 'mirror restore', 'There, psql brings back what pg_dump wrote.');
  const { platform, signal } = app;
  const file = resolve(platform.cwd, onlyWord(call, 'mirror restore', 'FILE'));
  if (!platform.files.exists(file))
    throw new MacroError('usage', `There is no file ${file}.`, {
      code: 'no_backup',
      hint: 'macro mirror backup FILE makes one.',
    });
  if (file === path)
    throw new MacroError('usage', 'A mirror cannot be restored from itself.', { hint: 'Name its backup.' });
  if (platform.files.exists(path) && !isOn(call.options, 'yes'))
    throw new MacroError('usage', `There is a mirror at ${path} already.`, {
      code: 'mirror_present',
      hint: 'Add --yes to replace it; the old mirror is renamed, not deleted.',
    });
  await requireWhole(app, file);
  const kept = platform.files.exists(path) ? ', and keep the one before it under another name' : '';
  const done = await app.change(`put ${file} in the place of ${path}${kept}`, async () => {
    platform.files.makeFolder(dirname(path), 0o700);
    const stamp = new Date(platform.clock.now()).toISOString().replace(/[-:]|\.\d+/g, '');
    return underLock(lockSync(path, { runs: async () => [] }), () => {
      const bar = openProgressBar(app, app.platform.clock);
      return restoreMirror({
        ...{ path, file, signal, aside: `${path}.replaced-${stamp}` },
        onProgress: (copied, of) => bar.show({ share: copied / Math.max(of, 1), what: 'copying' }),
      });
    });
  });
  if (!done) return;
  // Views with names of ours may say something else: a writer makes them anew.
  await noteVerified(app, await app.openMirror({ path, mode: 'write' }), 0);
  const { replaced = null, ...report } = done.result;
  await app.list({ rows: [{ file: path, ...report, replaced }], title: ['Restored', path] });
  await app.note('macro sync brings what came after the backup.', 'next_step');
}

async function requireWhole(app: App, file: string): Promise<void> {
  refuseForeignSchema(file, new Set(tablesOfViews(MAPPINGS).keys()));
  const backup = await app.openMirror({ path: file, mode: 'read' });
  const bar = openProgressBar(app, app.platform.clock);
  const { findings } = await backup.verify({
    signal: app.signal,
    onSeries: (done, of) => bar.show({ share: done / Math.max(of, 1), what: `${done} of ${of} series checked` }),
  });
  const problems = findings.filter(({ level }) => level === 'problem');
  if (problems.length === 0) return;
  throw new MacroError('verification', `The backup ${file} is not as it was written: ${problems.length} problems.`, {
    code: 'backup_altered',
    hint: `To see them: macro mirror verify --mirror ${file}`,
  });
}

/** Gives unused room of the mirror file back to the disk. */
export async function runCompact(app: App): Promise<void> {
  requireFile(app, 'mirror compact', 'There, the server gives unused room back by itself.');
  const { mirror } = await requireMirror(app);
  const done = await app.change(`give unused room of ${mirror.name} back to the disk`, () =>
    underLock(mirror.lockSync(), () => compactMirror(mirror.name)),
  );
  if (!done) return;
  await app.list({ rows: [{ file: mirror.name, ...done.result }], title: ['Compacted', mirror.name] });
}

/** Makes the columns of all tables anew from the stored texts. @throws MacroError of kind `notFound`. */
export async function runRebuild(app: App): Promise<void> {
  const path = requireFile(app, 'mirror rebuild', 'There, name another schema with ?schema=NAME and run macro sync.');
  if (!app.platform.files.exists(path)) throw noMirror(path);
  const done = await app.change(`make the tables of ${path} anew from the stored texts`, () => rebuild(app, path));
  if (!done) return;
  await app.list({ rows: done.result.map((table) => ({ ...table })), title: ['Rebuilt', path] });
}

function rebuild(app: App, path: string): Promise<readonly RebuiltTable[]> {
  const onTable = (table: string) => void app.progress(`making ${table} anew`);
  const work = () => rebuildMirror({ path, mappings: MAPPINGS, onTable });
  return underLock(lockSync(path, { runs: async () => [] }), work);
}
