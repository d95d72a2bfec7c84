import { resolve } from 'node:path';
import { hintFor } from '../../../contract/words/nearest.ts';
import { MacroError } from '../../../errors.ts';
import type { ImportFormat } from '../../../imports/format.ts';
import { formatNamed, IMPORT_FORMATS, recogniseFormat } from '../../../imports/formats.ts';
import { runImport } from '../../../imports/import.ts';
import { type OpenedFile, openFile } from '../../../imports/read/open-file.ts';
import { type Survey, surveyFile } from '../../../imports/survey.ts';
import type { App } from '../../app/app.ts';
import { isOn, textOption } from '../../parse/options.ts';
import { listOwn } from '../../print/listing.ts';
import { openProgressBar } from '../../print/progress-bar.ts';
import type { Call } from '../command.ts';
import { bytesOfFile } from './bytes-of-file.ts';
import { withDescribed } from './retyped-csv.ts';

const COLUMNS = [
  'format',
  'file',
  'series',
  'rows',
  'added',
  'revised',
  'vanished',
  'unchanged',
  'from',
  'to',
] as const;
/** Left out of a narrow table, the first one first. */
const SPARE = ['format', 'unchanged', 'vanished'] as const;

/**
 * Brings official files into the mirror, all of them or none, and prints what changed.
 * @throws MacroError of kind `usage`.
 */
export async function importFiles(app: App, call: Call): Promise<void> {
  const { words, options } = call;
  const folder = textOption(options, 'watch');
  if (folder !== undefined) {
    const { watchImports } = await import('./watch-imports.ts');
    return watchImports(app, call, folder);
  }
  if (isOn(options, 'once'))
    throw new MacroError('usage', '--once belongs to --watch DIR.', {
      code: 'bad_option',
      hint: 'Files that are named are imported once anyway: macro import FILE',
    });
  const [first = '', ...others] = words;
  const format = formatNamed(first);
  const files = format ? others : words;
  if (files.length === 0)
    throw new MacroError('usage', 'macro import takes files: macro import [FORMAT] FILE... (- for standard input).', {
      code: 'bad_words',
      hint: `Formats: ${IMPORT_FORMATS.map(({ id }) => id).join(', ')}. See macro import --help.`,
    });
  if (!format) refuseUnknownFormat(app, words);
  const now = app.platform.clock.now();
  const surveys: Survey[] = [];
  for (const name of files) {
    const bytes = await bytesOfFile(app, name);
    surveys.push(
      namingFile(bytes.name, files.length, () => {
        const file = openFile(bytes);
        return surveyFile(format ?? recognised(app, file, name), file, now);
      }),
    );
  }
  await writeSurveys(app, surveys, { now, areNewer: isOn(options, 'newer') });
}

function recognised(app: App, file: OpenedFile, name: string): ImportFormat {
  try {
    return recogniseFormat(file);
  } catch (error) {
    throw withDescribed(error, { app, name, options: {} });
  }
}

/** A word before the files that is none of them was meant as their format. */
function refuseUnknownFormat({ platform: { files, cwd } }: App, [first = '', ...others]: readonly string[]): void {
  if (others.length === 0 || !/^[a-z][a-z0-9-]*$/i.test(first) || files.exists(resolve(cwd, first))) return;
  const ids = IMPORT_FORMATS.map(({ id }) => id);
  throw new MacroError('usage', `'${first}' is neither a format nor a file.`, {
    code: 'bad_words',
    hint: hintFor(first, ids, `Formats: ${ids.join(', ')}; csv for any other table.`),
  });
}

/** Writes checked files. One that cannot be read must not leave a new mirror behind, so that is made here. */
export async function writeSurveys(
  app: App,
  surveys: readonly Survey[],
  { now, areNewer }: { readonly now: number; readonly areNewer: boolean },
): Promise<void> {
  const bar = openProgressBar(app, app.platform.clock);
  const onRows = (done: number, of: number) => bar.show({ share: done / Math.max(of, 1), rows: done });
  const { isDryRun: isRehearsal } = app;
  const mirror = isRehearsal ? await app.rehearsal() : await app.writable();
  const reports = await runImport({ surveys, mirror, now, areNewer, onRows, isRehearsal });
  await app.print(
    listOwn({
      columns: COLUMNS,
      rows: reports.map((report) => ({ ...report })),
      spare: SPARE,
      title: [`${isRehearsal ? 'Would be imported' : 'Imported'} into ${app.settings.mirror.value}`],
    }),
  );
}

/** Of several files the error says which one it is about. */
function namingFile<T>(name: string, count: number, check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (count === 1 || !(error instanceof MacroError)) throw error;
    const { kind, code, hint } = error;
    throw new MacroError(kind, `${name}: ${error.message}`, {
      ...(code !== undefined && { code }),
      ...(hint !== undefined && { hint }),
      cause: error,
    });
  }
}
