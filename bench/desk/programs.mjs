// Programs of a desk: each is started, killed and started again under its name, and all of them end with the run.
import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { benchFolder } from '../support.mjs';

const MACRO = join(benchFolder, '..', 'bin', 'macro.js');
const running = new Set();

export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

process.on('exit', () => {
  for (const child of running) signal(child, 'SIGKILL');
});

/** Every program leads a group of its own: what it started ends with it. */
function signal({ pid }, name) {
  try {
    process.kill(-pid, name);
  } catch {
    // It is over.
  }
}

/** Starts a program; `log` names its file in the folder of the run. `user`: uid and gid. */
export function start(words, { folder, log, env = {}, user = {}, cwd = folder }) {
  const [file, ...args] = words;
  const { PATH, LANG = 'C.UTF-8' } = process.env;
  const child = spawn(file, args, {
    ...{ cwd, detached: true, stdio: ['ignore', 'pipe', 'pipe'], ...user },
    env: { PATH, LANG, ...env },
  });
  const output = createWriteStream(join(folder, `${log}.log`), { flags: 'a' });
  const said = { out: '', err: '' };
  child.stdout.on('data', (piece) => {
    said.out += piece;
    output.write(piece);
  });
  child.stderr.on('data', (piece) => {
    said.err += piece;
    output.write(piece);
  });
  running.add(child);
  const ended = new Promise((resolve) => {
    child.once('error', (error) => resolve({ code: -1, ...said, err: String(error) }));
    child.once('close', (code, name) => {
      running.delete(child);
      output.end(`ended with ${code ?? name}\n`);
      resolve({ code: code ?? name, ...said });
    });
  });
  return { child, ended, said, signal: (name) => signal(child, name) };
}

/** Words that run `macro` as on a machine of another name, where the system has such names. */
export function macroOn(host, words) {
  const own = [process.execPath, MACRO, ...words];
  return host ? ['unshare', '--uts', 'sh', '-c', 'hostname "$0" && exec "$@"', host, ...own] : own;
}

export async function until(isSo, what, seconds = 60) {
  for (const end = Date.now() + seconds * 1000; Date.now() < end; await pause(100)) if (await isSo()) return;
  throw new Error(`${what}: not within ${seconds} s`);
}
