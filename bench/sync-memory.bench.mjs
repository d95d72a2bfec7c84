// The most memory that a process holds which syncs 30 histories of 20 years, 219,000 rows, and does nothing else. What ten
// of them take stands beside it: the length of the history must not matter. Bundled, as the program is: a runtime that
// strips types holds tens of megabytes for that.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { withFiles } from './mirror-support.mjs';
import { benchFolder, WATCHED } from './support.mjs';

const GOAL_MEGABYTES = 200;
const SHORT = 10;
const LONG = 30;

const REQUIRE = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";

/** Calls `work` with the path of the bundled child; it is removed afterwards. */
async function withBundle(work) {
  // Inside the project, because the native part of better-sqlite3 is found from there only.
  const folder = mkdtempSync(join(benchFolder, '..', 'node_modules', '.macro-bench-'));
  try {
    const outfile = join(folder, 'child.mjs');
    const entryPoints = [join(benchFolder, 'sync-memory-child.mjs')];
    const shape = { bundle: true, platform: 'node', format: 'esm', external: ['better-sqlite3'] };
    await build({ ...shape, entryPoints, outfile, banner: { js: REQUIRE }, logLevel: 'silent' });
    return await work(outfile);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function megabytesOf(bundle, path, histories) {
  const options = { encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe', 'pipe'] };
  const child = spawnSync(process.execPath, [...WATCHED, bundle, path, String(histories)], options);
  if (child.status !== 0) throw new Error(`the sync failed: ${child.stderr}`);
  return Number(child.output[3]) / 1024;
}

export default {
  name: `sync: memory for 219,000 rows, vs ${GOAL_MEGABYTES} MB`,
  goal: 1,
  run: () =>
    withBundle((bundle) =>
      withFiles(async (path) => {
        const [short, long] = [SHORT, LONG].map((histories) => megabytesOf(bundle, path(), histories));
        const detail = `${long.toFixed(0)} MB, ${short.toFixed(0)} MB for a third of it`;
        return { ratio: Math.max(short, long) / GOAL_MEGABYTES, detail };
      }),
    ),
};
