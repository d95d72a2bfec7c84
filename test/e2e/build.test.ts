import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { EOL } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { ensureBuilt } from '../support/built.ts';
import { freshFolder } from '../support/platform.ts';

const root = join(import.meta.dirname, '../..');

beforeAll(ensureBuilt);

// The HTTP client asks for modules at each request: two thousand makers were a third of a sync with nothing to do.
test('a file of the build makes its way to ask for modules once, and not before it asks', async () => {
  const folder = freshFolder();
  const banner =
    readFileSync(join(root, 'dist', 'main.js'), 'utf8').match(/^const (requireHere|require) = .*$/gm) ?? [];
  const script = `const modules = process.getBuiltinModule('node:module');
    const { createRequire } = modules;
    let made = 0;
    modules.createRequire = (url) => { made += 1; return createRequire(url); };
    ${banner.join('\n')}
    const told = [made, require('node:path') === process.getBuiltinModule('node:path'), require('node:os').EOL, made];
    process.stdout.write(JSON.stringify(told));`;
  writeFileSync(join(folder, 'banner.mjs'), script);
  const done = spawnSync(process.execPath, [join(folder, 'banner.mjs')], { encoding: 'utf8' });
  expect([done.stderr, JSON.parse(done.stdout)]).toEqual(['', [0, true, EOL, 1]]);
});
