import { execFileSync } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { MAPPINGS } from '../../src/endpoints/index.ts';
import { compactMirror } from '../../src/mirror/sqlite/compact.ts';
import { lockSync } from '../../src/mirror/sqlite/lock.ts';
import { openMirror } from '../../src/mirror/sqlite/open.ts';
import { rebuildMirror } from '../../src/mirror/sqlite/rebuild.ts';
import { testPlatform } from '../support/platform.ts';

const { platform, folder } = testPlatform();

function pipe(): string {
  const path = join(folder, 'pipe');
  execFileSync('mkfifo', [path]);
  return path;
}

async function socket(): Promise<string> {
  const path = join(folder, 'socket');
  const server = createServer().listen(path);
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => void server.close());
  return path;
}

describe.skipIf(process.platform === 'win32')('a mirror that is no plain file is refused before it is opened', () => {
  it.each([
    ['a named pipe', pipe],
    ['a socket', socket],
    ['a device', () => '/dev/zero'],
    ['a device', () => '/dev/null'],
    ['a folder', () => folder],
  ])('%s', async (kind, make) => {
    const path = await make();
    const refused = { kind: 'mirror', code: 'mirror_unusable', message: `${path} is ${kind}, not a mirror.` };
    for (const mode of ['write', 'read'] as const)
      await expect(openMirror({ path, mappings: MAPPINGS, platform, mode })).rejects.toMatchObject(refused);
    expect(() => compactMirror(path)).toThrow(expect.objectContaining(refused));
    expect(() => rebuildMirror({ path, mappings: MAPPINGS })).toThrow(expect.objectContaining(refused));
  });

  it('a lock that is one', async () => {
    const path = join(folder, 'm.db');
    execFileSync('mkfifo', [`${path}-sync`]);
    await expect(lockSync(path, { runs: async () => [] })).rejects.toMatchObject({
      message: `${path}-sync is a named pipe, not a lock.`,
    });
  });
});
