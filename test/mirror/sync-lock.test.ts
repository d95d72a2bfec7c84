import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { lockSync } from '../../src/mirror/sqlite/lock.ts';
import { freshFolder } from '../support/platform.ts';

/** The engine lets go of what nobody can reach only once nothing of this turn is under way. */
const turn = () => new Promise((resolve) => setImmediate(resolve));
const mirror = { runs: async () => [] };

test('a lock that cannot be made is told as a trouble of the mirror', async () => {
  const path = join(freshFolder(), 'mirror.db');
  mkdirSync(`${path}-sync`);
  await expect(lockSync(path, mirror)).rejects.toMatchObject({
    kind: 'mirror',
    message: `${path}-sync is a folder, not a lock.`,
  });
});

test('a lock that its holder keeps no hand on is held until the program ends', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  const path = join(freshFolder(), 'mirror.db');
  await lockSync(path, mirror);
  await turn();
  collect();
  await turn();
  await expect(lockSync(path, mirror)).rejects.toMatchObject({ kind: 'busy' });
});

test('a lock that was given back can be taken again', async () => {
  const path = join(freshFolder(), 'mirror.db');
  await (await lockSync(path, mirror)).release();
  await expect(lockSync(path, mirror)).resolves.toBeDefined();
});
