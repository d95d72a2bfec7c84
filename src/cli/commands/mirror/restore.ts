// `macro mirror restore FILE`: a backup takes the place of the mirror.
import { dirname, resolve } from 'node:path';
import { MacroError } from '../../../errors.ts';
import { restoreMirror } from '../../../mirror/sqlite/backup.ts';
import { lockSync } from '../../../mirror/sqlite/lock.ts';
import type { App } from '../../app/app.ts';
import { isOn } from '../../parse/options.ts';
import { listOwn } from '../../print/listing.ts';
import { openProgressBar } from '../../print/progress-bar.ts';
import type { Call } from '../command.ts';
import { onlyWord } from '../only-word.ts';
import { requireFile } from './require-held.ts';

const COLUMNS = ['file', 'bytes', 'series', 'commits', 'replaced'] as const;

/**
 * Checks every row of the backup, then puts it in the place of the mirror; the one before it is kept beside it.
 * @throws MacroError of kind `usage`.
 */
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
      hint: 'Replace it with --yes: it is kept beside the new one under another name.',
    });
  await requireWhole(app, file);
  const kept = platform.files.exists(path) ? ', and keep the one before it under another name' : '';
  const done = await app.change(`put ${file} in the place of ${path}${kept}`, async () => {
    platform.files.makeFolder(dirname(path), 0o700);
    const lock = await lockSync(path, { runs: async () => [] });
    try {
      const stamp = new Date(platform.clock.now()).toISOString().replace(/[-:]|\.\d+/g, '');
      const bar = openProgressBar(app, app.platform.clock);
      return await restoreMirror({
        ...{ path, file, signal, aside: `${path}.replaced-${stamp}` },
        onProgress: (copied, of) => bar.show({ share: copied / Math.max(of, 1), what: 'copying' }),
      });
    } finally {
      await lock.release();
    }
  });
  if (!done) return;
  const { replaced = null, ...report } = done.result;
  await app.print(
    listOwn({ columns: COLUMNS, rows: [{ file: path, ...report, replaced }], title: ['Restored', path] }),
  );
  await app.note('macro sync brings what came after the backup.', 'next_step');
}

async function requireWhole(app: App, file: string): Promise<void> {
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
