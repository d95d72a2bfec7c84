import { MacroError } from '../../errors.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Handler } from './handler.ts';

export interface ExecParts extends Pick<Platform, 'run' | 'os'> {
  /** Milliseconds that a command may take for one event. */
  readonly longest: number;
  readonly env: Platform['env'];
  /** Told each line that the command prints. */
  readonly hear: (line: string) => Promise<void>;
}

/**
 * A command of the user's for each event, which it reads on its standard input: it has dealt with the event when it ends with
 * 0. It is not interrupted with us: an event that it has begun is dealt with to its end.
 */
export function execHandler(command: string, { run, os, longest, env, hear }: ExecParts): Handler {
  const [shell, ...args] = os === 'windows' ? ['cmd.exe', '/d', '/s', '/c', command] : ['/bin/sh', '-c', command];
  return async ({ text }) => {
    const ran = await run(shell ?? '', args, { input: `${text}\n`, longest, env, apart: true });
    const { code, stdout, stderr, isLate = false } = ran;
    for (const line of `${stdout}\n${stderr}`.split('\n')) if (line.trim() !== '') await hear(line);
    if (isLate) return `it took longer than ${longest / 1000} s (--exec-timeout) and was ended`;
    if (code === 0) return undefined;
    const said = stderr.trim().split('\n').at(-1) ?? '';
    return said === '' ? `exit ${code}` : `exit ${code}: ${said}`;
  };
}

/** What shells answer for a command that is there and cannot be run, and for one that is not there. */
const NOT_RUN: ReadonlySet<number> = new Set([126, 127]);

/** Some shells find a file that cannot be run. */
const FIND = `found=$(command -v -- "$1") || exit 127
case $found in */*) [ -f "$found" ] && [ -x "$found" ] || exit 126 ;; esac`;

/**
 * Refuses a command whose first word the shell does not find, before an event is given to it. Later it may be missing for a
 * moment, or something inside of it may be, which is a failure like others. A first word that only the shell can read, such
 * as a variable, is left to it, and so is all of it on Windows.
 * @throws MacroError of kind `usage`.
 */
export async function refuseMissing(command: string, { run, os }: Pick<ExecParts, 'run' | 'os'>): Promise<void> {
  const [, word] = /^\s*([\w./+-]+)(?=\s|$|[;|&<>])/.exec(command) ?? [];
  if (word === undefined || os === 'windows') return;
  const { code } = await run('/bin/sh', ['-c', FIND, 'sh', word]);
  if (!NOT_RUN.has(code)) return;
  const why = code === 127 ? `${word} is not there` : `${word} is no program that may be run`;
  throw new MacroError('usage', `The command of --exec cannot be run: ${why}.`, {
    code: 'exec_not_run',
    hint: 'Give a command that the shell finds from here; no event was given to it.',
  });
}
