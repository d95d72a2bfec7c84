import { join } from 'node:path';
import { MAPPINGS } from '../endpoints/index.ts';
import { openMirror } from '../mirror/sqlite/open.ts';
import type { Platform } from '../platform/platform.ts';
import { fillSandbox, isFilled, type SandboxReport } from './fill.ts';
import type { SandboxSize } from './world.ts';

/** The data set that is meant when nobody says which. */
export const SANDBOX_SEED = 1;

/** The file of a served sandbox, which no profile can have: syncing from it writes another file. */
export const SANDBOX_FILE = '_served-sandbox.db';

export interface OpenSandboxOptions {
  readonly platform: Pick<Platform, 'clock' | 'random' | 'files'>;
  /** Folder of the mirror file from day to day; a new temporary folder when left out. */
  readonly folder?: string;
  readonly seed?: number;
  /** Milliseconds; the data set is that of this UTC day. */
  readonly now: number;
  readonly size?: SandboxSize;
  readonly onProgress?: (report: SandboxReport) => void;
}

/** A mirror file with the whole data set. */
export interface OpenedSandbox {
  readonly path: string;
  /** The written rows; undefined if the file had the day's data set already. */
  readonly filled: SandboxReport | undefined;
}

/** Finds or makes the mirror file of the sandbox in a folder, and fills it if the day's data set is missing. */
export async function openSandbox(options: OpenSandboxOptions): Promise<OpenedSandbox> {
  const { platform, seed = SANDBOX_SEED, now, size = 'full', onProgress } = options;
  const folder = options.folder ?? platform.files.makeTemporaryFolder('macro-sandbox-');
  const path = join(folder, SANDBOX_FILE);
  const mirror = await openMirror({ path, mappings: MAPPINGS, platform, mode: 'write' });
  try {
    const wanted = { mirror, seed, now, size };
    if (await isFilled(wanted)) return { path, filled: undefined };
    return { path, filled: await fillSandbox({ ...wanted, ...(onProgress && { onProgress }) }) };
  } finally {
    mirror.close();
  }
}
