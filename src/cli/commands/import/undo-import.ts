import { MacroError } from '../../../errors.ts';
import { planUndo, runUndo } from '../../../imports/import-history.ts';
import type { App } from '../../app/app.ts';
import { listOwn } from '../../print/listing.ts';
import type { Call } from '../command.ts';
import { requireMirror } from '../mirror/require-held.ts';
import { onlyWord } from '../only-word.ts';

/** Takes an import back, or shows what that would do. */
export async function undoImport(app: App, call: Call): Promise<void> {
  const id = readId(onlyWord(call, 'import undo', 'the number of an import'));
  const { mirror: existing } = await requireMirror(app);
  const { isDryRun } = app;
  const mirror = isDryRun ? existing : await app.writable();
  const plan = await planUndo(mirror, id, app.platform.clock.now());
  if (!isDryRun) await runUndo(mirror, plan);
  const { undone, withdrawn, restored } = plan;
  await app.print(
    listOwn({
      columns: ['id', 'format', 'file', 'series', 'withdrawn', 'restored'],
      rows: [{ id, format: undone.format, file: undone.file, series: undone.series.length, withdrawn, restored }],
      title: [isDryRun ? 'Would be undone' : `Undone in ${app.settings.mirror.value}`],
    }),
  );
}

function readId(word: string): number {
  if (/^[1-9]\d{0,14}$/.test(word)) return Number(word);
  throw new MacroError('usage', `'${word}' is no number of an import.`, {
    code: 'bad_words',
    hint: 'macro import list shows the numbers.',
  });
}
