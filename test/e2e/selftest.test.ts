import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { ensureBuilt, runBuilt } from '../support/built.ts';
import { freshFolder } from '../support/platform.ts';

beforeAll(ensureBuilt);

const env = () => ({ MACRO_HOME: freshFolder() });

it('a self-test finds this disk good, says what it did, and leaves nothing behind', () => {
  const folder = freshFolder();
  const { status, stdout } = runBuilt(['selftest', '--disk', folder, '--format', 'json'], env());
  const { data, disk } = JSON.parse(stdout);
  const looks: Record<string, string>[] = data;
  expect(looks.map(({ check, state, says }) => [check, state === 'ok' ? state : says])).toEqual([
    ['disk', 'ok'],
    ['kills', 'ok'],
    ['log', 'ok'],
    ['lock', 'ok'],
    ['readers', 'ok'],
    ['damage', 'ok'],
  ]);
  expect([status, disk, readdirSync(folder)]).toEqual([0, folder, []]);
});

it('a self-test of a folder that is not there is refused, with what would work', () => {
  const folder = freshFolder();
  mkdirSync(join(folder, 'there'));
  const { status, stderr } = runBuilt(['selftest', '--disk', join(folder, 'gone')], env());
  expect([status, stderr]).toEqual([2, expect.stringContaining(`There is no folder ${join(folder, 'gone')}.`)]);
});
