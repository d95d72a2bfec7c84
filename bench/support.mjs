// What the rows of the bench share.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

export const benchFolder = dirname(fileURLToPath(import.meta.url));

/** Exports of a source file, bundled the way releases are: `loadSource('src/derive/decimal.ts')`. */
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
 * Runs `ours` and `theirs` in turn, so that whatever else the machine does hits both, and compares the milliseconds that they
 * take. Both may be async.
 */
export function alternate({ ours, theirs, ...turns }) {
  return inTurn({ ours: () => time(ours), theirs: () => time(theirs), ...turns });
}

/** The same for two that measure themselves. */
export async function inTurn({ ours, theirs, rounds = 41, warmUps = 10 }) {
  const told = { ours: [], theirs: [] };
  for (let round = -warmUps; round < rounds; round += 1) {
    const [a, b] = [await ours(), await theirs()];
    if (round < 0) continue;
    told.ours.push(a);
    told.theirs.push(b);
  }
  return comparisonOf(told.ours, told.theirs);
}

/**
 * What was measured in turn: both medians, their ratio, and the spread, between whose two ends the middle half of the ratios of
 * single turns lies.
 */
export function comparisonOf(ours, theirs) {
  const ratios = ours.map((value, turn) => value / theirs[turn]).sort((a, b) => a - b);
  const at = (share) => ratios[Math.round((ratios.length - 1) * share)];
  const [own, other] = [median(ours), median(theirs)];
  return { ours: own, theirs: other, ratio: own / other, spread: [at(0.25), at(0.75)] };
}

export function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

/** The median milliseconds of some work, which may be async. */
export async function medianTime(work, { rounds = 41, warmUps = 5 } = {}) {
  const times = [];
  for (let round = -warmUps; round < rounds; round += 1) {
    const took = await time(work);
    if (round >= 0) times.push(took);
  }
  return median(times);
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

/**
 * Words for Node: the process tells the most memory that it held, in kilobytes, on channel 3. What the system calls `maxrss`
 * counts the parent's too.
 */
export const WATCHED = [
  '--import',
  `data:text/javascript,process.on('exit',()=>{const fs=process.getBuiltinModule('node:fs');fs.writeSync(3,/VmHWM:\\s*(\\d+)/.exec(fs.readFileSync('/proc/self/status','utf8'))[1])})`,
];
