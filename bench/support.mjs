// What the rows of the bench share.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

export const benchFolder = dirname(fileURLToPath(import.meta.url));

/** Exports of a source file, bundled the way releases are: `loadSource('src/derive/round.ts')`. */
export async function loadSource(path) {
  const folder = mkdtempSync(join(tmpdir(), 'macro-bench-'));
  try {
    const outfile = join(folder, 'bundle.mjs');
    await build({
      absWorkingDir: join(benchFolder, '..'),
      entryPoints: [path],
      outfile,
      bundle: true,
      platform: 'node',
      target: 'node22',
      format: 'esm',
      minifySyntax: true,
      external: ['better-sqlite3'],
      logLevel: 'silent',
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Runs `ours` and `theirs` in turn, so that whatever else the machine does hits both, and answers their medians in
 * milliseconds and the ratio of these. Both may be async.
 */
export async function alternate({ ours, theirs, ...turns }) {
  const [oursMs, theirsMs] = await medians({ ours: () => time(ours), theirs: () => time(theirs), ...turns });
  return { oursMs, theirsMs, ratio: oursMs / theirsMs };
}

/** The same for two that measure themselves: the medians of what they answer. */
export async function medians({ ours, theirs, rounds = 41, warmUps = 10 }) {
  const told = { ours: [], theirs: [] };
  for (let round = -warmUps; round < rounds; round += 1) {
    const [a, b] = [await ours(), await theirs()];
    if (round < 0) continue;
    told.ours.push(a);
    told.theirs.push(b);
  }
  return [median(told.ours), median(told.theirs)];
}

/** Numbers in [0, 1) that are the same in every run. */
export function seeded(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

async function time(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}
