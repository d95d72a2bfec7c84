// Makes a checkout ready: installs what the lock file names when that is not installed yet, then builds when a
// source is newer than the build. Runs under whatever Node the machine has, so it uses nothing but old built-ins.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const ownNode = join(root, 'node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node');

function run(command, args) {
  // A package manager started by a package script must not take that script's settings for its own.
  const done = spawnSync(command, args, { cwd: root, stdio: ['ignore', 2, 2], shell: process.platform === 'win32' });
  if (done.status !== 0) {
    process.stderr.write(`ready: ${command} ${args.join(' ')} ended with ${done.status ?? done.signal}\n`);
    process.exit(1);
  }
}

/** Whether npm wrote down, at the end of an installation, what the lock file names. Packages for other systems are not there. */
function isInstalled() {
  const done = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(done)) return false;
  const installed = packagesOf(done);
  const wanted = packagesOf(join(root, 'package-lock.json'));
  return (
    Object.keys(installed).every((path) => wanted[path] !== undefined) &&
    Object.entries(wanted).every(([path, { version, integrity, optional, devOptional }]) => {
      const one = installed[path];
      if (path === '') return true;
      return one === undefined ? optional || devOptional : one.version === version && one.integrity === integrity;
    })
  );
}

function packagesOf(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages;
}

function newest(folder) {
  let latest = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    latest = Math.max(latest, entry.isDirectory() ? newest(path) : statSync(path).mtimeMs);
  }
  return latest;
}

if (!isInstalled()) {
  process.stderr.write('ready: installing the packages of the lock file\n');
  run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']);
}

const built = join(root, 'dist', 'main.js');
const sources = Math.max(
  newest(join(root, 'src')),
  statSync(join(root, 'package.json')).mtimeMs,
  newest(join(root, 'scripts')),
);
if (!existsSync(built) || statSync(built).mtimeMs < sources) {
  process.stderr.write('ready: building\n');
  run(ownNode, [join(root, 'scripts', 'build.mjs')]);
}
