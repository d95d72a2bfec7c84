import { execFile } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { unpackInto } from '../support/packed.ts';
import { freshFolder } from '../support/platform.ts';

// The package as npm packs it, in a project that has nothing else of ours: what is not in the tarball is not there.

const root = join(import.meta.dirname, '../..');
const run = promisify(execFile);
const project = freshFolder();
const modules = join(project, 'node_modules');
/** What a project has besides: the dependency that stays a package, a test runner and a compiler. */
const LINKED = ['better-sqlite3', 'vitest', 'typescript', '@types', 'undici-types'];

beforeAll(async () => {
  await unpackInto(project);
  for (const name of LINKED) symlinkSync(join(root, 'node_modules', name), join(modules, name));
  cpSync(join(root, 'test/fixtures/library-user'), project, { recursive: true });
  writeFileSync(join(project, 'package.json'), '{"type":"module"}');
}, 120_000);

const { PATH } = process.env;
const env = { PATH, HOME: freshFolder() };

test('a strict compiler accepts the types, and refuses what they do not allow', async () => {
  const options = ['--strict', '--noEmit', '--target', 'es2023'];
  const modular = [
    '--module',
    'nodenext',
    '--exactOptionalPropertyTypes',
    '--noUncheckedIndexedAccess',
    '--allowImportingTsExtensions',
  ];
  const compiler = join(modules, 'typescript', 'bin', 'tsc');
  const complaints = async (...words: string[]) => {
    const all = [compiler, '--ignoreConfig', ...options, ...modular, ...words];
    const checked = run(process.execPath, all, { cwd: project });
    return (await checked.catch((error: { stdout: string }) => error)).stdout;
  };
  const files = ['uses-types.ts', 'rates.test.ts'];
  expect(await complaints('--lib', 'es2024,dom', '--types', 'node', ...files)).toBe('');
  // Without the types of Node too: the declarations name all parts of the language that they use.
  const plain = "import { createMacroServer } from 'macro-data';\nexport const server = createMacroServer();\n";
  writeFileSync(join(project, 'plain.ts'), plain);
  expect(await complaints('--lib', 'es2023,dom', '--typeRoots', './none', 'plain.ts')).toBe('');
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

test('both doors give the same objects, so an error of one is an error of the other', async () => {
  const script = `
    const imported = await import('macro-data');
    const required = (await import('node:module')).createRequire(import.meta.url)('macro-data');
    console.log(JSON.stringify(Object.keys(imported).filter((name) => imported[name] !== required[name])));`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], { cwd: project, env });
  expect(JSON.parse(stdout)).toEqual([]);
});

/** What an older Node says of itself. */
const OLD = 'data:text/javascript,Object.defineProperty(process.versions,"node",{value:"18.19.0"})';

test.each([
  "await import('macro-data')",
  "process.getBuiltinModule('module').createRequire(process.cwd() + '/')('macro-data')",
])('an old Node is told in one sentence: %s', async (line) => {
  const words = [
    '--import',
    OLD,
    '--input-type=module',
    '-e',
    `try { ${line} } catch (error) { console.log(error.stack) }`,
  ];
  const { stdout } = await run(process.execPath, words, { cwd: project, env });
  expect(stdout).toBe('macro-data needs Node 22.19 or newer; this is 18.19.0.\n');
});
