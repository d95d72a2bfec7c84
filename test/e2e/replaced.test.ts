import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { ensureBuilt } from '../support/built.ts';
import { freshFolder } from '../support/platform.ts';

const root = join(import.meta.dirname, '../..');
const env = () => ({ PATH: process.env.PATH ?? '', MACRO_HOME: freshFolder() });

beforeAll(ensureBuilt);

/** An installation of its own. */
function installed(): string {
  const folder = freshFolder();
  for (const part of ['bin', 'dist', 'package.json']) cpSync(join(root, part), join(folder, part), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

const REPLACED = [
  'macro: A file of the program is gone: it was replaced while it ran.',
  'Start it again, and it goes on where it stopped. If that does not help, install it anew.',
  '',
].join('\n');

it('a server whose program is replaced under it ends as it is told to', { timeout: 60_000 }, async () => {
  const [folder, how] = [installed(), env()];
  const program = join(folder, 'bin', 'macro.js');
  writeFileSync(join(folder, 'rates.csv'), 'Date,USD,\n2026-11-20,1.1502,\n');
  expect(spawnSync(process.execPath, [program, 'import', 'ecb', join(folder, 'rates.csv')], { env: how }).status).toBe(
    0,
  );
  const server = spawn(process.execPath, [program, 'serve', '--port', '0'], { env: how });
  onTestFinished(() => void server.kill('SIGKILL'));
  let said = '';
  server.stderr.on('data', (bytes) => (said += bytes));
  while (!said.includes('Ctrl-C ends it')) await once(server.stderr, 'data');
  renameSync(join(folder, 'dist'), join(folder, 'gone'));
  server.kill('SIGTERM');
  const [code] = await once(server, 'close');
  expect([code, said.trimEnd().split('\n').at(-1)]).toEqual([143, 'macro: Interrupted.']);
});

/** Files that are read together with the first one. */
const firstFiles = (): readonly string[] =>
  readFileSync(join(root, 'dist', 'main.js'), 'utf8').match(/(?<=(?:from|import)")\.\/chunk-[0-9A-Z]{8}\.js/g) ?? [];

it.each([
  // The first file and what is read together with it are there, or nothing runs.
  ['the command line', (name: string) => name !== 'main.js' && !firstFiles().includes(`./${name}`)],
  ['a command', (name: string) => /^ask/.test(name)],
])('a program that misses a file of %s says so, and is no bug', (_, isGone) => {
  const folder = installed();
  for (const name of readdirSync(join(folder, 'dist'))) if (isGone(name)) rmSync(join(folder, 'dist', name));
  const words = [join(folder, 'bin', 'macro.js'), 'fx', 'eur', 'usd', '--offline'];
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { env: env(), encoding: 'utf8' });
  expect({ status, stdout, stderr }).toEqual({ status: 10, stdout: '', stderr: REPLACED });
});

it('a program finds none of the files of another build in place of its own: their names are of one build', () => {
  const named = readdirSync(join(root, 'dist')).filter((name) => !/-[0-9A-Z]{8}\.js$/.test(name));
  // The first file, that of a process of its own, and documents that the program does not read.
  expect(named).toEqual(['LICENSES.txt', 'main.js', 'query-child.js', 'sbom.cdx.json']);
});
