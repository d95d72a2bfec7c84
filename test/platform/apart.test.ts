import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { freshFolder } from '../support/platform.ts';

const CHILD = join(import.meta.dirname, 'children', 'interrupted.ts');

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    // What has ended and was not waited for has no command line any more, where that can be seen.
    return !existsSync('/proc/self/cmdline') || readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== '';
  } catch {
    return false;
  }
};

/** A program that runs a command, which writes the ids of its processes, one a line, and stays. */
async function running(command: string, count: number) {
  const pids = join(freshFolder(), 'pids');
  const child = spawn(process.execPath, [CHILD, command.replaceAll('PIDS', `'${pids}'`)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = once(child, 'exit');
  const lines = () => {
    try {
      return readFileSync(pids, 'utf8').trim().split('\n').map(Number);
    } catch {
      return [];
    }
  };
  await expect.poll(() => lines().length, { timeout: 20_000 }).toBe(count);
  onTestFinished(() => {
    for (const pid of lines().filter(isAlive)) process.kill(pid, 'SIGKILL');
  });
  return { child, exit, pids: lines() };
}

it.each(['SIGINT', 'SIGTERM'] as const)('a first %s leaves a command that is apart to its end', async (signal) => {
  const { child, exit, pids } = await running('echo $$ >> PIDS; exec sleep 300', 1);
  child.kill(signal);
  await once(child.stdout, 'data');
  expect(pids.map(isAlive)).toEqual([true]);
  child.kill(signal);
  await exit;
});

it.each([
  ['ends it', 'sleep 300 & echo $! >> PIDS; echo $$ >> PIDS; wait'],
  [
    'ends one that does not want to',
    "trap '' TERM INT; sh -c 'trap \"\" TERM; sleep 300' & echo $! >> PIDS; echo $$ >> PIDS; wait; wait",
  ],
])('a second Ctrl-C %s with all that it started, and then us', async (_, command) => {
  const { child, exit, pids } = await running(command, 2);
  child.kill('SIGINT');
  await once(child.stdout, 'data');
  child.kill('SIGINT');
  expect(await exit).toEqual([null, 'SIGINT']);
  // Whoever takes over an orphan lets go of it a moment after its death.
  await expect.poll(() => pids.map(isAlive), { timeout: 20_000 }).toEqual([false, false]);
});
