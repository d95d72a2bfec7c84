import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lockSync } from '../../src/mirror/sqlite/lock.ts';
import { freshFolder } from '../support/platform.ts';

test('a lock that cannot be made is told as a trouble of the mirror', async () => {
  const path = join(freshFolder(), 'mirror.db');
  mkdirSync(`${path}-sync`);
  await expect(lockSync(path, { runs: async () => [] })).rejects.toMatchObject({
    kind: 'mirror',
    message: `${path}-sync is a folder, not a lock.`,
  });
});
