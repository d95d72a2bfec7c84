import { execFileSync, type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

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
    rmdirSync(LOCK);
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

/** False when somebody else builds. A lock that a killed run left behind is taken over. */
function takeLock(): boolean {
  try {
    mkdirSync(LOCK);
    return true;
  } catch {
    const age = Date.now() - (statSync(LOCK, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > 60_000) rmdirSync(LOCK);
    return false;
  }
}
