import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { ensureBuilt, PROGRAM, runBuilt } from '../support/built.ts';
import { freshFolder } from '../support/platform.ts';

const root = join(import.meta.dirname, '../..');
const dist = join(root, 'dist');

beforeAll(ensureBuilt);

/** Text of all files of the build that a command line loads. */
function loadedBy(words: readonly string[]): string {
  const hook = `
    import { registerHooks } from 'node:module';
    registerHooks({ load(url, context, next) { process.stderr.write('LOADED ' + url + '\\n'); return next(url, context); } });`;
  const given = ['--import', `data:text/javascript,${encodeURIComponent(hook)}`, PROGRAM, ...words];
  const { stderr } = spawnSync(process.execPath, given, { env: { MACRO_HOME: freshFolder() }, encoding: 'utf8' });
  const files = [...stderr.matchAll(/^LOADED (file:.*)$/gm)].map(([, url]) => new URL(url ?? ''));
  return files.map((url) => `${url.pathname}\n${readFileSync(url, 'utf8')}`).join('\n');
}

// A start whose code is compiled anew takes twice as long.
it('keeps compiled code of commands with a heap of their own beside that of all others', () => {
  const folder = freshFolder();
  const env = { TMPDIR: folder, TEMP: folder, MACRO_HOME: folder, NODE_DEBUG_NATIVE: 'COMPILE_CACHE' };
  const codeOf = (words: readonly string[]) => {
    const { stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...words], { env, encoding: 'utf8' });
    const told = [...`${stdout}${stderr}`.matchAll(/code cache for \w+ file:.*\/(main|program-\w+)\.js was (\w+)/g)];
    return told.map(([, file = '', found = '']) => [file.slice(0, 7), found]);
  };
  const both = ['main', 'program'].map((file) => [file, 'accepted']);
  const lines = ['fx', 'import', 'serve'].map((command) => [command, '--quiet', '--help']);
  for (const words of lines) codeOf(words);
  expect(lines.map(codeOf)).toEqual(lines.map(() => both));
});

describe('the program', () => {
  it('tells the version of the package', () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    expect(runBuilt(['--version'], {})).toMatchObject({ status: 0, stdout: `macro ${version}\n`, stderr: '' });
  });

  it('helps', () => {
    const { status, stdout, stderr } = runBuilt(['fx', '--help'], {});
    expect([status, stdout.startsWith('Usage: macro fx BASE QUOTE [options]\n'), stderr]).toEqual([0, true, '']);
  });

  it.each([
    [['--help'], ['help']],
    [['-h'], ['help']],
    [
      ['fx', '--help'],
      ['help', 'fx'],
    ],
    [
      ['mirror', 'status', '-h'],
      ['help', 'mirror', 'status'],
    ],
    [
      ['mirror', '--help'],
      ['help', 'mirror'],
    ],
    ...['bash', 'zsh', 'fish', 'powershell'].map((shell) => [
      ['completion', shell],
      ['completion', shell.toUpperCase()],
    ]),
  ])('prints for %j, which loads no program, what it prints for %j', (ahead = [], words = []) => {
    const { status, stdout } = runBuilt(words, { MACRO_HOME: freshFolder() });
    expect(runBuilt(ahead, {})).toMatchObject({ status, stdout, stderr: '' });
    expect(loadedBy(ahead)).not.toMatch(/^\/\S*\/program-\w+\.js$/m);
  });

  it('imports, answers and tells what it holds', () => {
    const env = { MACRO_HOME: freshFolder() };
    const file = 'Date,USD,JPY,\n2026-11-20,1.1502,178.20,\n2026-11-19,1.1490,N/A,\n';
    expect(runBuilt(['import', 'ecb', '-', '--quiet'], env, file).status).toBe(0);
    const asked = [
      'fx',
      'eurusd',
      '--offline',
      '--allow-partial',
      '--start',
      '2026-11-01',
      '--end',
      '2026-11-21',
      '--quiet',
    ];
    const csv = runBuilt([...asked, '--fields', 'date,val', '--format', 'csv'], env);
    expect(csv).toMatchObject({ status: 0, stdout: 'date,val\n2026-11-20,1.1502\n2026-11-19,1.149\n' });
    const cross = runBuilt(
      [
        'fx',
        'usd',
        'jpy',
        '--offline',
        '--start',
        '2026-11-01',
        '--end',
        '2026-11-21',
        '--fields',
        'val',
        '--no-header',
        '--quiet',
      ],
      env,
    );
    // 178.20 / 1.1502, six decimals.
    expect(cross.stdout).toBe('154.929577\n');
    expect(runBuilt(['mirror', 'status', '--fields', 'series,rows', '--no-header'], env).stdout).toBe(
      'fx eur jpy\t1\nfx eur usd\t2\n',
    );
  });

  it('ends silently when the reader of its pipe goes away', () => {
    const { status, stdout, stderr } = spawnSync(
      'sh',
      ['-c', `{ "$0" "$1" openapi; echo $? >&2; } | head -c 10`, process.execPath, PROGRAM],
      { encoding: 'utf8' },
    );
    expect([status, stdout.length, stderr]).toEqual([0, 10, '0\n']);
  });

  it('leaves with 143 when it is terminated while it serves', async () => {
    const env = { MACRO_HOME: freshFolder() };
    runBuilt(['import', 'ecb', '-', '--quiet'], env, 'Date,USD,\n2026-11-20,1.1502,\n');
    const child = spawn(process.execPath, [PROGRAM, 'serve', '--port', '0'], { env });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    const address = await new Promise<string>((resolve) =>
      child.stderr.on('data', (text) => resolve(/http:[^/]*\/\/[^/]+\/v1/.exec(String(text))?.[0] ?? '')),
    );
    expect((await fetch(`${address}/ping`)).status).toBe(200);
    child.kill('SIGTERM');
    expect(await ended).toBe(143);
  });
});

