import { basename, resolve } from 'node:path';
import { hintFor } from '../../../contract/words/nearest.ts';
import { detailsOf, hinted, MacroError } from '../../../errors.ts';
import { readCurrency } from '../../../imports/fetch/units.ts';
import type { ImportFormat, TellableFacts } from '../../../imports/format.ts';
import { formatNamed, IMPORT_FORMATS, recogniseFormat } from '../../../imports/formats.ts';
import { type GuessedTable, guessTable } from '../../../imports/generic/guess.ts';
import { MAPPING_MEMBERS } from '../../../imports/generic/mapping.ts';
import { type ImportReport, runImport } from '../../../imports/import.ts';
import { dateIn, someOf } from '../../../imports/read/cells.ts';
import { type FileBytes, type OpenedFile, openFile } from '../../../imports/read/open-file.ts';
import { type Survey, surveyFile } from '../../../imports/survey.ts';
import { commandsOf } from '../../../source/not-mirrored.ts';
import type { App } from '../../app/app.ts';
import { isOn, type Options, textOption } from '../../parse/options.ts';
import { wrongWords } from '../../parse/question.ts';
import { openProgressBar } from '../../print/progress-bar.ts';
import { shellWord } from '../../print/text.ts';
import type { Call } from '../command.ts';

/** Imports official files, all of them or none, and prints changes. @throws MacroError of kind `usage`. */
export async function importFiles(app: App, call: Call): Promise<void> {
  const { words, options } = call;
  const folder = textOption(options, 'watch');
  if (folder !== undefined) {
    const { watchImports } = await import('./watch.ts');
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
  if (format?.download && !others.some((word) => isFileWord(app, format, word))) {
    if (textOption(options, 'vintage') !== undefined)
      throw wrongFact('--vintage is said of a file.', 'Name the file: macro import FORMAT FILE');
    const { fetchAndImport, printAddressOf } = await import('./fetch.ts');
    const rest = { words: others, options };
    return isOn(options, 'address') ? printAddressOf(app, format, rest) : fetchAndImport(app, format, rest);
  }
  if (files.length === 0)
    throw wrongWords(
      'macro import takes a format, which it fetches, or files: macro import FORMAT, macro import [FORMAT] FILE... (- for standard input).',
      `Formats: ${IMPORT_FORMATS.map(({ id }) => id).join(', ')}. See macro import --help.`,
    );
  if (!format) refuseUnknownFormat(app, words);
  const now = app.platform.clock.now();
  const facts = factsIn(options);
  const surveys: Survey[] = [];
  for (const name of files) {
    const bytes = await bytesOfFile(app, name);
    surveys.push(
      namingFile(bytes.name, files.length, () => {
        const file = openFile(bytes, facts);
        const found = format ?? recognised(app, file, name);
        requireTaken(found, facts);
        return surveyFile(found, file, now);
      }),
    );
  }
  for (const { file, leftOut } of surveys)
    if (leftOut.length > 0)
      await app.note(`${file.name}: ${leftOut.join(', ')} left out. Download a file for each period.`, 'left_out');
  await writeSurveys(app, surveys, { now, areNewer: isOn(options, 'newer') });
}

/** Is a word behind a format a file, not an id? Standard input is one, and whatever is there or is no id. */
function isFileWord({ platform: { files, cwd } }: App, { download }: ImportFormat, word: string): boolean {
  if (word === '-' || files.exists(resolve(cwd, word))) return true;
  return download?.ids === undefined || !download.ids.pattern.test(word.toUpperCase());
}

/** Facts that the user states about the files. @throws MacroError of kind `usage`. */
function factsIn(options: Options): TellableFacts {
  const [as, vintage] = ['as', 'vintage'].map((name) => textOption(options, name));
  if (vintage !== undefined && dateIn(vintage, 'YYYY-MM') === undefined)
    throw wrongFact(`'${vintage}' is no month.`, 'Write it as in --vintage 2024-03.');
  return { ...(as !== undefined && { as: readCurrency(as) }), ...(vintage !== undefined && { vintage }) };
}

/** A fact that a format would not look at is no fact about its file. */
function requireTaken({ id, takes }: ImportFormat, facts: TellableFacts): void {
  for (const name of ['as', 'vintage'] as const)
    if (facts[name] !== undefined && takes !== name) {
      const formats = IMPORT_FORMATS.filter((one) => one.takes === name).map((one) => one.id);
      throw wrongFact(`Files of ${id} take no --${name}.`, `Those of ${formats.join(', ')} do.`);
    }
}

function wrongFact(message: string, hint: string): MacroError {
  return new MacroError('usage', message, { code: 'bad_option', hint });
}

function recognised(app: App, file: OpenedFile, name: string): ImportFormat {
  try {
    return recogniseFormat(file);
  } catch (error) {
    throw withDescribed(error, { app, name, options: {} });
  }
}

/** A word before the files that is none of them was meant as their format. */
function refuseUnknownFormat({ platform: { files, cwd } }: App, [first = '']: readonly string[]): void {
  if (!/^[a-z][a-z0-9-]*$/i.test(first) || files.exists(resolve(cwd, first))) return;
  const ids = IMPORT_FORMATS.map(({ id }) => id);
  const longer = ids.filter((id) => id.startsWith(`${first}-`));
  throw new MacroError('usage', `'${first}' is neither a format nor a file.`, {
    code: 'bad_words',
    hint:
      longer.length > 0
        ? `Did you mean ${longer.join(' or ')}?`
        : hintFor(first, ids, `Formats: ${ids.join(', ')}; csv for any other table.`),
  });
}

/** Writes checked files. An unreadable file must not leave a new mirror behind, so the mirror is made here. */
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
  // Whoever reads that files are imported may remove them.
  if (!isRehearsal) await mirror.flush();
  await listReports(app, reports, isRehearsal ? 'Would be imported' : 'Imported');
  if (!isRehearsal) await noteQuestions(app, surveys);
}

