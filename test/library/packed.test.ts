import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { ensureBuilt } from '../support/built.ts';
import { freshFolder } from '../support/platform.ts';

// The package as npm packs it, in a project that has nothing else of ours: what is not in the tarball is not there.

const root = join(import.meta.dirname, '../..');
const run = promisify(execFile);
const project = freshFolder();
const modules = join(project, 'node_modules');
/** What a project has besides: the dependency that stays a package, a test runner and a compiler. */
const LINKED = ['better-sqlite3', 'vitest', 'typescript', '@types', 'undici-types'];

beforeAll(async () => {
  await ensureBuilt();
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  await run(npm, ['pack', '--offline', '--ignore-scripts', '--pack-destination', project], { cwd: root });
  const tarball = readdirSync(project).find((name) => name.endsWith('.tgz')) ?? '';
  mkdirSync(join(modules, 'macro-data'), { recursive: true });
  await run('tar', ['-xzf', join(project, tarball), '-C', join(modules, 'macro-data'), '--strip-components', '1']);
  for (const name of LINKED) symlinkSync(join(root, 'node_modules', name), join(modules, name));
  cpSync(join(root, 'test/fixtures/library-user'), project, { recursive: true });
  writeFileSync(join(project, 'package.json'), '{"type":"module"}');
}, 120_000);

const { PATH } = process.env;
const env = { PATH, HOME: freshFolder() };

test('a strict compiler accepts the types, and refuses what they do not allow', async () => {
  const options = [
    '--strict',
    '--noEmit',
    '--target',
    'es2023',
    '--lib',
    'es2024,esnext.disposable,dom',
    '--types',
    'node',
  ];
  const modular = [
    '--module',
    'nodenext',
    '--exactOptionalPropertyTypes',
    '--noUncheckedIndexedAccess',
    '--allowImportingTsExtensions',
  ];
  const compiler = join(modules, 'typescript', 'bin', 'tsc');
  const files = ['uses-types.ts', 'rates.test.ts'];
  const checked = await run(process.execPath, [compiler, '--ignoreConfig', ...options, ...modular, ...files], {
    cwd: project,
  }).catch((error: { stdout: string }) => error);
  expect(checked.stdout).toBe('');
});

test("somebody's own tests of a client run against a server of the package", async () => {
  const runner = join(modules, 'vitest', 'vitest.mjs');
  const report = join(project, 'report.json');
  const words = [
    'run',
    '--root',
    project,
    '--reporter',
    'json',
    '--outputFile',
    report,
    '--testTimeout',
    '120000',
    '--hookTimeout',
    '120000',
  ];
  await run(process.execPath, [runner, ...words], { cwd: project, env }).catch(() => undefined);
  const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(report, 'utf8'));
  expect({ numPassedTests, numFailedTests, testResults }).toMatchObject({ numPassedTests: 4, numFailedTests: 0 });
});

/** What a program without `require` of ES modules is, the Jest of most projects for one. */
const COMMONJS_ALONE = '--no-experimental-require-module';

test('a program of CommonJS alone has the same library, with its types', async () => {
  const own = join(project, 'commonjs');
  cpSync(join(root, 'test/fixtures/commonjs-user'), own, { recursive: true });
  const compiler = join(modules, 'typescript', 'bin', 'tsc');
  const words = ['--ignoreConfig', '--strict', '--noEmit', '--target', 'es2023', '--lib', 'es2024,dom'];
  const checked = await run(
    process.execPath,
    [compiler, ...words, '--types', 'node', '--module', 'node16', 'uses-types.cts'],
    { cwd: own },
  ).catch((error: { stdout: string }) => error);
  expect(checked.stdout).toBe('');
  const ran = await run(process.execPath, [COMMONJS_ALONE, '--test', '--test-reporter', 'tap', 'rates.test.cjs'], {
    ...{ cwd: own, env },
  }).catch((error: { stdout: string }) => error);
  expect(ran.stdout).toMatch(/^# pass 4$[\s\S]*^# fail 0$/m);
}, 120_000);

test('whoever imports the library loads nothing of the command line', async () => {
  const script = `
    const { registerHooks } = await import('node:module');
    const loaded = [];
    registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context); } });
    const library = await import('macro-data');
    console.log(JSON.stringify({ loaded, names: Object.keys(library) }));`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], { cwd: project, env });
  const { loaded, names } = JSON.parse(stdout);
  const outside = loaded.filter((url: string) => !url.includes('/macro-data/lib/') && !url.startsWith('node:'));
  expect(outside).toEqual([]);
  expect(loaded.join(' ')).not.toContain('start-macro-server');
  expect(names).toEqual([
    ...[
      'AuthError',
      'IncompleteError',
      'InterruptedError',
      'MacroError',
      'MirrorError',
      'NotFoundError',
      'ProtocolError',
    ],
    ...['QuotaError', 'UpstreamError', 'UsageError', 'VerificationError', 'createClient', 'createMacroServer'],
    ...['followEvents', 'openMirror', 'verifyWebhook'],
  ]);
});
