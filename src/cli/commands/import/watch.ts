import { join, resolve } from 'node:path';
import { toJsonText } from '../../../contract/json/json.ts';
import { MacroError } from '../../../errors.ts';
import { recogniseFormat } from '../../../imports/formats.ts';
import { type ImportReport, runImport } from '../../../imports/import.ts';
import { importsIn } from '../../../imports/past-imports.ts';
import { openFile } from '../../../imports/read/open-file.ts';
import { surveyFile } from '../../../imports/survey.ts';
import { REST_MS, watchFolder } from '../../../imports/watch-folder.ts';
import { type App, formatFor } from '../../app/app.ts';
import { isOn } from '../../parse/options.ts';
import { wrongWords } from '../../parse/question.ts';
import type { Call } from '../command.ts';
import { bytesOfFile } from './files.ts';

/** Imports files of a folder as they are dropped; bad files are reported and skipped. @throws MacroError of kind `usage`. */
export async function watchImports(app: App, call: Call, dir: string): Promise<void> {
  const folder = folderOf(app, call, dir);
  const isOnce = isOn(call.options, 'once');
  const watch = watchFolder(app.platform.files, folder);
  const importOne = importer(app, folder, watch.again);
  let refused = 0;
  if (!isOnce) await app.note(`Watching ${folder}. Ctrl-C ends it.`, 'watching');
  for (let looks = 1; ; looks += 1) {
    const { resting, moving } = watch.look();
    for (const name of resting) {
      if (app.signal.aborted) return;
      if ((await importOne(name)) === 'refused') refused += 1;
    }
    if (isOnce && looks > 1) {
      for (const name of moving)
        await app.warn(`${name} is still being written; it is left for the next time.`, 'unfinished');
      if (refused > 0)
        throw new MacroError('usage', `${refused} files of the folder could not be imported.`, {
          code: 'bad_import',
          hint: 'The warnings name them. Get them again, or move them away.',
        });
      return;
    }
    if (!(await rested(app))) return;
  }
}

function folderOf({ platform: { cwd, files } }: App, { words }: Call, dir: string): string {
  const folder = resolve(cwd, dir);
  if (words.length > 0)
    throw wrongWords(
      'macro import --watch takes no files: it imports those of the folder.',
      'See macro import --help.',
    );
  if (files.look(folder)?.isFile === false) return folder;
  throw new MacroError('usage', `There is no folder ${folder}.`, { code: 'bad_option', hint: 'Make it first.' });
}

/** False when the end has come, which is what whoever watches waits for. */
async function rested({ platform, signal }: App): Promise<boolean> {
  try {
    await platform.clock.sleep(REST_MS, signal);
    return true;
  } catch (error) {
    if (signal.aborted) return false;
    throw error;
  }
}

/** Imports a file of a folder and says what it did; a state of a file that was imported before, undone or not, is skipped. */
function importer(app: App, folder: string, again: (name: string) => void) {
  let known: Set<string> | undefined;
  return async (name: string): Promise<'done' | 'refused'> => {
    const now = app.platform.clock.now();
    known ??= await importedDigests(app);
    try {
      const file = openFile(await bytesOfFile(app, join(folder, name)));
      if (known.has(file.digest)) return 'done';
      const survey = surveyFile(recogniseFormat(file), file, now);
      const { isDryRun: isRehearsal } = app;
      const mirror = isRehearsal ? await app.rehearsal() : await app.writable();
      const [report] = await runImport({ surveys: [survey], mirror, now, isRehearsal });
      if (!isRehearsal) await mirror.flush();
      known.add(file.digest);
      if (report) await app.printText(`${reportLine(app, report)}\n`);
      return 'done';
    } catch (error) {
      if (!(error instanceof MacroError)) throw error;
      if (error.kind === 'busy') again(name);
      else if (error.kind === 'mirror' || error.kind === 'internal' || error.kind === 'interrupted') throw error;
      await app.warn(`${name}: ${error.message}`, error.code ?? 'bad_import');
      return 'refused';
    }
  };
}

async function importedDigests(app: App): Promise<Set<string>> {
  const handle = await app.mirrorIfAny();
  return new Set(handle ? importsIn(await handle.mirror.files.fileCommits()).map(({ digest }) => digest) : []);
}

function reportLine(app: App, report: ImportReport): string {
  const format = formatFor(app);
  if (format === 'json' || format === 'ndjson') return toJsonText({ ...report });
  const { file, series, rows, added, revised, vanished, from, to } = report;
  return `${file}: ${report.format}, ${series} series, ${rows} rows of ${from} to ${to}; ${added} added, ${revised} revised, ${vanished} withdrawn`;
}
