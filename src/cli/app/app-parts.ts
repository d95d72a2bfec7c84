import { dirname, join } from 'node:path';
import { MacroError } from '../../errors.ts';
import type { Mirror } from '../../mirror/api/mirror.ts';
import { isServerAddress } from '../../mirror/core/engine.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Priority } from '../../state/account.ts';
import { withoutService } from '../messages/no-service.ts';
import type { App, AppParts, Closable, LiveHandle } from './app.ts';
import type { MirrorHandle, OpenHandleOptions } from './mirror-handle.ts';
import { refusalFrom, type Setting } from './settings/setting.ts';

/** The costly parts of an app: each module is loaded and each file opened on first use, once. */
export function createParts(platform: Platform, here: () => App): AppParts {
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
    const { createLiveHandle } = await import('./live-handle.ts');
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
