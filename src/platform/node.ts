import { type ChildProcess, spawn } from 'node:child_process';
import { fstatSync, writeSync } from 'node:fs';
import { homedir, hostname } from 'node:os';
import process from 'node:process';
import { MacroError } from '../errors.ts';
import { fileError, systemCode } from './file-error.ts';
import { type KeyringEntry, loadKeyring } from './keyring-module.ts';
import { nodeClock, nodeRandom } from './node-clock.ts';
import { nodeFiles } from './node-files.ts';
import { createNodeFetch, createNodeResolve, nodePost } from './node-network.ts';
import type { Input, Io, Keychain, Output, Platform, Run, ShowPaged, Signals } from './platform.ts';

const DEFAULT_COLUMNS = 80;
const DEFAULT_ROWS = 24;

/** One of the standard streams. Node's own object for it takes milliseconds to make, so it is made when it is needed. */
interface Standard {
  readonly descriptor: number;
  stream(): NodeJS.WriteStream;
  /** The meaning of a refused write: nothing, the end of the program, or an error. */
  refused(error: unknown): void;
}

/** Under which the system lists our entries. */
const SERVICE = 'macro-data';

/** The library may fall back to a keyring of the kernel, which forgets everything when the machine ends: never that one. */
const HOW = { linux: { store: 'secret-service' } } as const;

const NAMES: Readonly<Record<string, string>> = { darwin: 'the keychain of macOS', win32: 'the Credential Manager' };

/** The exit code of shells for a program that is not there. */
const NOT_FOUND = 127;

/** Milliseconds for a program that answers at once. */
const MAX_RUN_MS = 30_000;

/** Milliseconds that a program has to end by itself; then it is killed. */
const GRACE = 5_000;

/** Milliseconds for the rest of what a program said before it ended. */
const DRAIN = 200;

/** Characters that are stored of a program's output. */
const MAX_OUTPUT_CHARACTERS = 4 * 1024 * 1024;

/** Milliseconds for a group that has to end because we end. */
const GROUP_GRACE = 1_000;

const TOLD = ['SIGINT', 'SIGTERM'] as const;

/** Exit codes of shells for a program that they do not find, or may not start. */
const NOT_STARTED = [126, 127];

/** The real world, as Node shows it. */
export function nodePlatform(): Platform {
  return {
    clock: nodeClock,
    random: nodeRandom,
    fetch: createNodeFetch(process.env),
    resolve: createNodeResolve(),
    post: nodePost,
    files: nodeFiles,
    io: nodeIo(),
    env: process.env,
    signals: nodeSignals,
    keychain: nodeKeychain(process.env),
    run: nodeRun,
    page: nodePage,
    // The single executable has its own path in both places.
    program: [...new Set([process.execPath, ...process.argv.slice(1, 2)])],
    pid: process.pid,
    isRunning,
    host: hostname(),
    cwd: process.cwd(),
    home: homedir(),
    runtime: `Node ${process.versions.node}`,
    os: systemOf(process.platform),
  };
}

/** Signal 0 asks only. A process of another user is there too. */
function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

export const nodeSignals: Signals = {
  onInterrupt(handler) {
    const interrupted = () => handler('SIGINT');
    const terminated = () => handler('SIGTERM');
    process.on('SIGINT', interrupted);
    process.on('SIGTERM', terminated);
    return () => {
      process.off('SIGINT', interrupted);
      process.off('SIGTERM', terminated);
    };
  },
  onHangup(handler) {
    process.on('SIGHUP', handler);
    return () => void process.off('SIGHUP', handler);
  },
};

function systemOf(name: string): Platform['os'] {
  if (name === 'darwin') return 'macos';
  return name === 'win32' ? 'windows' : 'linux';
}

/** The three standard streams. */
function nodeIo(): Io {
  return {
    stdout: createOutput({ descriptor: 1, stream: () => process.stdout, refused: refuseData }),
    // Talk that nobody can hear is dropped: it must cost neither the work nor its data.
    stderr: createOutput({ descriptor: 2, stream: () => process.stderr, refused: () => undefined }),
    stdin: nodeInput,
  };
}

/**
 * Writes resolve when handed on, so that nothing is lost at exit. Files and pipes directly, others through a stream.
 */
