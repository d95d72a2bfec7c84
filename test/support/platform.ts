import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';
import { MacroError } from '../../src/errors.ts';
import { nodeFiles } from '../../src/platform/node-files.ts';
import type {
  Fetch,
  Keychain,
  Output,
  Platform,
  Post,
  Random,
  Resolve,
  Run,
  ShowPaged,
} from '../../src/platform/platform.ts';
import { type TestClock, testClock } from './clock.ts';

export interface TestPlatformOptions {
  /** Start of the clock: milliseconds or an ISO instant. Default 2026-11-21T05:46:13Z. */
  readonly now?: number | string;
  /** Whether `clock.sleep` moves the clock by itself (default) or waits for `advance`. */
  readonly sleeping?: 'jumps' | 'waits';
  readonly seed?: number;
  /** Default: every request fails loudly. */
  readonly fetch?: Fetch;
  /** Default: no name is known. */
  readonly resolve?: Resolve;
  /** Default: every delivery fails loudly. */
  readonly post?: Post;
  /** Added to `MACRO_HOME`, which points into the folder; undefined takes a variable away. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Whether stdout, stderr and stdin are terminals; default none is. */
  readonly terminal?: boolean;
  readonly columns?: number;
  /** Lines of the terminals; default more than any text has, so that no pager opens. */
  readonly rows?: number;
  /** Default: no pager is there. */
  readonly page?: ShowPaged;
  readonly stdin?: string | Uint8Array;
  readonly os?: Platform['os'];
  /** Default: no other program is there. */
  readonly run?: Run;
  /** Default: the system has none. */
  readonly keychain?: Keychain;
  readonly pid?: number;
  /** A folder to use instead of a fresh one, to run "again" in the same place; the caller removes it. */
  readonly folder?: string;
}

export interface TestPlatform {
  readonly platform: Platform;
  readonly clock: TestClock;
  /** All of standard output so far. */
  out(): string;
  /** All of standard error so far. */
  err(): string;
  /** Fresh temporary folder, absolute; working folder of the platform. Removed when the test ends. */
  readonly folder: string;
  /** Delivers SIGHUP to whoever listens. */
  hangUp(): void;
  /** Delivers a signal to whoever listens. */
  interrupt(signal?: 'SIGINT' | 'SIGTERM'): void;
}

const noKeychain = (): never => {
  throw new MacroError('auth', 'The keyring of the desktop does not answer: there is none.', {
    code: 'keychain_unavailable',
  });
};

const NO_KEYCHAIN: Keychain = {
  describe: (account) => `no keychain, entry ${account}`,
  missingPart: () => 'The keyring of the desktop does not answer: there is none.',
  read: noKeychain,
  write: noKeychain,
  remove: noKeychain,
};

export const TEST_NOW = Date.parse('2026-11-21T05:46:13Z');

/** A world for one test: a clock that moves by hand, seeded randomness, captured output, real files in a folder of its own. */
export function testPlatform(options: TestPlatformOptions = {}): TestPlatform {
  const clock = testClock(instantOf(options.now), options.sleeping);
  const folder = options.folder ?? freshFolder();
  const home = join(folder, 'home');
  mkdirSync(home, { recursive: true });
  const stdout = captured(options);
  const stderr = captured(options);
  const hangups = new Set<() => void>();
  const handlers = new Set<(signal: 'SIGINT' | 'SIGTERM') => void>();
  const platform: Platform = {
    clock,
    random: seededRandom(options.seed ?? 1),
    fetch: options.fetch ?? refuseRequests,
    resolve: options.resolve ?? (async () => []),
    post: options.post ?? refusePosts,
    files: nodeFiles,
    io: {
      stdout: stdout.output,
      stderr: stderr.output,
      stdin: {
        isTerminal: options.terminal ?? false,
        readBytes: async () => bytesOf(options.stdin ?? ''),
        async *pieces() {
          yield bytesOf(options.stdin ?? '');
        },
      },
    },
    env: { MACRO_HOME: join(folder, 'macro'), ...options.env },
    signals: {
      onInterrupt(handler) {
        handlers.add(handler);
        return () => void handlers.delete(handler);
      },
      onHangup(handler) {
        hangups.add(handler);
        return () => void hangups.delete(handler);
      },
    },
    keychain: options.keychain ?? NO_KEYCHAIN,
    run: options.run ?? (async (program) => ({ code: 127, stdout: '', stderr: `${program}: not found` })),
    page: options.page ?? (async () => false),
    program: ['/opt/node/bin/node', '/opt/macro/bin/macro.js'],
    pid: options.pid ?? 4242,
    isRunning: () => true,
    host: 'desk-a',
    cwd: folder,
    home,
    runtime: 'Node 24.0.0',
    os: options.os ?? 'linux',
  };
  return {
    platform,
    clock,
    out: stdout.text,
    err: stderr.text,
    folder,
    hangUp() {
      for (const handler of [...hangups]) handler();
    },
    interrupt(signal = 'SIGINT') {
      for (const handler of [...handlers]) handler(signal);
    },
  };
}

/** A small generator (mulberry32): the same seed gives the same numbers everywhere. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const number = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return { number, bytes: (count) => Uint8Array.from({ length: count }, () => Math.floor(number() * 256)) };
}

/** A new folder that is removed when the running test ends; outside of a test, when its file ends. */
export function freshFolder(): string {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'macro-test-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  for (const register of [onTestFinished, afterAll, removeAtExit]) {
    try {
      register(remove);
      break;
    } catch {
      // Not inside of a test, or not while a file is collected: the next one knows.
    }
  }
  return folder;
}

function removeAtExit(remove: () => void): void {
  process.once('exit', remove);
}

function captured(options: TestPlatformOptions): { output: Output; text: () => string } {
  const parts: string[] = [];
  return {
    output: {
      isTerminal: options.terminal ?? false,
      columns: options.columns ?? 80,
      rows: options.rows ?? 10_000,
      async write(text) {
        parts.push(Buffer.from(text).toString());
      },
    },
    text: () => parts.join(''),
  };
}

const refuseRequests: Fetch = async (url, init) => {
  throw new Error(`This test expects no request, but ${init.method ?? 'GET'} ${url} was sent`);
};

const refusePosts: Post = async ({ url }) => {
  throw new Error(`This test expects no delivery, but one to ${url} was posted`);
};

function instantOf(now: number | string | undefined): number {
  return typeof now === 'string' ? Date.parse(now) : (now ?? TEST_NOW);
}

function bytesOf(input: string | Uint8Array): Uint8Array {
  return typeof input === 'string' ? new TextEncoder().encode(input) : input;
}
