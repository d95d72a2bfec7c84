import { MacroError } from '../errors.ts';
import type { Fetch, Platform } from '../platform/platform.ts';
import type { Handler } from './consume.ts';

interface ExecParts extends Pick<Platform, 'run' | 'os'> {
  /** Milliseconds that a command may take for one event. */
  readonly longest: number;
  readonly env: Platform['env'];
  /** Called with each line that the command prints. */
  readonly hear: (line: string) => Promise<void>;
}

/** Variables that hold a secret of ours. A command that deals with an event needs none of them. */
export const SECRET_VARIABLES = [
  'MACRO_API_KEY',
  'FXMACRODATA_API_KEY',
  'FXMD_API_KEY',
  'MACRO_WEBHOOK_SECRET',
  'PGPASSWORD',
] as const;

/** Milliseconds for one post. */
const MAX_POST_MS = 15_000;

/** Runs a command for each event on its standard input: exit 0 is done. It is not interrupted with us. */
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

/** Exit codes of a shell for a command that cannot be run (126) or is missing (127). */
const NOT_RUN: ReadonlySet<number> = new Set([126, 127]);

/** Some shells find a file that cannot be run. */
const FIND = `found=$(command -v -- "$1") || exit 127
case $found in */*) [ -f "$found" ] && [ -x "$found" ] || exit 126 ;; esac`;

/**
 * Refuses a command whose first word the shell does not find, except on Windows or for words of the shell.
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

/** The address of a server with the password of a user, such as MACRO_MIRROR may be. */
const WITH_PASSWORD = /^postgres(?:ql)?:\/\/[^/@\s]*:[^/@\s]+@/i;

/** The environment without our secrets, except named ones, in any letter case, as Windows has it. */
export function childEnv({ env }: Pick<Platform, 'env'>, passed: readonly string[]): Platform['env'] {
  const named = new Set(passed.map((name) => name.toUpperCase()));
  const stored = new Set<string>(SECRET_VARIABLES.filter((name) => !named.has(name)));
  const isSecret = (name: string, value = '') => stored.has(name) || (WITH_PASSWORD.test(value) && !named.has(name));
  return Object.fromEntries(Object.entries(env).filter(([name, value]) => !isSecret(name.toUpperCase(), value)));
}

/** Reads a list of variables. @throws MacroError of kind `usage` for what cannot be the name of one. */
export function readVariableNames(text: string): readonly string[] {
  const names = text.split(',').map((name) => name.trim());
  const wrong = names.find((name) => !/^[A-Za-z_]\w*$/.test(name));
  if (wrong === undefined) return names;
  // The text here may be a value, and so a secret: it is not repeated.
  throw new MacroError('usage', '--exec-env takes names of variables, separated by commas.', {
    code: 'bad_arguments',
    hint: `For example --exec-env MACRO_API_KEY. Otherwise these variables are withheld: ${SECRET_VARIABLES.join(', ')}.`,
  });
}

/** Posts each event as JSON: 2xx is done. No redirects, no key; the event's id is the idempotency key. */
export function forwardHandler(address: string, fetch: Fetch): Handler {
  const url = readUrl(address);
  return async ({ id, text }) => {
    const headers = { 'content-type': 'application/json', 'idempotency-key': id };
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers,
        body: text,
        redirect: 'manual',
        deadline: MAX_POST_MS,
      });
      await response.body?.cancel();
      return response.ok ? undefined : `${new URL(url).origin} answered ${response.status}`;
    } catch (error) {
      return `no answer from ${new URL(url).origin}: ${reasonOf(error)}`;
    }
  };
}

function readUrl(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isPlain = url && url.username === '' && url.password === '' && url.hash === '';
  if (isPlain && (url.protocol === 'http:' || url.protocol === 'https:')) return url.href;
  // The text here could contain a secret: it is not repeated.
  throw new MacroError('usage', 'The address of --forward is none that can be posted to.', {
    code: 'bad_forward',
    hint: 'Give one like http://127.0.0.1:9000/events, without user name and fragment.',
  });
}

/** `fetch` wraps what happened; the reason is at the bottom. */
function reasonOf(error: unknown): string {
  let found = error;
  while (found instanceof Error && found.cause instanceof Error) found = found.cause;
  if (!(found instanceof Error)) return String(found);
  return 'code' in found && typeof found.code === 'string' ? found.code : found.message;
}