/** Questions that are suggested after an import. */
const MAX_SUGGESTED = 3;

/** Names questions that the first series of files answer, those with the fewest options first. */
export async function noteQuestions(app: App, surveys: readonly Survey[]): Promise<void> {
  const all = surveys.flatMap((survey) => [...survey.series.values()].map(({ series }) => series));
  const simplest = all.toSorted((a, b) => Object.keys(a.scope).length - Object.keys(b.scope).length);
  const named = simplest.slice(0, MAX_SUGGESTED).map(({ endpoint, scope }) => ({ endpoint, scope }));
  if (named.length > 0) await app.note(`Ask: ${commandsOf(named)}`, 'questions');
}

export async function listReports(app: App, reports: readonly ImportReport[], done: string): Promise<void> {
  const rows = reports.map((report) => ({ ...report }));
  const spare = ['format', 'unchanged', 'vanished'];
  await app.list({ rows, spare, title: [`${done} into ${app.settings.mirror.value}`] });
}

/** With several files the error names its file. */
function namingFile<T>(name: string, count: number, check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (count === 1 || !(error instanceof MacroError)) throw error;
    throw new MacroError(error.kind, `${name}: ${error.message}`, { ...detailsOf(error), cause: error });
  }
}

/** A file that was named, or standard input for `-`. */
export async function bytesOfFile({ platform: { files, io, cwd } }: App, name: string): Promise<FileBytes> {
  if (name !== '-') return { name: basename(name), pieces: () => files.pieces(resolve(cwd, name)) };
  const bytes = await io.stdin.readBytes();
  return { name, pieces: () => [bytes] };
}

// `macro import csv` as it could be typed: refusals of a table end in a command, not in a list of options.

interface TypedImport {
  readonly app: App;
  readonly name: string;
  readonly options: Options;
}

/** The refusal of a table, with the command that may read it: it shows the rows and writes nothing. */
export function withRetyped(error: unknown, typed: TypedImport): unknown {
  if (!(error instanceof MacroError)) return error;
  const { missingParts, mend } = error.extra;
  if (error.code === 'bad_mapping' && typeof missingParts === 'string') {
    const described = describedTable(typed);
    return described === undefined ? error : hinted(error, `Say what its columns are${described}`);
  }
  if (error.code !== 'bad_import') return error;
  const more = Array.isArray(mend) ? mend.map(String) : [];
  const advice =
    more.length > 0
      ? `Try: ${commandOf(typed, more)}`
      : 'Correct the file, or say how it is read: macro import csv --help';
  return hinted(error, `Nothing was written. ${advice}`);
}

/** The refusal of a file that no format has: a table can be described. */
function withDescribed(error: unknown, typed: TypedImport): unknown {
  if (!(error instanceof MacroError) || error.code !== 'bad_import' || error.extra.mend === undefined) return error;
  const described = describedTable(typed);
  if (described === undefined) return error;
  return hinted(error, `Nothing was written. A table of another publisher can be described${described}`);
}

/** A word that only a person knows. */
const OPEN = '...';

/** The rest of a hint: the command with the columns that can only be meant, and those to choose from; undefined for no table. */
function describedTable(typed: TypedImport): string | undefined {
  const { options } = typed;
  const table = guessedTable(typed);
  if (!table) return undefined;
  const { date = OPEN, values, separator, isWide } = table;
  const [value = OPEN, ...others] = values;
  const guessed = {
    as: OPEN,
    ...(!isWide && { date, value: others.length > 0 ? OPEN : value }),
    ...(separator !== ',' && { separator: separator === '\t' ? 'tab' : separator }),
  };
  const more = Object.entries(guessed).flatMap(([name, word]) =>
    options[name] === undefined ? [`--${name}`, word] : [],
  );
  const command = commandOf(typed, [...more, ...(isWide && options.wide !== true ? ['--wide'] : [])]);
  if (isWide || others.length === 0 || options.value !== undefined) return `, for example: ${command}`;
  return `; its columns of numbers are ${someOf(values)}. For example: ${command}`;
}

/** Standard input is read once. */
function guessedTable({ app: { platform }, name }: TypedImport): GuessedTable | undefined {
  if (name === '-') return undefined;
  try {
    return guessTable(openFile({ name, pieces: () => platform.files.pieces(resolve(platform.cwd, name)) }));
  } catch (error) {
    // Errors of the file are reported where it is read.
    if (error instanceof MacroError) return undefined;
    throw error;
  }
}

function commandOf({ name, options }: TypedImport, more: readonly string[]): string {
  const kept = ['mapping', ...MAPPING_MEMBERS].flatMap((option) =>
    [options[option] ?? []].flat().flatMap((word) => (word === true ? `--${option}` : [`--${option}`, String(word)])),
  );
  const words = [name, ...kept, ...more].map((word) => (word === OPEN ? `'${OPEN}'` : shellWord(word))).join(' ');
  return `macro import csv ${words} --preview`;
}
