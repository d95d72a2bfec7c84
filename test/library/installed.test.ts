import { execFile } from 'node:child_process';
import { cpSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { NPM, unpackInto } from '../support/packed.ts';
import { freshFolder } from '../support/platform.ts';
import { startServing } from '../support/serving.ts';

// The package in an empty folder: the tarball, and the packages that it declares, as the lock file of the checkout has them.

const root = join(import.meta.dirname, '../..');
const run = promisify(execFile);
const project = freshFolder();
const home = freshFolder();
const record = join(project, 'loaded.txt');
const program = join(project, 'node_modules/macro-data/bin/macro.js');
const RATES = join(root, 'test/fixtures/official/ecb-eurofxref-2026-04-13.csv');
let tarball = '';

/** Writes down each file that a process or a child of it loads, binaries too. */
const RECORDER = `
const { appendFileSync } = require('node:fs');
const note = (file) => appendFileSync(${JSON.stringify(record)}, file + '\\n');
require('node:module').registerHooks({ load(url, context, next) { note(url); return next(url, context); } });
const open = process.dlopen;
process.dlopen = (module, file, ...rest) => { note(file); return open.call(process, module, file, ...rest); };`;

const env = {
  PATH: process.env.PATH ?? '',
  HOME: home,
  MACRO_HOME: home,
  NODE_OPTIONS: `--require=${join(project, 'recorder.cjs')}`,
  // A session without a keychain behind it: the library of keychains is loaded, and told so.
  DBUS_SESSION_BUS_ADDRESS: `unix:path=${join(home, 'no-bus')}`,
};

interface LockedPackage {
  readonly dev?: boolean;
  readonly devOptional?: boolean;
}

beforeAll(async () => {
  tarball = await unpackInto(project);
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  for (const [path, { dev, devOptional }] of Object.entries<LockedPackage>(packages))
    if (path !== '' && !dev && !devOptional && existsSync(join(root, path)))
      cpSync(join(root, path), join(project, path), { recursive: true });
  writeFileSync(join(project, 'package.json'), '{"type":"module","dependencies":{"macro-data":"*"}}');
  writeFileSync(join(project, 'recorder.cjs'), RECORDER);
}, 120_000);

test('the tarball has at most 4 MiB', () => {
  expect(statSync(tarball).size).toBeLessThanOrEqual(4 * 1024 * 1024);
});

test('everything that it loads comes from the tarball and the packages that it declares', async () => {
  const macro = (line: string) => run(process.execPath, [program, ...line.split(' ')], { cwd: home, env });
  await macro(`import ecb ${RATES}`);
  await macro('fx eur usd --offline --indicators all --allow-partial --chart');
  await run(process.execPath, [program, 'sql', 'select 1 as one'], { cwd: home, env });
  for (const ending of ['png', 'html', 'parquet', 'xlsx', 'csv'])
    await macro(`fx eur usd --offline --allow-partial -o rates.${ending}`);
  await macro('manual quota');
  await macro('completion bash');
  const login = 'auth login --key-stdin --offline --keep-in keychain --base-url http://127.0.0.1:8787';
  const asking = macro(login);
  asking.child.stdin?.end('a-key\n');
  const asked = await asking.catch(({ stderr }) => stderr);
  expect(asked).toContain('does not answer');
  const server = await startServing(['--open'], env, [process.execPath, program]);
  onTestFinished(() => server.stop());
  expect((await fetch(`${server.origin}/v1/forex/EUR/USD`)).status).toBe(200);
  expect((await fetch(server.origin, { headers: { accept: 'text/html' } })).status).toBe(200);
  const library = "(await (await import('macro-data')).createMacroServer({ clock: '2026-07-07' })).close()";
  await run(process.execPath, ['--input-type=module', '-e', library], { cwd: project, env });

  const files = readFileSync(record, 'utf8').trim().split('\n');
  const packages = files.flatMap((file) => {
    if (file.startsWith('node:') || file.startsWith('data:') || file.endsWith('recorder.cjs')) return [];
    return [/\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file.replaceAll('\\', '/'))?.[1] ?? file];
  });
  // npm itself says which packages are declared; with one missing or one too many it fails.
  const { stdout } = await run(NPM, ['ls', '--omit=dev', '--all', '--parseable'], { cwd: project });
  const declared = stdout.trim().split('\n').slice(1);
  const names = declared.map((path) => /node_modules[/\\](.*)$/.exec(path)?.[1]?.replaceAll('\\', '/'));
  // The driver brings headers for those who compile it; nothing of them is loaded.
  expect([...new Set(packages), 'node-addon-api'].sort()).toEqual(names.sort());
});

test('it carries a list of what is bundled, with the licences', () => {
  const dist = join(project, 'node_modules/macro-data/dist');
  const { bomFormat, specVersion, components } = JSON.parse(readFileSync(join(dist, 'sbom.cdx.json'), 'utf8'));
  expect([bomFormat, specVersion]).toEqual(['CycloneDX', '1.6']);
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const licences = readFileSync(join(dist, 'LICENSES.txt'), 'utf8');
  const listed = new Map<string, string>();
  for (const { group, name, version } of components) {
    const full = group === undefined ? name : `${group}/${name}`;
    listed.set(full, version);
    expect(licences).toContain(`${full} ${version}: `);
  }
  // What has no module of its own in a bundle is carried as data.
  for (const name of [
    'undici',
    'fastify',
    'zod',
    '@resvg/resvg-wasm',
    'dejavu-fonts-ttf',
    'uplot',
    'preact',
    'better-sqlite3',
  ])
    expect([name, listed.get(name)]).toEqual([name, packages[`node_modules/${name}`].version]);
  for (const name of ['typescript', 'vitest', 'fast-check', 'esbuild']) expect(listed.get(name)).toBeUndefined();
});
