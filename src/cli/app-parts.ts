import { dirname } from 'node:path';
import { MacroError } from '../errors.ts';
import type { Mirror } from '../mirror/mirror.ts';
import type { Platform } from '../platform/platform.ts';
import type { LiveSide, MirrorSide } from './app.ts';
import type { Settings } from './settings/settings.ts';

export interface AppParts {
  live(): Promise<LiveSide | undefined>;
  held(): Promise<MirrorSide | undefined>;
  writable(): Promise<Mirror>;
  openMirror(path: string, mode: 'read' | 'write'): Promise<Mirror>;
  close(): Promise<void>;
}

/** The costly parts of an app: each module is loaded and each file opened on first use, once. */
export function createParts(platform: Platform, settings: () => Settings): AppParts {
  let writing: Promise<Mirror> | undefined;
  let reading: Promise<MirrorSide | undefined> | undefined;
  let asking: Promise<LiveSide | undefined> | undefined;
  const opened: Mirror[] = [];

  const open = async (path: string, mode: 'read' | 'write') => {
    const { openSide } = await import('./mirror-side.ts');
    if (mode === 'write') platform.files.makeFolder(dirname(path), 0o700);
    const side = await openSide(platform, path, mode).catch((error: unknown) => {
      throw explainUnusable(platform, path, error);
    });
    opened.push(side.mirror);
    return side;
  };
  const openToWrite = async () => (await open(settings().mirror.value, 'write')).mirror;
  const openToRead = async () => {
    const path = settings().mirror.value;
    return platform.files.exists(path) ? open(path, 'read') : undefined;
  };
  const openLive = async () => {
    if (settings().baseUrl.value === undefined) return undefined;
    const { createLiveSide } = await import('./live-side.ts');
    return createLiveSide(platform, settings(), await unlessBusy(parts.writable()));
  };

  const parts: AppParts = {
    live: () => (asking ??= openLive()),
    held: () => (reading ??= openToRead()),
    writable: () => (writing ??= openToWrite()),
    openMirror: async (path, mode) => (await open(path, mode)).mirror,
    async close() {
      for (const mirror of opened.splice(0)) mirror.close();
    },
  };
  return parts;
}

/** What the disk says about a file that the database could not open, where that tells more. */
function explainUnusable({ files }: Platform, path: string, error: unknown): unknown {
  if (!(error instanceof MacroError) || error.code !== 'mirror_unusable') return error;
  if (isFolder(files, path))
    return new MacroError('mirror', `${path} is a folder, not a mirror.`, {
      code: 'mirror_unusable',
      hint: 'Name a file in it with --mirror, such as --mirror rates.db.',
      cause: error,
    });
  if (((files.mode(path) ?? 0o200) & 0o200) !== 0) return error;
  return new MacroError('mirror', `The mirror ${path} is read-only, and reading it makes a file beside it.`, {
    code: 'mirror_unusable',
    hint: `Let its folder be written, or copy it elsewhere and name the copy with --mirror.`,
    cause: error,
  });
}

function isFolder(files: Platform['files'], path: string): boolean {
  try {
    files.list(path);
    return true;
  } catch {
    return false;
  }
}

/** An answer is worth more than its copy: while another run writes the mirror, answers are not kept. */
async function unlessBusy(opening: Promise<Mirror>): Promise<Mirror | undefined> {
  try {
    return await opening;
  } catch (error) {
    if (error instanceof MacroError && error.kind === 'busy') return undefined;
    throw error;
  }
}
