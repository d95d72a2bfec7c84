import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { numberedCommit, openTestMirror, PART_VARIABLE } from '../../src/cli/commands/selftest.ts';
import type { Mirror } from '../../src/mirror/api/mirror.ts';
import type { Run } from '../../src/platform/platform.ts';
import { edit } from '../mirror/support.ts';
import { testPlatform } from '../support/platform.ts';
import { macro } from '../support/run.ts';

/** What a self-test says where its other programs do this to the file, and say that a commit is kept. */
async function selftestWith(does: (path: string) => Promise<void>, said: string) {
  const run: Run = async (_, __, { env = {} } = {}) => {
    const path = env[PART_VARIABLE]?.replace(/^write /, '') ?? '';
    if (path.endsWith('killed.db')) await does(path);
    return { code: 1, stdout: said, stderr: 'ended by SIGKILL' };
  };
  return lookOf('kills', run);
}

async function lookOf(name: string, run: Run) {
  const at = testPlatform({ run });
  const { code, out } = await macro(`selftest --disk ${at.folder} --format ndjson`, at);
  const looks = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  return { code, look: looks.find(({ check }) => check === name) };
}

async function commit(path: string, number: number): Promise<void> {
  const { platform } = testPlatform();
  const mirror = await openTestMirror(platform, path);
  await mirror.commitPage(numberedCommit(number, 1));
  mirror.close();
}

it.each([
  [
    'forgets a commit that it was told to keep',
    (path: string) => commit(path, 3),
    '7\n',
    'Commit 7 was reported as stored, and 3 is the last one.',
  ],
  [
    'has a commit in part',
    async (path: string) => {
      await commit(path, 1);
      edit(path, "update fx_daily set val = 9, text = replace(text, '1}', '9}') where date = '2026-01-01'");
    },
    '1\n',
    'The check found: the current row is not as it was received.',
  ],
])('a disk that %s is told, with exit 8', async (_, does, said, says) => {
  const { code, look } = await selftestWith(does, said);
  expect([code, look]).toEqual([
    8,
    {
      ...{ check: 'kills', state: 'problem', says },
      do: 'Keep the mirror on a local disk of this machine: macro config set mirror FILE',
    },
  ]);
});

/** What a self-test says of locks where its other program does this with the file and says that it holds the lock. */
async function lockLookWith(does: (path: string) => Promise<() => Promise<void>>) {
  const run: Run = async (_, __, { env = {}, hear, signal } = {}) => {
    const [part, path = ''] = (env[PART_VARIABLE] ?? '').split(' ');
    if (part === 'lock' && hear && signal) {
      const end = await does(path);
      const killed = new Promise((resolve) => signal.addEventListener('abort', resolve));
      hear('held\n');
      await killed;
      await end();
    }
    return { code: 1, stdout: '', stderr: 'ended by SIGKILL' };
  };
  const { look } = await lookOf('lock', run);
  return [look.state, look.says];
}

const locked = async (path: string) => {
  const mirror = await openTestMirror(testPlatform().platform, path);
  const lock = await mirror.lockSync();
  return { mirror, lock };
};

it('a lock is looked for while the other program says that it holds it, and again when that one is gone', async () => {
  const held = async (path: string) => {
    const { mirror, lock } = await locked(path);
    return async () => {
      await lock.release();
      mirror.close();
    };
  };
  const good = 'another program keeps us out, and its lock goes when it is killed';
  expect(await lockLookWith(held)).toEqual(['ok', good]);
});

it('a lock that does not hold is told', async () => {
  const free = async () => async () => undefined;
  expect(await lockLookWith(free)).toEqual(['problem', 'A lock of another program is not seen on this disk.']);
});

it('a lock that outlives its program is told', async () => {
  const left: (() => void)[] = [];
  const stays = async (path: string) => {
    const { mirror } = await locked(path);
    left.push(() => mirror.close());
    return async () => undefined;
  };
  expect(await lockLookWith(stays)).toEqual(['problem', 'A lock stays behind when its program is killed.']);
  for (const close of left) close();
});

it('a program that cannot take the lock at all is told as that', async () => {
  const { look } = await lookOf('lock', async () => ({ code: 1, stdout: '', stderr: '' }));
  expect([look.state, look.says]).toEqual([
    'problem',
    expect.stringMatching(/^No program could take a lock in .*selftest-\d+\.$/),
  ]);
});

it('a log that was taken over into its file is no log to cut: the writer has less time then', async () => {
  const open: Mirror[] = [];
  let writers = 0;
  const run: Run = async (_, __, { env = {}, hear, signal } = {}) => {
    const path = env[PART_VARIABLE]?.replace(/^write /, '') ?? '';
    if (!path.endsWith('cut.db') || !hear || !signal) return { code: 1, stdout: '', stderr: '' };
    writers += 1;
    const mirror = await openTestMirror(testPlatform().platform, path);
    open.push(mirror);
    for (let number = 1; number <= 3; number += 1) await mirror.commitPage(numberedCommit(number, 1));
    if (writers === 1) new Database(path).pragma('wal_checkpoint(passive)');
    const killed = new Promise((resolve) => signal.addEventListener('abort', resolve));
    hear('3\n');
    await killed;
    return { code: 1, stdout: '3\n', stderr: 'ended by SIGKILL' };
  };
  const { look } = await lookOf('log', run);
  for (const mirror of open) mirror.close();
  expect([look.says, writers]).toEqual(['20 cuts through a log of 3 commits: each left whole commits only', 2]);
});
