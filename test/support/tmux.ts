import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll } from 'vitest';

const run = promisify(execFile);

/** Whether terminals can be driven here. */
export const hasTmux = spawnSync('tmux', ['-V']).status === 0;

/** No step of a terminal takes so long: what does will never end. */
const MAX_STEP_MS = 60_000;

export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

export interface TerminalServer {
  /** Runs a command in a terminal of its own, with nothing in its environment but what is given. */
  open(command: string, size: TerminalSize, env: Readonly<Record<string, string>>): Promise<Terminal>;
}

/** A terminal that a program draws on and a test types into. */
export interface Terminal {
  /** Puts another command in place of the one that runs, and writes all that it sends to the terminal into a file. */
  run(command: string, file: string): Promise<void>;
  /** Types text as it is. */
  type(text: string): Promise<void>;
  /** Presses keys by the names that tmux has for them: `Tab`, `C-u`, `Enter`. */
  press(...keys: readonly string[]): Promise<void>;
  /** What the screen shows; `styled` keeps the escapes of colours. */
  screen(styled?: 'styled'): Promise<string>;
  /** Waits until a program in the terminal ran `tmux wait-for -S NAME`. */
  signalled(name: string): Promise<void>;
  /** Lets a program go on that runs `tmux wait-for NAME`. */
  signal(name: string): Promise<void>;
  close(): Promise<void>;
}

let servers = 0;

/** A tmux server of its own, ended with the tests of the file. Every step is bounded, so that nothing waits for ever. */
export function terminalServer(): TerminalServer {
  const socket = `macro-test-${process.pid}-${++servers}`;
  const tmux = async (...words: readonly string[]): Promise<string> => {
    const env = { ...process.env, TMUX: '', LC_ALL: 'C.UTF-8' };
    const options = { env, timeout: MAX_STEP_MS, killSignal: 'SIGKILL' } as const;
    return (await run('tmux', ['-u', '-L', socket, '-f', '/dev/null', ...words], options)).stdout;
  };
  afterAll(async () => {
    // Without a server there is nothing to end.
    await tmux('kill-server').catch(() => undefined);
  });
  // Otherwise a server ends with its last terminal, and the next one may find it half gone.
  let started: Promise<string> | undefined;
  const start = () => (started ??= tmux('start-server', ';', 'set-option', '-g', 'exit-empty', 'off'));
  let opened = 0;
  return {
    async open(command, { columns, rows }, env) {
      await start();
      const name = `t${++opened}`;
      const assigned = Object.entries(env).map(([key, value]) => `${key}=${value}`);
      const size = ['-x', String(columns), '-y', String(rows)];
      const clean = ['env', '-i', `TMUX_TMPDIR=${process.env.TMUX_TMPDIR ?? ''}`, ...assigned].map(quoted).join(' ');
      // The socket of the server is told to the terminal alone, so it is handed on by hand.
      const line = `exec ${clean.replace("'-i'", `-i TMUX="$TMUX" TERM="$TERM"`)} ${command}`;
      await tmux('new-session', '-d', '-s', name, ...size, line);
      await tmux('set-option', '-t', name, 'status', 'off');
      return {
        async run(started, file) {
          await tmux('pipe-pane', '-t', name, '-O', `cat >'${file}'`);
          await tmux('respawn-pane', '-k', '-t', name, started);
        },
        type: async (text) => void (await tmux('send-keys', '-t', name, '-l', text)),
        press: async (...keys) => void (await tmux('send-keys', '-t', name, ...keys)),
        screen: (styled) => tmux('capture-pane', '-p', '-J', ...(styled ? ['-e'] : []), '-t', name),
        signalled: async (channel) => void (await tmux('wait-for', channel)),
        signal: async (channel) => void (await tmux('wait-for', '-S', channel)),
        close: async () => void (await tmux('kill-session', '-t', name)),
      };
    },
  };
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
