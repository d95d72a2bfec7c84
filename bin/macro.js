#!/usr/bin/env node
// Starts the program. Its HTTP library and its database driver need a newer Node than some machines have: then it hands over
// to the Node that a checkout brings, or says what is needed.

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major > 22 || (major === 22 && minor >= 19)) await start();
else await handOver();

async function start() {
  const command = process.argv[2];
  if (command === 'import' || command === 'serve') (await import('./small-heap.js')).keepHeapSmall(command);
  // Behind the settings of the heap: compiled code is good only for the settings it was compiled under, and Node names its folder
  // after those of this moment. In one folder these commands and all others would throw away each other's code.
  // Built-in modules are asked for and not imported: an import reads all their members, and a start is short.
  process.getBuiltinModule('node:module').enableCompileCache?.();
  if (process.env.MACRO_HANDED_OVER) endWithParent();
  const built = new URL('../dist/main.js', import.meta.url);
  if (!process.getBuiltinModule('node:fs').existsSync(built)) {
    refuse('not_built', 'this checkout is not built yet.', 'Run: npm start');
    return;
  }
  const { main: run, nodePlatform } = await import('../dist/main.js');
  // Everything is written and closed by now: idle sockets and the collector's last round are not worth a person's time.
  process.exit(await run(process.argv.slice(2), nodePlatform()));
}

async function handOver() {
  const { existsSync } = await import('node:fs');
  const { dirname, join } = await import('node:path');
  const { fileURLToPath } = await import('node:url');
  const root = join(dirname(fileURLToPath(import.meta.url)), '..');
  const own = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (!existsSync(own)) {
    // The scripts that bring a Node are there in a checkout only, not in an installed package.
    const isCheckout = existsSync(join(root, 'scripts', 'ready.mjs'));
    const hint = isCheckout
      ? 'Run npm start here: the checkout brings its own Node.'
      : 'Install a newer Node, with the package manager of your system for example, then run this again.';
    refuse('old_node', `needs Node 22.19 or newer; this is ${process.versions.node}.`, hint);
    return;
  }
  const { spawn } = await import('node:child_process');
  const { constants } = await import('node:os');
  // The channel closes when this process is gone, however it went; the child watches it.
  const child = spawn(own, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, MACRO_HANDED_OVER: '1' },
  });
  // Ctrl-C at a terminal reaches the child by itself; a second one from here would end it on the spot.
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'));
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + (constants.signals[signal] ?? 0);
  });
}

/** Ends like a program that was not loaded: with an error in the form that was asked for. */
function refuse(code, message, hint) {
  const report = { level: 'error', kind: 'internal', code, message, hint, status: null, retry_after: null };
  const isJson = / --format[ =](nd)?json( |$)/i.test(` ${process.argv.slice(2).join(' ')}`);
  process.stderr.write(isJson ? `${JSON.stringify(report)}\n` : `macro: ${message}\n${hint}\n`);
  process.exitCode = 1;
}

/** In the child of a hand-over: when the one who started it is gone, nobody waits for it any more. */
function endWithParent() {
  delete process.env.MACRO_HANDED_OVER;
  const end = () => process.kill(process.pid, 'SIGTERM');
  if (!process.connected) end();
  process.on('disconnect', end);
  process.channel?.unref();
}
