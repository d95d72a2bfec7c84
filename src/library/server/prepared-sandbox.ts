import { hash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { zstdDecompressSync } from 'node:zlib';
import { dateOf } from '../../contract/time/time.ts';
import { MAPPINGS } from '../../endpoints/index.ts';
import { MacroError } from '../../errors.ts';
import { openMirror } from '../../mirror/sqlite/open.ts';
import type { Platform } from '../../platform/platform.ts';
import { fillSandbox } from '../../sandbox/fill.ts';
import { SANDBOX_SEED } from '../../sandbox/open.ts';

/** The day of the data set that the package carries: a Monday, in milliseconds. */
export const PREPARED_DAY = Date.parse('2026-07-06T00:00:00Z');

/** Beside the bundle of the library; scripts/pack-sandbox.mjs makes it. */
const PACKED = 'sandbox.db.zst';

/** Bytes of the file unpacked, at most. */
const MAX_BYTES = 256 * 1024 * 1024;

/** Puts the data set of the day of `now` (milliseconds) at a path. That of another day than the prepared one is made, which takes seconds. */
export async function placeSandbox(platform: Platform, path: string, now: number): Promise<void> {
  const packed = join(dirname(fileURLToPath(import.meta.url)), PACKED);
  if (dateOf(now) === dateOf(PREPARED_DAY) && platform.files.exists(packed)) placePrepared(platform, packed, path);
  else await makeSandbox(platform, path, now);
}

/** Fills a new file. */
export async function makeSandbox(platform: Platform, path: string, now: number): Promise<void> {
  const mirror = await openMirror({ path, mappings: MAPPINGS, platform, mode: 'write' });
  try {
    await fillSandbox({ mirror, seed: SANDBOX_SEED, now, size: 'small' });
  } finally {
    mirror.close();
  }
}

/** The unpacked file is kept from one start to the next, named by its content; a copy of it is faster than unpacking. */
function placePrepared(platform: Platform, packed: string, path: string): void {
  const { files } = platform;
  const bytes = files.readBytes(packed);
  const folder = join(platform.env.XDG_CACHE_HOME || join(platform.home, '.cache'), 'macro-data', 'sandbox');
  const kept = join(folder, `${hash('sha256', bytes, 'hex').slice(0, 16)}.db`);
  const whole = files.exists(kept) ? undefined : zstdDecompressSync(bytes, { maxOutputLength: MAX_BYTES });
  if (whole && !keep(platform, { folder, kept, whole })) files.write(path, whole, 0o600);
  else files.copy(kept, path);
}

/** False where this user can keep nothing. Files of other versions go. */
function keep(
  { files }: Platform,
  { folder, kept, whole }: { folder: string; kept: string; whole: Uint8Array },
): boolean {
  try {
    files.makeFolder(folder, 0o700);
    for (const name of files.list(folder)) if (name.endsWith('.db')) files.remove(join(folder, name));
    files.write(kept, whole, 0o600);
    return true;
  } catch (error) {
    if (error instanceof MacroError) return false;
    throw error;
  }
}
