import { dirname, join, resolve } from 'node:path';
import type { Client } from '../../client/client.ts';
import type { Priority } from '../../client/quota/account.ts';
import { dateOf } from '../../contract/time/time.ts';
import { MacroError, unlessRefused } from '../../errors.ts';
import type { Mirror } from '../../mirror/api/mirror.ts';
import { isServerAddress } from '../../mirror/rules/engine.ts';
import type { GrowingFile, Output, Platform } from '../../platform/platform.ts';
import type { OpenMirror } from '../../source/live.ts';
import type { Source } from '../../source/source.ts';
import { isOn, type Options, readStyle, textOption } from '../parse/options.ts';
import {
  chooseFormat,
  type FileFormat,
  type Format,
  type FormatOptions,
  isDrawn,
  isFileFormat,
  renderPieces,
} from '../print/format.ts';
import { type Listing, listOwn, type OwnRows } from '../print/listing.ts';
import { type Messages, messageForm, openMessages, withoutService, withTypedService } from '../print/messages.ts';
import { fieldsOfSetting } from '../print/rows.ts';
import type { MirrorHandle, OpenHandleOptions } from './mirror-handle.ts';
import { unchangedPlatform } from './platforms.ts';
import { readSettings, refusalFrom, type Settings } from './settings.ts';

/** The input of every command: the world, the request, and costly things that open on first use. */
export interface App extends Messages, AppParts {
  readonly platform: Platform;
  readonly options: Options;
  /** Aborted when the person or the system wants an end. */
  readonly signal: AbortSignal;
  /** Resolved on first use; a command that only repairs settings never asks. */
  readonly settings: Settings;
  /** UTC date. */
  readonly today: string;
  /** The only door to stdout for rows. */
  print(listing: Listing): Promise<void>;
  /** The same of rows that the command made itself, with the columns that it declares where none are given. */
  list(own: Omit<OwnRows, 'columns'> & Partial<OwnRows>): Promise<void>;
  /** Text for stdout that is no listing: a path, a script, a document. */
  printText(text: string): Promise<void>;
  readonly isDryRun: boolean;
  /** The one door to a change. `--dry-run` says "Would …" (`would` follows, without a full stop) and gives undefined. */
  change<T>(would: string, work: () => T | Promise<T>): Promise<{ readonly result: T } | undefined>;
}

/** The costly things, each opened on first use. */
interface AppParts {
  /**
   * The service; undefined when none is configured. The first call decides whose quota it spends, by default a person's, and
   * whether answers are stored: then the first one makes the mirror's file.
   */
  live(priority?: Priority, options?: { readonly stores?: boolean }): Promise<LiveHandle | undefined>;
  /** The mirror for reading; undefined when there is no file. */
  mirrorIfAny(): Promise<MirrorHandle | undefined>;
  /** The mirror for writing; makes the file. */
  writable(): Promise<Mirror>;
  /** A mirror to rehearse a commit in: the mirror for writing, or an empty mirror that closes with the app. */
  rehearsal(): Promise<Mirror>;
  /** Notes in the journal that events of an answer are missing, because nobody watched; nothing where the mirror cannot be written. */
  noteUncovered(from: number, now: number): Promise<void>;
  /** Another mirror than the one of the settings; closed with the app. */
  openMirror(ask: OpenHandleOptions): Promise<Mirror>;
  /** Closes something with the app. */
  keep<Part extends Closable>(part: Part): Part;
  /** An error that nobody expected, explained by a damaged mirror where one was open. */
  explain(error: unknown): Promise<unknown>;
  close(): Promise<void>;
}

export interface LiveHandle {
  readonly client: Client;
  readonly source: Source;
  /** Opens the mirror that answers are written through to. It gives undefined while another run is writing it. */
  readonly mirror: OpenMirror | undefined;
}

interface Closable {
  close(): void | Promise<void>;
}

/** `-F` leaves at once what fits, `-R` keeps colours, `-X` leaves the text on the screen. */
const DEFAULT_PAGER = 'less -FRX';

