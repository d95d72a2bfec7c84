import type { Client } from '../../client/client.ts';
import { MacroError } from '../../errors.ts';
import type { Mirror } from '../../mirror/api/mirror.ts';
import type { Output, Platform } from '../../platform/platform.ts';
import type { Source } from '../../source/source.ts';
import type { Priority } from '../../state/account.ts';
import { isOn, type Options, textOption } from '../parse/options.ts';
import { chooseFormat, type FileFormat, type Format, isFileFormat } from '../print/format.ts';
import type { Listing } from '../print/listing.ts';
import type { Messages } from '../print/messages.ts';
import type { Changes } from './changes.ts';
import type { MirrorHandle, OpenHandleOptions } from './mirror-handle.ts';
import type { Settings } from './settings.ts';

/** What every command is handed: the world, what was asked for, and costly things that open on first use. */
export interface App extends Messages, AppParts, Changes {
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
  /** Text for stdout that is no listing: a path, a script, a document. */
  printText(text: string): Promise<void>;
}

/** The costly things, each opened on first use. */
export interface AppParts {
  /** The service; undefined when none is configured. The first call decides whose quota it spends: a person's is the default. */
  live(priority?: Priority): Promise<LiveHandle | undefined>;
  /** The mirror for reading; undefined when there is no file. */
  mirrorIfAny(): Promise<MirrorHandle | undefined>;
  /** The mirror for writing; makes the file. */
  writable(): Promise<Mirror>;
  /** A mirror in which a commit can be rehearsed: the one for writing, or an empty one that goes with the app. */
  rehearsal(): Promise<Mirror>;
  /** Notes in the journal that an answer lacks events that nobody watched for; nothing where the mirror cannot be written. */
  noteUnwatched(from: number, now: number): Promise<void>;
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
  /** The mirror that answers are written through to; undefined when another run is writing it. */
  readonly mirror: Mirror | undefined;
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

/**
 * A format that is text; what makes no rows has no other.
 * @throws MacroError of kind `usage`.
 */
export function textFormat(format: Format | FileFormat): Format {
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
export function fileOption(options: Options): string | undefined {
  const target = textOption(options, 'output');
  return target === '-' ? undefined : target;
}

/** Something that is open until the app is closed. */
export interface Closable {
  close(): void;
}

/** Says that what is printed was generated. Nothing synthetic passes for real, whichever command prints it. */
export function warnSynthetic(app: App, what = 'numbers'): Promise<void> {
  return app.warn(`these ${what} are generated: synthetic data, not real`, 'synthetic');
}

/** Says so of the rows of a mirror, where they are; given back are the facts that a file of such rows holds. */
export async function dataKindNote(app: App, mirror: Mirror): Promise<Readonly<Record<string, string>>> {
  const { nature } = await mirror.stamp();
  if (nature === 'synthetic') await warnSynthetic(app);
  return nature === undefined ? {} : { nature };
}
