import { resolve } from 'node:path';
import { backupMirror, refuseTarget } from '../../../mirror/sqlite/backup.ts';
import type { App } from '../../app/app.ts';
import { isOn } from '../../parse/options.ts';
import { listOwn } from '../../print/listing.ts';
import { openProgressBar } from '../../print/progress-bar.ts';
import type { Call } from '../command.ts';
import { onlyWord } from '../only-word.ts';
import { requireFile, requireMirror } from './require-held.ts';

const COLUMNS = ['file', 'bytes', 'series', 'commits'] as const;

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
    `copy ${mirror.name} into ${target}${isThere ? ', in place of what is there' : ''}`,
    () =>
      backupMirror({
        ...{ path: mirror.name, target, replace, signal: app.signal },
        onProgress: (copied, of) => bar.show({ share: copied / Math.max(of, 1), what: 'copying' }),
      }),
  );
  if (!done) return;
  const report = done.result;
  bar.show({ share: 1, what: 'copied' });
  await app.print(listOwn({ columns: COLUMNS, rows: [{ file: target, ...report }], title: ['Backup', target] }));
  await app.note(`macro mirror verify --mirror ${target} checks every row of it.`, 'next_step');
}
