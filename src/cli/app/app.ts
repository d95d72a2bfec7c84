import { dirname, resolve } from 'node:path';
import type { Client } from '../../client/client.ts';
import { dateOf } from '../../contract/time/time.ts';
import { MacroError } from '../../errors.ts';
import type { Mirror } from '../../mirror/api/mirror.ts';
import type { Output, Platform } from '../../platform/platform.ts';
import type { Source } from '../../source/source.ts';
import type { Priority } from '../../state/account.ts';
import { isOn, type Options, textOption } from '../commands/command.ts';
import { messageForm } from '../messages/message.ts';
import { type Messages, openMessages } from '../messages/messages.ts';
import { keptFields } from '../output/fields.ts';
import { chooseFormat, type FileFormat, type Format, isFileFormat } from '../output/format.ts';
import type { Listing } from '../output/listing.ts';
import { renderListing } from '../output/render.ts';
import { type Closable, createParts } from './app-parts.ts';
import type { OpenHandleOptions } from './mirror-handle.ts';
import { readSettings, type Settings } from './settings/settings.ts';

/** What every command is handed: the world, what was asked for, and costly things that open on first use. */
export interface App extends Messages {
  readonly platform: Platform;
  readonly options: Options;
  /** Aborted when the person or the system wants an end. */
  readonly signal: AbortSignal;
  /** Resolved on first use; a command that only repairs settings never asks. */
  readonly settings: Settings;
  /** UTC date. */
  readonly today: string;
  /** The service; undefined when none is configured. The first call decides whose quota it spends: a person's is the default. */
  live(priority?: Priority): Promise<LiveHandle | undefined>;
  /** The mirror for reading; undefined when there is no file. */
  held(): Promise<MirrorHandle | undefined>;
  /** The mirror for writing; makes the file. */
  writable(): Promise<Mirror>;
  /** Notes in the journal that an answer lacks events that nobody watched for. */
  noteUnwatched(from: number, now: number): Promise<void>;
  /** Another mirror than the one of the settings; closed with the app. */
  openMirror(ask: OpenHandleOptions): Promise<Mirror>;
  /** Closes something with the app. */
  keep<Part extends Closable>(part: Part): Part;
  /** The only door to stdout for rows. */
  print(listing: Listing): Promise<void>;
  /** Text for stdout that is no listing: a path, a script, a document. */
  printText(text: string): Promise<void>;
  /** An error that nobody expected, explained by a damaged mirror where one was open. */
  explain(error: unknown): Promise<unknown>;
  close(): Promise<void>;
}

export interface LiveHandle {
  readonly client: Client;
  readonly source: Source;
  /** The mirror that answers are written through to; undefined when another run is writing it. */
  readonly mirror: Mirror | undefined;
}

export interface MirrorHandle {
  readonly mirror: Mirror;
  readonly source: Source;
}

/** Builds the app of one command. Nothing is opened yet. */
export function createApp(platform: Platform, options: Options, signal: AbortSignal): App {
  const { io, files, clock, cwd } = platform;
  const parts = createParts(platform, () => app);
  const messages = openMessages(platform, {
    form: messageForm(textOption(options, 'format')),
    quiet: isOn(options, 'quiet'),
    verbose: isOn(options, 'verbose'),
  });
  let resolved: Settings | undefined;
  const put = async (text: string, target: string | undefined) => {
    await messages.progress('');
    if (target === undefined) return io.stdout.write(text);
    textFormat(formatFor(app));
    files.write(placeFor(target), text);
  };
  const placeFor = (target: string): string => {
    const path = resolve(cwd, target);
    if (files.exists(dirname(path))) return path;
    throw new MacroError('usage', `There is no folder ${dirname(path)}.`, { hint: 'Make it, or choose another.' });
  };
  const app: App = {
    ...messages,
    platform,
    options,
    signal,
    get settings() {
      resolved ??= readSettings(platform, options);
      return resolved;
    },
    get today() {
      return dateOf(clock.now());
    },
    live: parts.live,
    held: parts.held,
    writable: parts.writable,
    noteUnwatched: parts.noteUnwatched,
    openMirror: parts.openMirror,
    keep: parts.keep,
    async print(listing) {
      const target = fileOption(options);
      const toTerminal = target === undefined && io.stdout.isTerminal;
      const format = formatFor(app);
      const { value: fields } = app.settings.fields;
      const shape = {
        fields: options.fields === undefined ? keptFields(listing, fields ?? []) : fields,
        sort: textOption(options, 'sort'),
        reverse: isOn(options, 'reverse'),
      };
      if (target !== undefined && isFileFormat(format)) {
        const { fileOf } = await import('../output/files/file.ts');
        files.write(placeFor(target), await fileOf(listing, { ...shape, format, now: clock.now() }));
        return;
      }
      const text = await renderListing(listing, {
        ...shape,
        format: textFormat(format),
        header: !isOn(options, 'no-header'),
        color: target === undefined && usesColor(platform, options, io.stdout),
        toTerminal,
        width: toTerminal ? io.stdout.columns : undefined,
      });
      await put(text, target);
    },
    printText: (text) => put(`${text.trimEnd()}\n`, fileOption(options)),
    explain: parts.explain,
    close: parts.close,
  };
  return app;
}

/** The format of this command's output. */
export function formatFor(app: App): Format | FileFormat {
  const option = textOption(app.options, 'format');
  const { value: setting } = app.settings.format;
  return chooseFormat({
    chart: isOn(app.options, 'chart'),
    option,
    file: fileOption(app.options),
    setting: option === undefined ? setting : undefined,
    isTerminal: app.platform.io.stdout.isTerminal,
  });
}

/** A format that is text; what makes no rows has no other. */
function textFormat(format: Format | FileFormat): Format {
  if (!isFileFormat(format)) return format;
  throw new MacroError('usage', `This is no table of rows, so it cannot be written as ${format}.`, {
    code: 'unknown_format',
    hint: 'Choose another ending, such as .json.',
  });
}

/** Refuses a format or a file ending that does not exist before anything is done. */
export function checkFormat(options: Options, checkFile?: (file: string) => void): void {
  const option = textOption(options, 'format');
  const chart = isOn(options, 'chart');
  const file = fileOption(options);
  if (checkFile && file !== undefined) checkFile(file);
  else chooseFormat({ chart, option, file, setting: undefined, isTerminal: false });
}

/** Colours belong to terminals; `NO_COLOR` and `--no-color` take them away, `FORCE_COLOR` brings them anywhere. */
export function usesColor({ env }: Pick<Platform, 'env'>, options: Options, output: Output): boolean {
  if (isOn(options, 'no-color') || env.NO_COLOR) return false;
  if (env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== '') return true;
  return output.isTerminal && env.TERM !== 'dumb';
}

/** The file to write; undefined for stdout. */
function fileOption(options: Options): string | undefined {
  const target = textOption(options, 'output');
  return target === '-' ? undefined : target;
}
