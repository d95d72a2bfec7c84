import { spawn } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { MAPPINGS } from '../../src/endpoints/index.ts';
import { openMirror } from '../../src/mirror/sqlite/open.ts';
import type { Platform } from '../../src/platform/platform.ts';
import { fillSandbox } from '../../src/sandbox/fill.ts';
import { SANDBOX_FILE, SANDBOX_SEED } from '../../src/sandbox/open.ts';
import { ensureBuilt, PROGRAM } from './built.ts';
import { madeOnce } from './made-once.ts';
import { freshFolder, testPlatform } from './platform.ts';

export interface Serving {
  /** Origin of the server, without a path. */
  readonly origin: string;
  /** What it said until it listened. */
  readonly said: string;
  stop(): Promise<void>;
  /** Ends it without a word, as a crash does. */
  kill(): Promise<void>;
}

/** Starts `macro serve` on a free port of this machine, that of the build or of another `program`, and waits until it listens. */
export async function startServing(
  words: readonly string[],
  env: Readonly<Record<string, string>>,
  [command, ...before]: readonly [string, ...string[]] = [process.execPath, PROGRAM],
): Promise<Serving> {
  const child = spawn(command, [...before, 'serve', '--port', '0', ...words], { env: { ...env } });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const said: string[] = [];
  const origin = await new Promise<string>((resolve, reject) => {
    child.stderr.on('data', (text) => {
      said.push(String(text));
      const address = /(http:\/\/[^/]+)\/v1/.exec(said.join(''))?.[1];
      if (address !== undefined) resolve(address);
    });
    child.once('exit', (code) => reject(new Error(`serve ended with ${code}: ${said.join('')}`)));
  });
  return {
    origin,
    said: said.join(''),
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** The moment that a served sandbox takes for now: a Friday, 14:00 UTC. */
export const SANDBOX_NOW = '2026-11-20T14:00:00Z';

/** `macro serve --sandbox` with access rules and without quotas, in a home of its own. */
export async function startSandbox(
  home = freshFolder(),
  words: readonly string[] = [],
  { quotas = false } = {},
): Promise<Serving> {
  await ensureBuilt();
  const filled = await fullSandboxPath(testPlatform({ now: SANDBOX_NOW }).platform);
  mkdirSync(join(home, 'mirrors'), { recursive: true });
  copyFileSync(filled, join(home, 'mirrors', SANDBOX_FILE));
  return startServing(['--sandbox', ...(quotas ? [] : ['--no-quota']), '--clock', SANDBOX_NOW, ...words], {
    MACRO_HOME: home,
  });
}

/** The file of the whole data set of an instant, as `serve --sandbox` fills it; only read from then on. */
export function fullSandboxPath(platform: Platform): Promise<string> {
  const now = platform.clock.now();
  return madeOnce(`full-${now}.db`, async (path) => {
    const mirror = await openMirror({ path, mappings: MAPPINGS, platform, mode: 'write' });
    await fillSandbox({ mirror, seed: SANDBOX_SEED, now });
    mirror.close();
  });
}
