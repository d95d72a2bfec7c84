import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { freshFolder } from '../support/platform.ts';

/** A program of its own, because standard streams and exit codes belong to a process. */
function program(source: string): string {
  const path = join(freshFolder(), 'program.ts');
  const node = new URL('../../src/platform/node.ts', import.meta.url).href;
  writeFileSync(
    path,
    `import { nodePlatform } from ${JSON.stringify(node)};\nconst platform = nodePlatform();\n${source}`,
  );
  return path;
}

describe('standard streams', () => {
  test('a megabyte goes through a pipe whole, with a reader that is late', async () => {
    const path = program(`await platform.io.stdout.write('x'.repeat(1 << 20) + '\\n'); process.exit(0);`);
    const child = spawn(process.execPath, [path], { stdio: ['ignore', 'pipe', 'inherit'] });
    let bytes = 0;
    await new Promise((resolve) => setImmediate(resolve));
    for await (const chunk of child.stdout) bytes += chunk.length;
    expect(bytes).toBe((1 << 20) + 1);
  });

  test('bytes go out as they are', () => {
    const path = program(`await platform.io.stdout.write(new Uint8Array([0xc3, 0xa9, 0x0a]));`);
    expect(spawnSync(process.execPath, [path], { encoding: 'utf8' })).toMatchObject({ status: 0, stdout: '\u00e9\n' });
  });

  test('a reader that goes away ends the program silently, with exit code 0', async () => {
    const path = program(`for (;;) await platform.io.stdout.write('row\\n'.repeat(10_000));`);
    const child = spawn(process.execPath, [path], { stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    child.stderr.on('data', (chunk) => {
      said += chunk;
    });
    await once(child.stdout, 'data');
    child.stdout.destroy();
    const [code] = await once(child, 'exit');
    expect({ code, said }).toEqual({ code: 0, said: '' });
  });

  test('a listener to talk that goes away does not stop the work', async () => {
    const path = program(`
      for (let i = 0; i < 50; i += 1) await platform.io.stderr.write('note '.repeat(20_000));
      await platform.io.stdout.write('done');`);
    const child = spawn(process.execPath, [path], { stdio: ['ignore', 'pipe', 'pipe'] });
    let out = '';
    child.stdout.on('data', (chunk) => {
      out += chunk;
    });
    await once(child.stderr, 'data');
    child.stderr.destroy();
    const [code] = await once(child, 'close');
    expect({ out, code }).toEqual({ out: 'done', code: 0 });
  });

  test('standard input is read to its end, byte for byte', () => {
    const path = program(`
      const bytes = await platform.io.stdin.readBytes();
      await platform.io.stdout.write([...bytes].join(' '));`);
    const { stdout } = spawnSync(process.execPath, [path], { input: Buffer.from([0, 255, 10, 13, 128]) });
    expect(String(stdout)).toBe('0 255 10 13 128');
  });

  test.skipIf(!existsSync('/dev/full'))('a full disk under standard output is said, not swallowed', () => {
    const path = program(`
      try { await platform.io.stdout.write('x'.repeat(100_000)); process.exit(0); }
      catch (error) { await platform.io.stderr.write(error.kind + ' ' + error.code); process.exit(8); }`);
    const { stderr, status } = spawnSync('sh', ['-c', `"$0" "$1" > /dev/full`, process.execPath, path]);
    expect({ said: String(stderr), status }).toEqual({ said: 'mirror ENOSPC', status: 8 });
  });

  test.skipIf(!existsSync('/dev/full')).each([
    ['a device that is full', '2>/dev/full'],
    ['a file that may not grow', '2>"$0.log"'],
    ['a descriptor that is closed', '2>&-'],
  ])('talk that cannot be written to %s is dropped, and the data arrive', (_, redirect) => {
    const path = program(`
      await platform.io.stderr.write('note '.repeat(1000));
      await platform.io.stdout.write('one ');
      await platform.io.stderr.write('a second note');
      await platform.io.stdout.write('two');
      process.exit(3);`);
    const shell = `trap "" XFSZ; ulimit -f 0; exec "$1" "$2" ${redirect.replace('$0', '$2')}`;
    const { stdout, stderr, status } = spawnSync('sh', ['-c', shell, 'sh', process.execPath, path]);
    expect({ out: String(stdout), said: String(stderr), status }).toEqual({ out: 'one two', said: '', status: 3 });
  });

  test('signals arrive until nobody listens any more', async () => {
    const path = program(`
      const stop = platform.signals.onInterrupt(async (signal) => {
        stop();
        await platform.io.stdout.write(signal);
        clearInterval(alive);
      });
      const alive = setInterval(() => undefined, 1000);
      await platform.io.stdout.write('ready ');`);
    const child = spawn(process.execPath, [path], { stdio: ['ignore', 'pipe', 'inherit'] });
    let out = '';
    child.stdout.on('data', (chunk) => {
      if (out === '') child.kill('SIGTERM');
      out += chunk;
    });
    const [code] = await once(child, 'exit');
    expect({ out, code }).toEqual({ out: 'ready SIGTERM', code: 0 });
  });
});