function createOutput(standard: Standard): Output {
  const isDevice = isCharacterDevice(standard.descriptor);
  const viaStream = streamWriter(standard);
  let isDirect = !isDevice;
  return {
    get isTerminal() {
      return isDevice && standard.stream().isTTY === true;
    },
    get columns() {
      return (isDevice && standard.stream().columns) || DEFAULT_COLUMNS;
    },
    get rows() {
      return (isDevice && standard.stream().rows) || DEFAULT_ROWS;
    },
    async write(text) {
      if (!isDirect) return viaStream(text);
      const bytes = Buffer.from(text);
      let written = 0;
      try {
        while (written < bytes.length) written += writeSync(standard.descriptor, bytes, written);
      } catch (error) {
        if (systemCode(error) !== 'EAGAIN') return standard.refused(error);
        // The pipe is non-blocking: its reader is late, and Node's stream knows how to wait for it.
        isDirect = false;
        return viaStream(bytes.subarray(written));
      }
    },
  };
}

function streamWriter(standard: Standard): (text: string | Uint8Array) => Promise<void> {
  let guarded = false;
  return (text) => {
    const stream = standard.stream();
    // Without a listener a broken pipe would be an uncaught error, besides the error of the write.
    if (!guarded) stream.on('error', () => undefined);
    guarded = true;
    return new Promise<void>((resolve, reject) => {
      stream.write(text, (error) => (error ? reject(error) : resolve()));
    }).catch(standard.refused);
  };
}

/** A reader of the data that has gone away ends the program; data that cannot be written are an error. */
function refuseData(error: unknown): void {
  if (systemCode(error) !== 'EPIPE') throw fileError('write to', 'the output', error);
  process.exit(0);
}

/** Terminals are; /dev/null is too. A descriptor that is closed is left to Node's stream. */
function isCharacterDevice(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isCharacterDevice();
  } catch {
    return true;
  }
}

const nodeInput: Input = {
  get isTerminal() {
    return process.stdin.isTTY === true;
  },
  async readBytes() {
    const chunks: Uint8Array[] = [];
    for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk));
    return new Uint8Array(Buffer.concat(chunks));
  },
  async *pieces() {
    for await (const chunk of process.stdin) yield Buffer.from(chunk);
  },
};

/** The keychain of the system. Its library is a native one: it is loaded when a key goes there or comes from there. */
function nodeKeychain(env: Readonly<Record<string, string | undefined>>): Keychain {
  const name = NAMES[process.platform] ?? 'the keyring of the desktop';
  const attempt = <T>(account: string, work: (entry: KeyringEntry) => T): T => {
    const lacking = missingOfSession(env);
    if (lacking !== undefined) throw unavailable(name, lacking);
    try {
      return work(new (loadKeyring().Entry)(SERVICE, account, HOW));
    } catch (error) {
      throw unavailable(name, error instanceof Error ? error.message : String(error), error);
    }
  };
  return {
    describe: (account) => `${name}, entry ${SERVICE} ${account}`,
    missingPart() {
      try {
        attempt('probe', (entry) => entry.getPassword());
        return undefined;
      } catch (error) {
        if (error instanceof MacroError) return error.message;
        throw error;
      }
    },
    read: (account) => attempt(account, (entry) => entry.getPassword()) ?? undefined,
    write: (account, secret) => attempt(account, (entry) => entry.setPassword(secret)),
    remove: (account) => void attempt(account, (entry) => entry.deletePassword()),
  };
}

/** On Linux it is a program of the desktop session, found by the address of the session's bus. */
function missingOfSession(env: Readonly<Record<string, string | undefined>>): string | undefined {
  if (process.platform !== 'linux' || env.DBUS_SESSION_BUS_ADDRESS) return undefined;
  return 'there is no desktop session (DBUS_SESSION_BUS_ADDRESS is not set)';
}

function unavailable(name: string, why: string, cause?: unknown): MacroError {
  return new MacroError('auth', `${name[0]?.toUpperCase()}${name.slice(1)} does not answer: ${why}.`, {
    code: 'keychain_unavailable',
    hint: 'Unlock it, or keep the key in a file that only you can read: macro auth login --keep-in file',
    cause,
  });
}