/** Builds the app of one command, whose rows have these columns. Nothing is opened yet. @throws MacroError of kind `usage`. */
export function createApp(
  platform: Platform,
  options: Options,
  signal: AbortSignal,
  columns: readonly string[] = [],
): App {
  const isDryRun = isOn(options, 'dry-run');
  // A log on standard error decides the form of the messages between its lines.
  const isLogged = textOption(options, 'log') === '-' && textOption(options, 'log-format') !== undefined;
  let settings: Settings | undefined;
  const app: App = {
    ...openMessages(platform, {
      form: messageForm(textOption(options, isLogged ? 'log-format' : 'format')),
      quiet: isOn(options, 'quiet'),
      verbose: isOn(options, 'verbose'),
      spelled: (sentence) => withTypedService(sentence, options),
    }),
    ...createParts(platform, () => app),
    platform: isDryRun ? unchangedPlatform(platform) : platform,
    options,
    signal,
    isDryRun,
    get settings() {
      settings ??= readSettings(platform, options);
      return settings;
    },
    get today() {
      return dateOf(platform.clock.now());
    },
    async change(would, work) {
      if (!isDryRun) return { result: await work() };
      await app.say(`Would ${would}.`, 'would');
      return undefined;
    },
    // Output into a file is no change, so a dry run writes it too.
    print: (listing) => printListing(app, platform, listing),
    list: (own) => printListing(app, platform, listOwn({ columns, ...own })),
    printText: (text) => putText(app, platform, `${text.trimEnd()}\n`),
  };
  return app;
}

async function printListing(app: App, platform: Platform, listing: Listing): Promise<void> {
  const { options } = app;
  const { stdout } = platform.io;
  const target = fileOption(options);
  const toTerminal = target === undefined && stdout.isTerminal;
  const format = formatFor(app);
  const { value: fields } = app.settings.fields;
  const shape = {
    fields: options.fields === undefined ? fieldsOfSetting(listing, fields ?? []) : fields,
    sort: textOption(options, 'sort'),
    reverse: isOn(options, 'reverse'),
    style: readStyle(options, isDrawn(typedFormat(options))),
  };
  if (target !== undefined && isFileFormat(format)) {
    const { fileOf } = await import('../print/file.ts');
    const bytes = await fileOf(listing, {
      ...{ ...shape, format, now: platform.clock.now() },
      withText: isOn(options, 'with-text'),
    });
    platform.files.write(pathFor(target, platform), bytes);
    return noteWritten(app, platform, target);
  }
  const pieces = await renderPieces(listing, {
    ...shape,
    format: textFormat(format),
    header: !isOn(options, 'no-header'),
    color: target === undefined && usesColor(platform, options, stdout),
    toTerminal,
    width: toTerminal ? stdout.columns : undefined,
    height: toTerminal ? stdout.rows : undefined,
  });
  if (toTerminal) return putText(app, platform, [...pieces].join(''));
  await app.progress('');
  if (target !== undefined) {
    writePieces(target, pieces, platform);
    return noteWritten(app, platform, target);
  }
  for (const piece of pieces) await stdout.write(piece);
}

/** A person at a terminal sees that there is a file now; a script knows it by the exit code. */
async function noteWritten(app: App, { io }: Platform, target: string): Promise<void> {
  if (io.stderr.isTerminal) await app.note(`Written to ${target}.`, 'written');
}

async function putText(app: App, platform: Platform, text: string): Promise<void> {
  await app.progress('');
  const target = fileOption(app.options);
  if (target !== undefined) {
    textFormat(formatFor(app));
    return platform.files.write(pathFor(target, platform), text);
  }
  const pager = isOn(app.options, 'no-pager') ? undefined : pagerFor(text, platform);
  if (pager !== undefined && (await platform.page(pager, text))) return;
  await platform.io.stdout.write(text);
}

/** Nobody sees the file under its name before all of it is there. */
function writePieces(target: string, pieces: Iterable<string>, platform: Platform): void {
  let file: GrowingFile | undefined;
  try {
    // A refused question throws at its first text, before a file is made.
    for (const piece of pieces) {
      file ??= platform.files.grow(pathFor(target, platform));
      file.write(Buffer.from(piece));
    }
    file ??= platform.files.grow(pathFor(target, platform));
    file.finish();
  } finally {
    file?.discard();
  }
}

/** The path of a file that is to be written, in a folder that is there. @throws MacroError of kind `usage`. */
export function pathFor(target: string, { files, cwd }: Pick<Platform, 'files' | 'cwd'>): string {
  const path = resolve(cwd, target);
  if (files.exists(dirname(path))) return path;
  throw new MacroError('usage', `There is no folder ${dirname(path)}.`, { hint: 'Make it, or choose another.' });
}

