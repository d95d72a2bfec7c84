import { expect, it } from 'vitest';
import { numberedCommit, openTestMirror, PART_VARIABLE } from '../../src/cli/commands/selftest/test-mirror.ts';
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
  const at = testPlatform({ run });
  const { code, out } = await macro(`selftest --disk ${at.folder} --format ndjson`, at);
  const looks = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  return { code, look: looks.find(({ check }) => check === 'kills') };
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
    'Commit 7 was told to be kept, and 3 is the last one.',
  ],
  [
    'has a commit in part',
    async (path: string) => {
      await commit(path, 1);
      edit(path, "update fx_daily set val = 9, text = replace(text, ':1}', ':9}') where date = '2026-01-01'");
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
