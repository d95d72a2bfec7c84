import { readFileSync, statSync } from 'node:fs';
import { homedir, platform, userInfo } from 'node:os';
import { join } from 'node:path';
import type { ClientConfig } from 'pg';
import { nearest } from '../../contract/words/nearest.ts';
import { MacroError } from '../../errors.ts';
import { checkMirrorName } from '../rules/engine.ts';

/** Where a mirror on a server is, and how to get there. */
export interface PostgresAddress {
  /** For people. */
  readonly name: string;
  readonly schema: string;
  readonly config: ClientConfig;
  /** A server that speaks no TLS is talked to without it. */
  readonly mayBePlain: boolean;
}

type Env = Readonly<Record<string, string | undefined>>;

const DEFAULT_SCHEMA = 'macro';
const DEFAULT_PORT = 5432;
const PARAMETERS = ['schema', 'host', 'port', 'user', 'dbname', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey'];
const SSL_MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'];

/** Whom a password is for. */
interface PasswordFilePosition {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
}

/** There, files have no such modes, and another place. */
const ON_WINDOWS = platform() === 'win32';

/**
 * Reads `postgres://user@host:port/database?schema=name` with libpq's variables and defaults. Passwords are refused:
 * addresses are shown and logged.
 */
export function readServerAddress(text: string, env: Env): PostgresAddress {
  const url = parse(text);
  const own = parametersOf(url);
  const user = own('user') ?? decoded(url.username) ?? env.PGUSER ?? env.USER ?? userInfo().username;
  const host = own('host') ?? decoded(url.hostname.replace(/^\[(.*)\]$/, '$1')) ?? env.PGHOST ?? 'localhost';
  const port = portOf(own('port') ?? (url.port || env.PGPORT));
  const database = own('dbname') ?? decoded(url.pathname.slice(1)) ?? env.PGDATABASE ?? user;
  const schema = schemaOf(own('schema') ?? DEFAULT_SCHEMA);
  const tls = tlsOf(
    { host, mode: own('sslmode') ?? env.PGSSLMODE },
    (name) => own(name) ?? env[`PG${name.toUpperCase()}`],
  );
  return {
    name: nameOf({ user, host, port, database, schema }, own),
    schema,
    config: {
      ...{ user, host, port, database },
      // Asked for only when the server wants one; the driver takes undefined for none, as its types do not say.
      password: () => (env.PGPASSWORD || passwordFor({ user, host, port, database }, env)) as string,
      application_name: env.PGAPPNAME ?? 'macro',
      connectionTimeoutMillis: 1000 * Number(env.PGCONNECT_TIMEOUT || 10),
      keepAlive: true,
      ssl: tls.options,
    },
    mayBePlain: tls.mayBePlain,
  };
}

function parse(text: string): URL {
  const url = URL.parse(checkMirrorName(text));
  if (url) return url;
  throw unreadable(`'${text}' is no address of a PostgreSQL server.`);
}

function parametersOf({ searchParams }: URL): (name: string) => string | undefined {
  for (const name of searchParams.keys()) {
    if (PARAMETERS.includes(name)) continue;
    const close = nearest(name, PARAMETERS);
    throw unreadable(
      `The address of a mirror has no parameter '${name}'.`,
      `${close ? `Did you mean ${close}? ` : ''}Parameters are ${PARAMETERS.join(', ')}.`,
    );
  }
  return (name) => searchParams.get(name) || undefined;
}

function decoded(part: string): string | undefined {
  if (part === '') return undefined;
  try {
    return decodeURIComponent(part);
  } catch {
    throw unreadable(`'${part}' in the address of the mirror is badly escaped.`);
  }
}

function portOf(text: string | undefined): number {
  const port = text === undefined || text === '' ? DEFAULT_PORT : Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw unreadable(`'${text}' is no port of a PostgreSQL server.`);
}

function schemaOf(text: string): string {
  if (/^[a-z_][a-z0-9_]{0,62}$/.test(text) && !text.startsWith('pg_')) return text;
  throw unreadable(
    `'${text}' is no name of a schema for a mirror.`,
    'Small letters, digits and _, at most 63: ?schema=macro',
  );
}

/**
 * TLS as libpq has it: `require` encrypts, `verify-ca` checks the signer, `verify-full` the name too; `prefer` is the
 * default.
 */
function tlsOf(
  { host, mode = 'prefer' }: { host: string; mode: string | undefined },
  file: (name: string) => string | undefined,
): { options: ClientConfig['ssl']; mayBePlain: boolean } {
  if (!SSL_MODES.includes(mode)) throw unreadable(`'${mode}' is no sslmode.`, `Modes are ${SSL_MODES.join(', ')}.`);
  if (mode === 'disable' || host.startsWith('/')) return { options: false, mayBePlain: true };
  const read = (name: string) => fileOf(name, file(name));
  const [ca, cert, key] = [read('sslrootcert'), read('sslcert'), read('sslkey')];
  const checks = mode.startsWith('verify') || (mode === 'require' && ca !== undefined);
  return {
    options: {
      rejectUnauthorized: checks,
      ...(mode !== 'verify-full' && { checkServerIdentity: () => undefined }),
      ...(ca && { ca }),
      ...(cert && { cert }),
      ...(key && { key }),
    },
    mayBePlain: mode === 'allow' || mode === 'prefer',
  };
}

function fileOf(name: string, path: string | undefined): string | undefined {
  if (path === undefined || path === '') return undefined;
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new MacroError('usage', `The file of ${name}, ${path}, cannot be read.`, { code: 'no_file', cause });
  }
}

/** The address in full, without what is the default: whoever opens it again gets to the same mirror in the same way. */
function nameOf(
  of: { user: string; host: string; port: number; database: string; schema: string },
  own: (name: string) => string | undefined,
): string {
  const host = of.host.startsWith('/') ? encodeURIComponent(of.host) : of.host.includes(':') ? `[${of.host}]` : of.host;
  const place = `${host}${of.port === DEFAULT_PORT ? '' : `:${of.port}`}/${encodeURIComponent(of.database)}`;
  const parameters = new URLSearchParams(of.schema === DEFAULT_SCHEMA ? {} : { schema: of.schema });
  for (const name of PARAMETERS.filter((one) => one.startsWith('ssl'))) {
    const value = own(name);
    if (value !== undefined) parameters.set(name, value);
  }
  const search = parameters.size === 0 ? '' : `?${parameters}`;
  return `postgres://${encodeURIComponent(of.user)}@${place}${search}`;
}

function unreadable(message: string, hint = 'For example: postgres://me@db.example/markets?schema=macro'): MacroError {
  return new MacroError('usage', message, { code: 'bad_mirror_address', hint });
}

/**
 * The password in PGPASSFILE or ~/.pgpass, unless others may read it.
 * https://www.postgresql.org/docs/current/libpq-pgpass.html
 */
export function passwordFor(
  place: PasswordFilePosition,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const path = env.PGPASSFILE || defaultFile(env);
  const { mode } = statSync(path, { throwIfNoEntry: false }) ?? {};
  if (mode === undefined || (!ON_WINDOWS && (mode & 0o077) !== 0)) return undefined;
  return passwordIn(readFileSync(path, 'utf8'), place);
}

function defaultFile(env: Readonly<Record<string, string | undefined>>): string {
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
