import { MacroError } from '../errors.ts';
import type { Platform } from '../platform/platform.ts';
import type { Handler } from './handler.ts';

/** Milliseconds that a command may take for one event. */
const LONGEST = 300_000;

/** What shells answer for a command that is there and cannot be run, and for one that is not there. */
const NOT_RUN: ReadonlySet<number> = new Set([126, 127]);

export interface ExecParts extends Pick<Platform, 'run' | 'os'> {
  /** Told each line that the command prints. */
  readonly hear: (line: string) => Promise<void>;
}

/**
 * A command of the user's for each event, which it reads on its standard input: it has dealt with the event when it ends with
 * 0. It is not interrupted with us: an event that it has begun is dealt with to its end.
 */
export function execHandler(command: string, { run, os, hear }: ExecParts): Handler {
  const [shell, ...args] = os === 'windows' ? ['cmd.exe', '/d', '/s', '/c', command] : ['/bin/sh', '-c', command];
  return async ({ text }) => {
    const { code, stdout, stderr } = await run(shell ?? '', args, {
      input: `${text}\n`,
      longest: LONGEST,
      apart: true,
    });
    for (const line of `${stdout}\n${stderr}`.split('\n')) if (line.trim() !== '') await hear(line);
    if (code === 0) return undefined;
    const said = stderr.trim().split('\n').at(-1) ?? '';
    const why = said === '' ? `exit ${code}` : `exit ${code}: ${said}`;
    if (NOT_RUN.has(code)) throw notRun(why);
    return why;
  };
}

function notRun(why: string): MacroError {
  return new MacroError('usage', `The command of --exec cannot be run: ${why}.`, {
    code: 'exec_not_run',
    hint: 'Give a command that the shell finds; the event waits for it.',
  });
}
