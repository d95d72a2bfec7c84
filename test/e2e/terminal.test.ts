import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { MAPPINGS } from '../../src/endpoints/index.ts';
import { openMirror } from '../../src/mirror/sqlite/open.ts';
import type { Platform } from '../../src/platform/platform.ts';
import { ensureBuilt } from '../support/built.ts';
import { freshFolder, TEST_NOW, testPlatform } from '../support/platform.ts';
import { macro } from '../support/run.ts';
import { sandboxPath } from '../support/service.ts';
import { hasTmux, type TerminalSize, terminalServer } from '../support/tmux.ts';

const LINES = [
  'calendar usd --offline',
  'next usd --offline',
  'search core',
  'why eur/usd 2026-11-20',
  'sync --plan',
  'status',
  'latest usd --offline',
  'fx eur usd --indicators all --offline',
];

const SIZES: readonly TerminalSize[] = [
  { columns: 80, rows: 24 },
  { columns: 120, rows: 40 },
  { columns: 200, rows: 50 },
];

const hasLess = spawnSync('less', ['--version']).status === 0;

const SERVICE = 'http://127.0.0.1:8787';

const folder = freshFolder();
const home = join(folder, 'home');
const server = terminalServer();

/** The built program with a clock that stands still. */
function writeLauncher(): string {
  const path = join(folder, 'launch.mjs');
  const main = pathToFileURL(join(import.meta.dirname, '../../dist/main.js')).href;
  writeFileSync(
    path,
    `import { main, nodePlatform } from '${main}';
const platform = nodePlatform();
const clock = { ...platform.clock, now: () => ${TEST_NOW} };
process.exit(await main(process.argv.slice(2), { ...platform, clock }));
`,
  );
  return path;
}

/** A sandbox whose rows were read from the address that the terminal asks. */
async function boundSandbox(platform: Platform): Promise<string> {
  const path = join(folder, 'bound-sandbox.db');
  copyFileSync(await sandboxPath(platform), path);
  const sandbox = await openMirror({ path, mappings: MAPPINGS, platform, mode: 'write' });
  await sandbox.bind({ from: 'sandbox', to: SERVICE, at: platform.clock.now(), compared: 0, different: 0 });
  sandbox.close();
  return path;
}

let mirror = '';
let launcher = '';

beforeAll(async () => {
  if (!hasTmux) return;
  await ensureBuilt();
  const at = testPlatform({ folder });
  mirror = await boundSandbox(at.platform);
  launcher = writeLauncher();
  mkdirSync(home, { recursive: true });
  const env = { MACRO_HOME: home };
  await macro(
    'track add fx eur usd, announcements usd inflation, calendar usd, sentiment',
    testPlatform({ folder, env }),
  );
}, 120_000);

/** A terminal that runs commands one after the other, each when it is told to, and what they find. */
async function terminalOf(size: TerminalSize, lines: readonly string[], env: Readonly<Record<string, string>>) {
  const script = join(folder, 'commands.sh');
  const steps = lines.map(
    (line) => `clear; '${process.execPath}' '${launcher}' ${line}; tmux wait-for -S shown; tmux wait-for seen`,
  );
  writeFileSync(script, `${steps.join('\n')}\n`);
  return server.open(`sh '${script}'`, size, {
    PATH: process.env.PATH ?? '',
    HOME: home,
    LC_ALL: 'C.UTF-8',
    MACRO_HOME: home,
    MACRO_BASE_URL: SERVICE,
    MACRO_MIRROR: mirror,
    ...env,
  });
}

/** What the screen shows after each command, from the first line of its output on. */
async function screens(size: TerminalSize, isColored: boolean): Promise<readonly string[]> {
  // The first screen of what a pager would show.
  const pager = { MACRO_PAGER: `head -n ${size.rows - 2}` };
  const terminal = await terminalOf(size, LINES, { ...pager, ...(!isColored && { NO_COLOR: '1' }) });
  const shown: string[] = [];
  for (const _line of LINES) {
    await terminal.signalled('shown');
    shown.push(await terminal.screen(isColored ? 'styled' : undefined));
    await terminal.signal('seen');
  }
  await terminal.close().catch(() => undefined);
  return shown;
}

/** The text of a screen without what differs from one machine to the next. */
function textOf(screen: string): string {
  return stripVTControlCharacters(screen)
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .trimEnd()
    .replace(/mirror {6}\S+,\s+[\d.]+ MB/, 'mirror      FILE, SIZE');
}

describe.skipIf(!hasTmux)('in a real terminal (where tmux is installed)', () => {
  it.each(SIZES)('of $columns columns and $rows lines, what one came for is on the screen', async (size) => {
    const plain = await screens(size, false);
    const texts = plain.map(textOf);
    const shown = LINES.map((line, i) => `$ macro ${line}\n\n${texts[i]}\n`).join('\n\n');
    const name = `${size.columns}x${size.rows}.txt`;
    await expect(shown).toMatchFileSnapshot(join(import.meta.dirname, 'screens', name));
    expect(plain.join('')).not.toContain('\u001b');
    const colored = await screens(size, true);
    expect(colored.map(textOf)).toEqual(texts);
    for (const screen of colored) expect(screen).toContain('\u001b[1m');
  });

  it.skipIf(!hasLess)('less shows what is longer than the screen, and leaves it there', async () => {
    const terminal = await terminalOf({ columns: 80, rows: 24 }, ['fx eur usd --indicators all --offline'], {});
    await expect.poll(() => terminal.screen()).toMatch(/^2026-11-20 .*\n:$/ms);
    expect(await terminal.screen()).not.toContain('williams_r_14');
    await terminal.press('G');
    await expect.poll(() => terminal.screen()).toMatch(/williams_r_14 .*\n\(END\)$/ms);
    await terminal.press('q');
    await terminal.signalled('shown');
    expect(await terminal.screen()).toContain('  ema_50 ');
    await terminal.close();
  });
});
