import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { createApp } from '../../src/cli/app/app.ts';
import { programName, runDemo, typedPath } from '../../src/cli/commands/demo/run-demo.ts';
import type { Options } from '../../src/cli/parse/options.ts';
import { TECHNICAL_NAMES } from '../../src/derive/technicals/table.ts';
import { MAPPINGS } from '../../src/endpoints/index.ts';
import { main } from '../../src/main.ts';
import { openMirror } from '../../src/mirror/sqlite/open.ts';
import { createNodeFetch } from '../../src/platform/node-network.ts';
import type { Fetch } from '../../src/platform/platform.ts';
import { type TestPlatformOptions, testPlatform } from '../support/platform.ts';

const nodeFetch = createNodeFetch();

/** A world whose only network is this machine. */
function world(options: TestPlatformOptions = {}) {
  const asked: string[] = [];
  const fetch: Fetch = (url, init) => {
    asked.push(url);
    return nodeFetch(url, init);
  };
  return { ...testPlatform({ ...options, fetch }), asked };
}

async function run(at: ReturnType<typeof world>, options: Options = {}): Promise<void> {
  const app = createApp(at.platform, options, new AbortController().signal);
  await runDemo(app, { size: 'small' });
  await app.close();
}

describe('the demo', () => {
  let at: ReturnType<typeof world>;

  beforeAll(async () => {
    at = world();
    await run(at);
  });

  test('ends below its three steps within 24 lines of 80 columns, with what to type next', async () => {
    const lines = at.out().trimEnd().split('\n');
    // The warning, three steps, and the line where the next command is typed.
    expect(lines.length).toBeLessThanOrEqual(24 - 1 - 3 - 1);
    // Only a path may be longer: the folders of tests are.
    expect(lines.filter((line) => line.length > 80 && !line.includes('mirror.db'))).toEqual([]);
    expect(lines[0]).toBe('SYNTHETIC DATA: made by a generator. No number here was ever published.');
    expect(at.out()).toMatch(/^EUR\/USD {2}Sandbox \(synthetic\) {2}\d+ daily rates {2}SYNTHETIC$/m);
    expect(at.out()).toMatch(/^2026-11-20 .*\d$/m);
    expect(at.out()).toContain(`\n${TECHNICAL_NAMES.length} indicators at the newest rate`);
  });

  test('warns on stderr before anything else and then tells each step as a plain line that fits', async () => {
    const lines = at.err().trimEnd().split('\n');
    expect(lines).toEqual([
      'warning: everything here is synthetic: made by a generator, published by nobody',
      expect.stringMatching(/^1\/3 Sandbox service on 127\.0\.0\.1: \d\d,\d{3} rows in \d{3} series$/),
      expect.stringMatching(/^2\/3 Sync: \d+ requests brought [\d,]+ rows of \d series, each complete$/),
      '3/3 Offline: fx eur usd --indicators all, answered from the mirror alone',
    ]);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });

  test('shows on a terminal how far it is, and leaves no half line behind', async () => {
    const at = world({ terminal: true, columns: 100, env: { NO_COLOR: '1' } });
    await run(at);
    expect(at.err()).toMatch(/making synthetic data: [\d,]+ rows in \d+ series/);
    expect(at.err()).toMatch(/\[#+-+\] 1\/7 fx eur usd: \d+ rows/);
    expect(at.err()).toMatch(/\d\/7 sentiment: \d+ rows/);
    expect(at.err().trimEnd().split('\n').at(-1)).toMatch(/3\/3 Offline: .* alone$/);
    expect(at.out()).not.toContain('\u001b');
  });

  test('speaks to this machine only, and leaves nothing listening', async () => {
    const origins = [...new Set(at.asked.map((url) => new URL(url).origin))];
    expect(origins).toHaveLength(1);
    for (const origin of origins) {
      expect(new URL(origin).hostname).toBe('127.0.0.1');
      await expect(nodeFetch(`${origin}/v1/ping`, {})).rejects.toThrow();
    }
  });

  test('what it says to type next works as typed', async () => {
    const typed = at.out().match(/^ {2}macro .*$/gm) ?? [];
    const commands = typed.map((line) =>
      line
        .replace(/ {2}# .*$/, '')
        .trim()
        .split(' ')
        .slice(1),
    );
    expect(commands.map(([first]) => first)).toEqual(['import', 'fx', 'serve', 'init']);
    for (const argv of commands.slice(1, 2)) {
      const again = testPlatform({ folder: at.folder });
      expect(await main(argv, again.platform)).toBe(0);
      expect(again.out().split('\n').length).toBeGreaterThan(3);
    }
  });

  test('starts from an empty mirror each time, and says nothing but the warning and the screen when it shall be quiet', async () => {
    const again = world({ folder: at.folder });
    await run(again, { quiet: true });
    const tableOf = (text: string) => text.slice(0, text.indexOf('Done in'));
    expect(tableOf(again.out())).toBe(tableOf(at.out()));
    expect(again.err()).toMatch(/^warning: [^\n]+\n$/);
  });

  test('marks its mirror as synthetic', async () => {
    const path = join(at.folder, 'macro', 'mirrors', 'demo', 'mirror.db');
    const mirror = await openMirror({ path, mappings: MAPPINGS, platform: at.platform, mode: 'read' });
    expect(await mirror.stamp()).toMatchObject({
      service: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      nature: 'synthetic',
    });
    mirror.close();
  });

  test('never puts a mirror away that it did not make', async () => {
    const at = world();
    const path = join(at.folder, 'macro', 'mirrors', 'demo', 'mirror.db');
    const { platform } = at;
    const own = await openMirror({ path, mappings: MAPPINGS, platform, mode: 'write' });
    await own.commitPage({
      series: { origin: 'https://api.example.com', endpoint: 'fx_sources', scope: {} },
      nature: 'real',
      access: 'keyless',
      request: 'GET /v1/fx/sources',
      question: 'fx_sources?',
      rows: [],
      extent: 'replaces',
      at: platform.clock.now(),
    });
    own.close();
    await expect(run(at)).rejects.toMatchObject({ kind: 'mirror', message: expect.stringContaining(path) });
    const kept = await openMirror({ path, mappings: MAPPINGS, platform, mode: 'read' });
    expect(await kept.find({ endpoint: 'fx_sources', scope: {} })).toHaveLength(1);
    kept.close();
  });

  test('stops when it is told to', async () => {
    const at = world();
    const stop = new AbortController();
    const app = createApp(at.platform, {}, stop.signal);
    stop.abort(new Error('stopped'));
    await expect(runDemo(app, { size: 'small' })).rejects.toThrow('stopped');
    expect(at.asked).toEqual([]);
  });
});

describe('what to type', () => {
  const place = { cwd: '/srv/here', home: '/home/ann', os: 'linux' } as const;
  const typed = (path: string, os: 'linux' | 'windows' = 'linux') =>
    typedPath(path, { ...testPlatform().platform, ...place, os });

  test('a path is as short as the shell allows, and quoted where it must be', () => {
    expect(typed('/home/ann/.local/share/macro/m.db')).toBe('~/.local/share/macro/m.db');
    expect(typed('/home/ann/Library/Application Support/m.db')).toBe('~/Library/Application\\ Support/m.db');
    expect(typed('/srv/here/macro/m.db')).toBe('macro/m.db');
    expect(typed('/srv/here/-x/m.db')).toBe('./-x/m.db');
    expect(typed("/srv/it's $1/m.db")).toBe("/srv/it\\'s\\ \\$1/m.db");
    expect(typed('C:\\Users\\Ann Lee\\m.db', 'windows')).toBe('"C:\\Users\\Ann Lee\\m.db"');
    expect(typed('C:\\Users\\ann\\m.db', 'windows')).toBe('C:\\Users\\ann\\m.db');
  });

  test('in a checkout the program is called by its file, elsewhere by its name', () => {
    const { platform, folder } = testPlatform();
    expect(programName(platform)).toBe('macro');
    expect(programName({ ...platform, env: { npm_lifecycle_event: 'start' } })).toBe('node bin/macro.js');
    for (const [name, file] of [
      ['bin', 'macro.js'],
      ['src', 'main.ts'],
    ] as const) {
      mkdirSync(join(folder, name));
      writeFileSync(join(folder, name, file), '');
    }
    expect(programName(platform)).toBe('node bin/macro.js');
  });
});
