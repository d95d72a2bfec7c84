import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { EOL } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { ensureBuilt } from '../support/built.ts';
import { freshFolder } from '../support/platform.ts';

const root = join(import.meta.dirname, '../..');

beforeAll(ensureBuilt);

// A build runs the program on rates that it makes up, in the shape of the official file.
test('a build touches no mirror of who builds, whatever the environment and a project file name', () => {
  const workplace = mkdtempSync(join(root, '.dist-test-'));
  onTestFinished(() => rmSync(workplace, { recursive: true, force: true }));
  const folder = join(workplace, 'dist');
  cpSync(join(root, 'dist'), folder, { recursive: true });
  const own = freshFolder();
  writeFileSync(join(own, '.macrorc.json'), JSON.stringify({ mirror: join(own, 'project.db') }));
  const script = `const { compileAhead } = await import(${JSON.stringify(join(root, 'scripts', 'compile-ahead.mjs'))});
    compileAhead(${JSON.stringify(folder)});`;
  const { PATH } = process.env;
  const done = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: own,
    env: { PATH, MACRO_MIRROR: join(own, 'mine.db'), MACRO_HOME: join(own, 'home'), MACRO_PROFILE: 'absent' },
    encoding: 'utf8',
  });
  expect([done.status, done.stderr]).toEqual([0, '']);
  expect(['mine.db', 'project.db', 'home'].map((name) => existsSync(join(own, name)))).toEqual([false, false, false]);
  const told = spawnSync(process.execPath, ['-e', `import(${JSON.stringify(join(folder, 'main.js'))})`]);
  expect(told.status).toBe(0);
});

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
