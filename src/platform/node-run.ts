import { spawn } from 'node:child_process';
import { endProgram, endWithUs } from './apart.ts';
import type { Run } from './platform.ts';

/** What shells answer for a program that is not there. */
const NOT_FOUND = 127;

/** Milliseconds for a program that answers at once. */
const MAX_RUN_MS = 30_000;

/** Milliseconds at most that a program which is told to end has for it; then it is ended whatever it does. */
const GRACE = 5_000;

/** Milliseconds for the rest of what a program said before it ended. */
const DRAIN = 200;

/** Characters that are kept of what a program says. */
const MAX_OUTPUT_CHARACTERS = 4 * 1024 * 1024;

/** Runs another program and gives all that it said. */
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
    // When it ends by itself, what it left running may hold its output open for hours: that is not waited for.
    if (apart)
      child.on('exit', (code, signal) => {
        if (signal !== null) return;
        clearTimeout(late);
        setTimeout(() => finish(code, signal), DRAIN);
      });
    // A program that does not read its input is not our concern.
    child.stdin.on('error', () => undefined).end(input);
  });
