import { readFileSync, statSync } from 'node:fs';
import { homedir, platform } from 'node:os';
import { join } from 'node:path';

/** Whom a password is for. */
export interface PasswordFilePosition {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
}

/** There, files have no such modes, and another place. */
const ON_WINDOWS = platform() === 'win32';

/**
 * The password that libpq's file has for a connection: the one that PGPASSFILE names, else ~/.pgpass. As with libpq, a file
 * that others may read is passed over. https://www.postgresql.org/docs/current/libpq-pgpass.html
 */
export function passwordFor(
  place: PasswordFilePosition,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const path = env.PGPASSFILE || usualFile(env);
  const { mode } = statSync(path, { throwIfNoEntry: false }) ?? {};
  if (mode === undefined || (!ON_WINDOWS && (mode & 0o077) !== 0)) return undefined;
  return passwordIn(readFileSync(path, 'utf8'), place);
}

function usualFile(env: Readonly<Record<string, string | undefined>>): string {
  if (ON_WINDOWS && env.APPDATA) return join(env.APPDATA, 'postgresql', 'pgpass.conf');
  return join(env.HOME ?? homedir(), '.pgpass');
}

/** The password of the first line that fits. A `*` fits everything, and a socket of this machine is called localhost. */
export function passwordIn(text: string, { host, port, database, user }: PasswordFilePosition): string | undefined {
  const expected = [host.startsWith('/') ? 'localhost' : host, String(port), database, user];
  for (const line of text.split(/\r?\n/)) {
    if (line.startsWith('#')) continue;
    const fields = fieldsOf(line);
    const password = fields[expected.length];
    if (password !== undefined && expected.every((value, i) => fields[i] === '*' || fields[i] === value))
      return password;
  }
  return undefined;
}

/** A backslash takes a colon or a backslash for itself. */
function fieldsOf(line: string): readonly string[] {
  return [...line.matchAll(/((?:\\.|[^:\\])*)(?::|$)/g)].map(([, field = '']) => field.replaceAll(/\\(.)/g, '$1'));
}
