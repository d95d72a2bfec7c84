import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ensureBuilt } from './built.ts';

const root = join(import.meta.dirname, '../..');
const run = promisify(execFile);

export const NPM = process.platform === 'win32' ? 'npm.cmd' : 'npm';

/** Puts the package, as npm packs it, into the `node_modules` of a project. Returns the path of the tarball. */
export async function unpackInto(project: string): Promise<string> {
  await ensureBuilt();
  await run(NPM, ['pack', '--offline', '--ignore-scripts', '--pack-destination', project], { cwd: root });
  const tarball = join(project, readdirSync(project).find((name) => name.endsWith('.tgz')) ?? '');
  const folder = join(project, 'node_modules', 'macro-data');
  mkdirSync(folder, { recursive: true });
  await run('tar', ['-xzf', tarball, '-C', folder, '--strip-components', '1']);
  return tarball;
}
