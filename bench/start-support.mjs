// What the rows about a start share: the built program and an empty Node, run in turn as processes of their own.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { euroRates } from './euro-rates.mjs';
import { alternate, benchFolder, medianTime, WATCHED } from './support.mjs';

const project = join(benchFolder, '..');
export const program = join(project, 'bin', 'macro.js');

/** Builds the program as it is now. */
export function buildProgram() {
  run([join(project, 'scripts', 'build.mjs')], process.env);
}

/** Builds the single executable below `home`, and tells its folder. */
export function buildExecutable(home) {
  const folder = join(home, 'executable');
  run([join(project, 'scripts', 'executable.mjs'), folder], process.env);
  return folder;
}

/** `macro ...` compared with `node -e 0`, under the same Node. */
export async function startRatio(words, home) {
  const env = environment(home);
  const compared = await alternate({
    ours: () => run([program, ...words], env),
    theirs: () => run(['-e', '0'], env),
    rounds: 31,
    warmUps: 3,
  });
  return { ...compared, detail: `${compared.ours.toFixed(1)} ms against ${compared.theirs.toFixed(1)} ms` };
}

/** The median milliseconds of `macro ...` as a process. */
export function processTime(words, home) {
  return medianTime(() => run([program, ...words], environment(home)), { rounds: 11, warmUps: 2 });
}

/** Most memory of `macro ...` above that of `node -e 0`, in megabytes: the worst of several processes. */
export function extraMegabytes(words, home) {
  const most = (rest) => Math.max(...Array.from({ length: 5 }, () => megabytes(rest, home)));
  return most([program, ...words]) - most(['-e', '0']);
}

/** Most memory of one `macro ...`, in megabytes. */
export function megabytesOf(words, home) {
  return megabytes([program, ...words], home);
}

function megabytes(args, home) {
  return Number(run([...WATCHED, ...args], environment(home)).output[3]) / 1024;
}

/** Calls `work` with a home of the program; what is in it is removed. */
export async function withHome(work) {
  buildProgram();
  const home = mkdtempSync(join(tmpdir(), 'macro-bench-'));
  try {
    return await work(home);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** A home whose mirror holds 27 years of euro rates. */
export function withRates(work) {
  return withHome(async (home) => {
    run([program, 'import', 'ecb', euroRates().path], environment(home));
    return work(home);
  });
}

/** The environment of a program whose home is `home`. Extra certificates alone cost more than the start of the program. */
export function environment(home) {
  const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;
  return { ...env, MACRO_HOME: home, NO_COLOR: '1' };
}

function run(args, env) {
  const child = spawnSync(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe', 'pipe'] });
  if (child.status !== 0) throw new Error(`node ${args.join(' ')} failed: ${child.stderr}`);
  return child;
}
