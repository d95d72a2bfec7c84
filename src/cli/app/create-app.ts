import { dirname, join, resolve } from 'node:path';
import { dateOf } from '../../contract/time/time.ts';
import { MacroError } from '../../errors.ts';
import type { Mirror } from '../../mirror/api/mirror.ts';
import { isServerAddress } from '../../mirror/core/engine.ts';
import type { GrowingFile, Platform } from '../../platform/platform.ts';
import type { Priority } from '../../state/account.ts';
import { isOn, type Options, textOption } from '../parse/options.ts';
import { isFileFormat } from '../print/format.ts';
import { messageForm, openMessages } from '../print/messages.ts';
import { withoutService, withTypedService } from '../print/partial.ts';
import { joinedText } from '../print/piece.ts';
import { renderPieces } from '../print/render.ts';
import { keptFields } from '../print/rows.ts';
import {
  type App,
  type AppParts,
  type Closable,
  fileOption,
  formatFor,
  type LiveHandle,
  textFormat,
  usesColor,
} from './app.ts';
import { openChanges } from './changes.ts';
import type { MirrorHandle, OpenHandleOptions } from './mirror-handle.ts';
import { unchangedPlatform } from './platforms.ts';
import { readSettings, refusalFrom, type Setting, type Settings } from './settings.ts';

/** `-F` leaves at once what fits, `-R` keeps colours, `-X` leaves the text on the screen. */
const DEFAULT_PAGER = 'less -FRX';

/**
 * Builds the app of one command. Nothing is opened yet.
 * @throws MacroError of kind `usage`.
 */
export function createApp(platform: Platform, options: Options, signal: AbortSignal): App {
  const { io, files, clock, cwd } = platform;
  const parts = createParts(platform, () => app);
  const messages = openMessages(platform, {
    form: messageForm(textOption(options, 'format')),
    quiet: isOn(options, 'quiet'),
    verbose: isOn(options, 'verbose'),
    spelled: (sentence) => withTypedService(sentence, options),
  });
  const changes = openChanges(options, messages);
  let resolved: Settings | undefined;
  const put = async (text: string, target: string | undefined) => {
    await messages.progress('');
    if (target === undefined) {
      const pager = isOn(options, 'no-pager') ? undefined : pagerFor(text, platform);
      if (pager !== undefined && (await platform.page(pager, text))) return;
      return io.stdout.write(text);
    }
    textFormat(formatFor(app));
    files.write(placeFor(target), text);
  };
  const placeFor = (target: string): string => {
    const path = resolve(cwd, target);
    if (files.exists(dirname(path))) return path;
    throw new MacroError('usage', `There is no folder ${dirname(path)}.`, { hint: 'Make it, or choose another.' });
  };
  /** Nobody sees the file under its name before all of it is there. */
  const writePieces = (target: string, pieces: Iterable<string | Uint8Array>) => {
    let file: GrowingFile | undefined;
    try {
      // What is refused is refused before a file is made.
      for (const piece of pieces) {
        file ??= files.grow(placeFor(target));
        file.write(typeof piece === 'string' ? Buffer.from(piece) : piece);
      }
      file ??= files.grow(placeFor(target));
      file.finish();
    } finally {
      file?.discard();
    }
  };
  const app: App = {
    ...messages,
    ...parts,
    ...changes,
    platform: changes.isDryRun ? unchangedPlatform(platform) : platform,
    options,
    signal,
    get settings() {
      resolved ??= readSettings(platform, options);
      return resolved;
    },
    get today() {
      return dateOf(clock.now());
    },
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
        const { fileOf } = await import('../print/files/file.ts');
        files.write(placeFor(target), await fileOf(listing, { ...shape, format, now: clock.now() }));
        return;
      }
      const pieces = await renderPieces(listing, {
        ...shape,
        format: textFormat(format),
        header: !isOn(options, 'no-header'),
        color: target === undefined && usesColor(platform, options, io.stdout),
        toTerminal,
        width: toTerminal ? io.stdout.columns : undefined,
      });
      if (toTerminal) return put(joinedText(pieces), target);
      await messages.progress('');
      if (target !== undefined) return writePieces(target, pieces);
      for (const piece of pieces) await io.stdout.write(piece);
    },
    printText: (text) => put(`${text.trimEnd()}\n`, fileOption(options)),
  };
  return app;
}