export const nodeRun: Run = (
  program,
  args,
  { input = '', longest = MAX_RUN_MS, env, apart = false, isAbrupt = false, hear: listen, signal: end } = {},
) =>
  new Promise((resolve) => {
    // A group of its own gets none of the signals that the terminal sends, and is ended as a whole.
    const child = spawn(program, [...args], {
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: apart,
      ...(env && { env: { ...env } }),
    });
    const forget = apart ? endWithUs(child) : () => undefined;
    let isLate: true | undefined;
    const stop = () => {
      clearTimeout(late);
      endProgram(child, apart, isAbrupt ? 'SIGKILL' : 'SIGTERM');
      late = setTimeout(() => endProgram(child, apart, 'SIGKILL'), Math.min(longest, GRACE));
    };
    let late = setTimeout(() => {
      isLate = true;
      stop();
    }, longest);
    end?.addEventListener('abort', stop, { once: true });
    const release = () => {
      clearTimeout(late);
      end?.removeEventListener('abort', stop);
      forget();
    };
    const said = { stdout: '', stderr: '' };
    const hear = (name: keyof typeof said) => (text: string) => {
      if (said[name].length < MAX_OUTPUT_CHARACTERS) said[name] += text;
    };
    child.stdout.setEncoding('utf8').on('data', hear('stdout'));
    if (listen) child.stdout.on('data', listen);
    child.stderr.setEncoding('utf8').on('data', hear('stderr'));
    child.on('error', (error) => {
      release();
      resolve({ code: NOT_FOUND, stdout: '', stderr: error.message });
    });
    const finish = (code: number | null, signal: NodeJS.Signals | null) => {
      release();
      const ended = signal && { stderr: `ended by ${signal}` };
      resolve({ code: code ?? 1, ...said, ...ended, ...(isLate && { isLate }) });
    };
    child.on('close', finish);
    // After it has ended, its children may keep its output open for hours: nobody waits for that.
    if (apart)
      child.on('exit', (code, signal) => {
        if (signal !== null) return;
        clearTimeout(late);
        setTimeout(() => finish(code, signal), DRAIN);
      });
    // A program that does not read its input is not our concern.
    child.stdin.on('error', () => undefined).end(input);
  });

function endProgram(child: ChildProcess, isGroup: boolean, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    if (isGroup && child.pid !== undefined) process.kill(-child.pid, signal);
    else child.kill(signal);
  } catch {
    // It ended by itself meanwhile.
  }
}

/**
 * Ends a process group with this program: the first signal only asks, the second ends both. Returns a function that
 * stops listening.
 */
function endWithUs(child: ChildProcess): () => void {
  let times = 0;
  const hear = (signal: (typeof TOLD)[number]) => {
    times += 1;
    if (times === 1) return;
    endProgram(child, true, times === 2 ? 'SIGTERM' : 'SIGKILL');
    if (times > 2) return;
    setTimeout(() => endProgram(child, true, 'SIGKILL'), GROUP_GRACE);
    const follow = () => {
      // Its children may have ignored SIGTERM.
      endProgram(child, true, 'SIGKILL');
      release();
      process.kill(process.pid, signal);
    };
    if (child.exitCode === null && child.signalCode === null) child.once('exit', follow);
    else follow();
  };
  const release = () => {
    for (const signal of TOLD) process.off(signal, hear);
  };
  for (const signal of TOLD) process.on(signal, hear);
  return () => {
    // After a second signal it stays until both have ended.
    if (times < 2) release();
  };
}

/** Shows a text in a pager of this terminal and waits until the person leaves it. False when there is no such pager. */
const nodePage: ShowPaged = (command, text) =>
  new Promise((resolve) => {
    // Ctrl-C belongs to the pager while it is open.
    const ignore = () => undefined;
    process.on('SIGINT', ignore);
    const child = spawn(command, { shell: true, stdio: ['pipe', 'inherit', 'ignore'] });
    const finish = (isShown: boolean) => {
      process.off('SIGINT', ignore);
      resolve(isShown);
    };
    // The person may leave before all of the text is read.
    child.stdin.on('error', () => undefined).end(text);
    child.on('error', () => finish(false));
    child.on('close', (code) => finish(code === null || !NOT_STARTED.includes(code)));
  });