/** The pager for a text longer than the terminal: `MACRO_PAGER`, `PAGER` or `less`; none for `cat` or an empty word. */
function pagerFor(text: string, { env, io }: Pick<Platform, 'env' | 'io'>): string | undefined {
  const { isTerminal, rows } = io.stdout;
  if (!isTerminal || env.TERM === 'dumb' || text.split('\n').length <= rows) return undefined;
  const command = (env.MACRO_PAGER ?? env.PAGER ?? DEFAULT_PAGER).trim();
  return command === '' || command === 'cat' ? undefined : command;
}

/** The costly parts of an app: each module is loaded and each file opened on first use, once. */
function createParts(platform: Platform, here: () => App): AppParts {
  let writing: Promise<Mirror> | undefined;
  let reading: Promise<MirrorHandle | undefined> | undefined;
  let asking: Promise<LiveHandle | undefined> | undefined;
  const opened: Closable[] = [];
  const mirrors: Mirror[] = [];
  const settings = () => here().settings;

  const open = async (ask: OpenHandleOptions) => {
    const { path, mode } = ask;
    const { openMirrorHandle } = await import('./mirror-handle.ts');
    if (mode === 'write' && !isServerAddress(path)) await prepareFile(settings().mirror, path);
    const handle = await openMirrorHandle(platform, ask).catch((error: unknown) => {
      const { value, from } = settings().mirror;
      // An address that cannot be used is named with its place.
      throw error instanceof MacroError && error.kind === 'usage' && path === value ? refusalFrom(from, error) : error;
    });
    mirrors.push(handle.mirror);
    if (mode === 'write') opened.unshift(handle.mirror);
    else parts.keep(handle.mirror);
    return handle;
  };
  /** Folders of our own are made. A place that somebody named and that is not there may be a slip, or a disk that is not mounted. */
  const prepareFile = async ({ value, from }: Settings['mirror'], path: string) => {
    const { files } = platform;
    const folder = dirname(path);
    const isNamed = path === value && from !== 'default';
    if (isNamed && !files.exists(folder))
      throw new MacroError('usage', `There is no folder ${folder} for the mirror (${from}).`, {
        code: 'bad_mirror_address',
        hint: `If it is on a disk, mount that. For a new mirror: mkdir -p ${folder}`,
      });
    if (isNamed && from !== '--mirror' && !files.exists(path))
      await here().warn(`there is no mirror at ${path} (${from}), so a new one begins`, 'mirror_begins');
    files.makeFolder(folder, 0o700);
  };
  const openToWrite = async () => (await open({ path: settings().mirror.value, mode: 'write' })).mirror;
  const openToRead = async () => {
    const path = settings().mirror.value;
    const ask = { path, mode: 'read', service: serviceOf(settings()), onUncovered: parts.noteUncovered } as const;
    return unlessAbsent(() => open(ask));
  };
  const openLive = async (priority: Priority, stores: boolean) => {
    if (settings().baseUrl.value === undefined) return undefined;
    const { createLiveHandle } = await import('./service.ts');
    // A failed copy does not fail the answer; a warning comes only if no answer can be stored at all.
    const tell = async ({ kind, message }: MacroError): Promise<undefined> => {
      if (kind !== 'busy') await here().warn(`the answer is not stored. ${message}`, 'not_kept');
    };
    let storing: Promise<Mirror | undefined> | undefined;
    const store = () => (storing ??= unlessRefused(parts.writable, tell));
    return createLiveHandle(here(), stores ? store : undefined, priority);
  };

  const parts: AppParts = {
    live: (priority = 'interactive', { stores = true } = {}) => (asking ??= openLive(priority, stores)),
    mirrorIfAny: () => (reading ??= openToRead()),
    writable: () => (writing ??= openToWrite()),
    noteUncovered: (from, now) =>
      unlessRefused(
        async () => (await import('../../source/watched-times.ts')).noteUncovered(await parts.writable(), from, now),
        () => undefined,
      ),
    async rehearsal() {
      if (await parts.mirrorIfAny()) return openToWrite();
      const folder = platform.files.makeTemporaryFolder('macro-dry-run-');
      parts.keep({ close: () => platform.files.remove(folder) });
      return (await open({ path: join(folder, 'mirror.db'), mode: 'write' })).mirror;
    },
    openMirror: async (ask) => (await open(ask)).mirror,
    keep(part) {
      opened.push(part);
      return part;
    },
    async explain(error) {
      if (error instanceof MacroError) return hasNoService(here) ? withoutService(error) : error;
      if (mirrors.length === 0) return error;
      const { explainDamage } = await import('./mirror-handle.ts');
      return explainDamage(error, mirrors, here().signal);
    },
    // Closes in reverse order, with the writing connection last: only that one moves the log into the mirror file. If
    // it is not last, the log stays, and a copy of the file alone is useless.
    async close() {
      for (const part of opened.splice(0).reverse()) await part.close();
    },
  };
  return parts;
}