/**
 * The command that shows a text which is longer than the screen: `MACRO_PAGER`, else `PAGER`, else `less`. Undefined where
 * the text fits, where stdout is no terminal, and for an empty word or `cat`.
 */
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
    if (mode === 'write' && !isServerAddress(path)) platform.files.makeFolder(dirname(path), 0o700);
    const handle = await openMirrorHandle(platform, ask).catch((error: unknown) => {
      throw namedBy(settings().mirror, path, error);
    });
    mirrors.push(handle.mirror);
    if (mode === 'write') opened.unshift(handle.mirror);
    else parts.keep(handle.mirror);
    return handle;
  };
  const openToWrite = async () => (await open({ path: settings().mirror.value, mode: 'write' })).mirror;
  const openToRead = async () => {
    const path = settings().mirror.value;
    return unlessAbsent(open({ path, mode: 'read', onUnwatched: parts.noteUnwatched }));
  };
  const openLive = async (priority: Priority) => {
    if (settings().baseUrl.value === undefined) return undefined;
    const { createLiveHandle } = await import('./service.ts');
    return createLiveHandle(here(), await unlessUnusable(parts.writable(), here().warn), priority);
  };

  const parts: AppParts = {
    live: (priority = 'interactive') => (asking ??= openLive(priority)),
    mirrorIfAny: () => (reading ??= openToRead()),
    writable: () => (writing ??= openToWrite()),
    async noteUnwatched(from, now) {
      try {
        const { noteUnwatched } = await import('../../source/coverage/unwatched.ts');
        await noteUnwatched(await parts.writable(), from, now);
      } catch (error) {
        if (!(error instanceof MacroError)) throw error;
      }
    },
    async rehearsal() {
      if (await parts.mirrorIfAny()) return (await open({ path: settings().mirror.value, mode: 'write' })).mirror;
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
      if (error instanceof MacroError && hasNoService(here)) return withoutService(error);
      if (error instanceof MacroError || mirrors.length === 0) return error;
      const { explainDamage } = await import('./explain-damage.ts');
      return explainDamage(error, mirrors, here().signal);
    },
    // Backwards, and what may write at the very end: only a connection that may write takes the log into the mirror file,
    // and when it is not the last one, the log stays, and a copy of the file alone is a copy of nothing.
    async close() {
      for (const part of opened.splice(0).reverse()) part.close();
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
async function unlessAbsent(opening: Promise<MirrorHandle>): Promise<MirrorHandle | undefined> {
  try {
    return await opening;
  } catch (error) {
    if (error instanceof MacroError && error.code === 'mirror_absent') return undefined;
    throw error;
  }
}

/** An address that cannot be taken is told with where it stands. */
function namedBy(mirror: Setting<string>, path: string, error: unknown): unknown {
  const isRefused = error instanceof MacroError && error.kind === 'usage' && path === mirror.value;
  return isRefused ? refusalFrom(mirror.from, error) : error;
}

/**
 * An answer is worth more than its copy. While another run writes the mirror, answers are not kept, which passes; where they
 * cannot be kept at all, a person is told.
 */
async function unlessUnusable(opening: Promise<Mirror>, warn: App['warn']): Promise<Mirror | undefined> {
  try {
    return await opening;
  } catch (error) {
    if (!(error instanceof MacroError)) throw error;
    if (error.kind !== 'busy') await warn(`the answer is not kept. ${error.message}`, 'not_kept');
    return undefined;
  }
}