describe('an older Node', () => {
  const pretend = "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.19.0' } });";
  const older = ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`, PROGRAM];

  /** A server started by way of an older Node, once it listens. */
  async function serving() {
    const env = { MACRO_HOME: freshFolder() };
    runBuilt(['import', 'ecb', '-', '--quiet'], env, 'Date,USD,\n2026-11-20,1.1502,\n');
    const child = spawn(process.execPath, [...older, 'serve', '--port', '0'], { env });
    const left = new Promise((resolve) => child.once('exit', (code, signal) => resolve(code ?? signal)));
    // The pipes are closed when nobody holds them any more, the one that was handed over to included.
    const closed = new Promise((resolve) => child.once('close', () => resolve(true)));
    await new Promise((resolve) => child.stderr.on('data', (text) => /http:/.test(String(text)) && resolve(true)));
    return { child, left, closed };
  }

  it('hands over to the one of the checkout, and gives its exit code', () => {
    const { status, stderr } = spawnSync(process.execPath, [...older, 'fx'], { env: {}, encoding: 'utf8' });
    expect([status, stderr.split('\n')[0]]).toEqual([2, 'macro: macro fx needs BASE QUOTE.']);
  });

  it.each([
    [
      'an installed package',
      [],
      'Install a newer Node, with the package manager of your system for example, then run this again.',
    ],
    ['a checkout', ['scripts/ready.mjs'], 'Run npm start here: the checkout brings its own Node.'],
  ])('that nobody can take over from is told to whoever has %s', (_where, files, hint) => {
    const folder = freshFolder();
    for (const file of ['bin/macro.js', ...files]) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      copyFileSync(join(PROGRAM, '../..', file), join(folder, file));
    }
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    const given = [...older.slice(0, 2), join(folder, 'bin/macro.js'), 'fx', 'eur', 'usd'];
    const { status, stdout, stderr } = spawnSync(process.execPath, given, { env: {}, encoding: 'utf8' });
    const needed = 'needs Node 22.19 or newer; this is 18.19.0.';
    expect([status, stdout, stderr]).toEqual([1, '', `macro: ${needed}\n${hint}\n`]);
  });

  it('is older than what a library of ours asks for', () => {
    const folder = join(PROGRAM, '../..');
    const { dependencies, engines } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const { components } = JSON.parse(readFileSync(join(folder, 'dist', 'sbom.cdx.json'), 'utf8'));
    const bundled = components.map(({ group, name }: { group?: string; name: string }) =>
      group === undefined ? name : `${group}/${name}`,
    );
    const least = [...bundled, ...Object.keys(dependencies)].map((name) => {
      const { engines: asked = {} } = JSON.parse(
        readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8'),
      );
      return Number(/>= ?22(?:\.(\d+))?/.exec(asked.node ?? '')?.[1] ?? 0);
    });
    expect(engines.node).toBe(`>=22.${Math.max(...least)}`);
  });

  it.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
    ['SIGHUP', 129],
  ] as const)('passes %s on and leaves with %i', async (signal, code) => {
    const { child, left, closed } = await serving();
    child.kill(signal);
    expect([await left, await closed]).toEqual([code, true]);
  });

  it('leaves nothing running when it is killed', async () => {
    const { child, left, closed } = await serving();
    child.kill('SIGKILL');
    expect([await left, await closed]).toEqual(['SIGKILL', true]);
  });
});

describe('a start', () => {
  const HEAVY = ['fastify', 'better-sqlite3', 'undici', 'ajv', '@clack', 'cli-table3', '@modelcontextprotocol', 'zod'];

  /** Marks of libraries in a bundle: words that only their own code has. */
  const MARKS: Readonly<Record<string, RegExp>> = {
    fastify: /FST_ERR_|light-my-request/,
    'better-sqlite3': /resolve\("better-sqlite3"\)/,
    undici: /UND_ERR_/,
    ajv: /\$ajv|ajv\.schema/i,
    '@clack': /\[\?25l/,
    'cli-table3': /colAligns.*vAlign|hSpan/s,
    '@modelcontextprotocol': /io\.modelcontextprotocol/,
    zod: /ZodError/,
  };

  it.each([['--version'], ['--help'], ['fx', '--help'], ['completion', 'bash'], ['mirror', 'path']])(
    'of %s %s loads nothing heavy',
    (...words) => {
      const loaded = loadedBy(words);
      expect(loaded).toContain('/dist/main.js');
      expect(HEAVY.filter((name) => MARKS[name]?.test(loaded))).toEqual([]);
    },
  );

  it('knows the marks of what is heavy', () => {
    const all = readdirSync(dist)
      .map((file) => readFileSync(join(dist, file), 'utf8'))
      .join('\n');
    expect(HEAVY.filter((name) => MARKS[name]?.test(all))).toEqual(HEAVY);
  });
});
