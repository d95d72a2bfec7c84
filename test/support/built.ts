import { execFileSync, type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive } from './alive.ts';

const root = join(import.meta.dirname, '../..');
export const PROGRAM = join(root, 'bin', 'macro.js');
/** What a build puts in place. */
const BUILT = [join(root, 'lib', 'index.js'), join(root, 'dist', 'main.js')];
const LOCK = join(root, 'node_modules', '.macro-building');

/** Builds the program when a source is newer than the build; of several test files only one builds. */
export async function ensureBuilt(): Promise<void> {
  for (;;) {
    if (isFresh()) return;
    if (takeLock()) break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  try {
    if (!isFresh()) execFileSync(process.execPath, [join(root, 'scripts', 'build.mjs')]);
  } finally {
    rmSync(LOCK, { force: true });
  }
}

/** Runs the real program in a process of its own. */
export function runBuilt(words: readonly string[], env: Record<string, string>, input = ''): SpawnSyncReturns<string> {
  const { PATH = '' } = process.env;
  return spawnSync(process.execPath, [PROGRAM, ...words], { env: { PATH, ...env }, input, encoding: 'utf8' });
}

function isFresh(): boolean {
  const built = Math.min(...BUILT.map((path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0));
  return [join(root, 'src'), join(root, 'scripts')].every((folder) => newest(folder) <= built);
}

function newest(folder: string): number {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Math.max(...entries.map((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs));
}

/** False when somebody else builds, however long that takes. A lock that a killed run left behind is taken over. */
function takeLock(): boolean {
  try {
    writeFileSync(LOCK, String(process.pid), { flag: 'wx' });
    return true;
  } catch {
    const holder = lockHolder();
    if (holder > 0 && !isAlive(holder)) rmSync(LOCK, { force: true });
    return false;
  }
}

/** Number of the process; 0 where the lock is being taken or was just given back. */
function lockHolder(): number {
  try {
    return Number(readFileSync(LOCK, 'utf8'));
  } catch {
    return 0;
  }
}