/** Settings that cannot be read are no part of another error: they may name a profile that init is about to make. */
function hasNoService(here: () => App): boolean {
  try {
    return here().settings.baseUrl.value === undefined;
  } catch (error) {
    if (error instanceof MacroError) return false;
    throw error;
  }
}

/** Whether there is a mirror shows when it is opened: another program may be about to make it in an empty file. */
export function unlessAbsent<T>(open: () => Promise<T>): Promise<T | undefined> {
  return unlessRefused(open, (error) => {
    if (error.code !== 'mirror_absent') throw error;
    return undefined;
  });
}

/** The service that questions name. Whoever asks it reports an address that cannot be read. */
function serviceOf({ baseUrl: { value = '' } }: Settings): string | undefined {
  return URL.canParse(value.trim()) ? new URL(value.trim()).origin : undefined;
}

export function formatFor({ options, settings, platform }: App): Format | FileFormat {
  return chooseFormat({
    ...typedFormat(options),
    setting: settings.format.value,
    isTerminal: platform.io.stdout.isTerminal,
  });
}

/** Title, line of bars, names of columns, sentences below, and the line of the prompt. */
const LINES_AROUND_ROWS = 8;
const MIN_SCREEN_ROWS = 10;

/** Rows of a table that this terminal has room for; undefined where the output is no table on a terminal. */
export function screenRows(app: App): number | undefined {
  const { isTerminal, rows } = app.platform.io.stdout;
  // A recording is found again from any terminal.
  const isKept = ['output', 'record', 'replay'].some((name) => textOption(app.options, name) !== undefined);
  if (!isTerminal || isKept || formatFor(app) !== 'table') return undefined;
  return Math.max(MIN_SCREEN_ROWS, rows - LINES_AROUND_ROWS);
}

/** A format that is text; what makes no rows has no other. @throws MacroError of kind `usage`. */
function textFormat(format: Format | FileFormat): Format {
  if (!isFileFormat(format)) return format;
  throw new MacroError('usage', `This is no table of rows, so it cannot be written as ${format}.`, {
    code: 'unknown_format',
    hint: 'Choose another ending, such as .json.',
  });
}

/** Refuses a format or a file ending that does not exist before anything is done. */
export function checkFormat(options: Options, checksFile?: true): void {
  const typed = typedFormat(options);
  readStyle(options, isDrawn(typed));
  if (checksFile && typed.file !== undefined) return;
  chooseFormat({ ...typed, setting: undefined, isTerminal: false });
}

function typedFormat(options: Options): Pick<FormatOptions, 'chart' | 'option' | 'file'> {
  return { chart: isOn(options, 'chart'), option: textOption(options, 'format'), file: fileOption(options) };
}

/** Colours belong to terminals; `NO_COLOR` and `--no-color` take them away, `FORCE_COLOR` brings them anywhere. */
export function usesColor({ env }: Pick<Platform, 'env'>, options: Options, output: Output): boolean {
  if (isOn(options, 'no-color') || env.NO_COLOR) return false;
  if (env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== '') return true;
  return output.isTerminal && env.TERM !== 'dumb';
}

/** The file to write; undefined for stdout. */
export function fileOption(options: Options): string | undefined {
  const target = textOption(options, 'output');
  return target === '-' ? undefined : target;
}

/** Warns that the printed data is generated. No command passes synthetic data off as real. */
export function warnSynthetic(app: App, what = 'numbers'): Promise<void> {
  return app.warn(`these ${what} are generated: synthetic data, not real`, 'synthetic');
}

/** Says so of the rows of a mirror, where they are; given back are the facts that a file of such rows holds. */
export async function dataKindNote(app: App, mirror: Mirror): Promise<Readonly<Record<string, string>>> {
  const { nature } = await mirror.stamp();
  if (nature === 'synthetic') await warnSynthetic(app);
  return nature === undefined ? {} : { nature };
}
