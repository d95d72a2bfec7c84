#!/usr/bin/env node
// Starts the program. An older Node would crash in the native database driver, so it hands over to the Node that the
// checkout brings, or says what is needed.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major > 22 || (major === 22 && minor >= 12)) await start();
else await handOver();

async function start() {
  const { enableCompileCache } = await import('node:module');
  enableCompileCache?.();
  const main = join(root, 'dist', 'main.js');
  if (!existsSync(main)) {
    process.stderr.write('macro: this checkout is not built yet.\nRun: npm start\n');
    process.exitCode = 1;
    return;
  }
  const { main: run, nodePlatform } = await import('../dist/main.js');
  process.exitCode = await run(process.argv.slice(2), nodePlatform());
}

async function handOver() {
  const own = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (!existsSync(own)) {
    process.stderr.write(
      `macro: needs Node 22.12 or newer; this is ${process.versions.node}.\nInstall a newer Node, or run npm start in the checkout, which brings its own.\n`,
    );
    process.exitCode = 1;
    return;
  }
  const { spawn } = await import('node:child_process');
  const child = spawn(own, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? (signal === 'SIGINT' ? 130 : signal === 'SIGTERM' ? 143 : 1);
  });
}
