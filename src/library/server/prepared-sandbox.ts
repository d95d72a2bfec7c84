import { hash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { dateOf } from '../../contract/time/time.ts';
import { MAPPINGS } from '../../endpoints/index.ts';
import { MacroError } from '../../errors.ts';
import { openMirror } from '../../mirror/sqlite/open.ts';
import type { Platform } from '../../platform/platform.ts';
import { fillSandbox } from '../../sandbox/fill.ts';
import { SANDBOX_SEED } from '../../sandbox/open.ts';

/** The day of the data set that is cached after its first use: a Monday, in milliseconds. */
export const PREPARED_DAY = Date.parse('2026-07-06T00:00:00Z');

/** Puts the data set of the day of `now` (milliseconds) at a path. Filling one is slow, copying the cached one fast. */
export async function placeSandbox(platform: Platform, path: string, now: number): Promise<void> {
  if (dateOf(now) !== dateOf(PREPARED_DAY)) return makeSandbox(platform, path, now);
  const { files } = platform;
  const folder = join(platform.env.XDG_CACHE_HOME || join(platform.home, '.cache'), 'macro-data', 'sandbox');
  const kept = `${contentOfLibrary(platform)}.db`;
  if (files.exists(join(folder, kept))) return files.copy(join(folder, kept), path);
  // Whoever fills it, and whenever: the same rows.
  const clock = { ...platform.clock, now: () => PREPARED_DAY };
  const random = { ...platform.random, bytes: (count: number) => new Uint8Array(count) };
  await makeSandbox({ ...platform, clock, random }, path, now);
  keep(platform, folder, kept, path);
}

/** Fills a new file. */
async function makeSandbox(platform: Platform, path: string, now: number): Promise<void> {
  const mirror = await openMirror({ path, mappings: MAPPINGS, platform, mode: 'write' });
  try {
    await fillSandbox({ mirror, seed: SANDBOX_SEED, now, size: 'small' });
  } finally {
    mirror.close();
  }
}

/** The files of the library have names that follow from their content: other code may fill in other rows. */
function contentOfLibrary({ files }: Platform): string {
  return hash('sha256', files.list(dirname(fileURLToPath(import.meta.url))).join(), 'hex').slice(0, 16);
}

/** Where this user can keep nothing, each start fills its own. Files of other versions go. */
function keep({ files }: Platform, folder: string, kept: string, path: string): void {
  try {
    files.makeFolder(folder, 0o700);
    for (const name of files.list(folder)) if (name.endsWith('.db') && name !== kept) files.remove(join(folder, name));
    files.write(join(folder, kept), files.readBytes(path), 0o600);
  } catch (error) {
    if (!(error instanceof MacroError)) throw error;
  }
}
