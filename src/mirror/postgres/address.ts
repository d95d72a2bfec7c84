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
  /** How to reach each of the servers, in the order in which they are tried. */
  readonly servers: readonly ClientConfig[];
  /** Which of them may be used; undefined for any. */
  readonly wants: ServerKind | undefined;
  /** Connections at most. */
  readonly poolSize: number;
  /** A server that speaks no TLS is talked to without it. */
  readonly mayBePlain: boolean;
}

type Env = Readonly<Record<string, string | undefined>>;

const DEFAULT_SCHEMA = 'macro';
const DEFAULT_PORT = 5432;
const DEFAULT_POOL = 12;
const MIN_POOL = 4;
const MAX_POOL = 1_000;
/** Those of libpq, and the schema and the connections of a mirror. */
const OWN_PARAMETERS = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'target_session_attrs', 'connect_timeout'];
const KEPT_PARAMETERS = [...OWN_PARAMETERS, 'options', 'passfile', 'pool'];
const PARAMETERS = ['schema', 'host', 'port', 'user', 'dbname', ...KEPT_PARAMETERS];

/** The kinds of server that `target_session_attrs` may request. */
type ServerKind = 'writes' | 'reads' | 'primary' | 'standby';

const SESSIONS: Readonly<Record<string, ServerKind | undefined>> = {
  any: undefined,
  'read-write': 'writes',
  'read-only': 'reads',
  primary: 'primary',
  standby: 'standby',
};
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
  const { url, hosts: named } = parse(text);
  const own = parametersOf(url);
  const user = own('user') ?? decoded(url.username) ?? env.PGUSER ?? env.USER ?? userInfo().username;
  const database = own('dbname') ?? decoded(url.pathname.slice(1)) ?? env.PGDATABASE ?? user;
  const schema = schemaOf(own('schema') ?? DEFAULT_SCHEMA);
  const places = placesOf({
    hosts: own('host')?.split(',') ?? named?.map(({ host }) => host) ?? (env.PGHOST || 'localhost').split(','),
    ports:
      own('port')?.split(',') ??
      (named?.some(({ port }) => port) ? named.map(({ port }) => port) : (env.PGPORT ?? '').split(',')),
  });
  const passfile = own('passfile') ?? env.PGPASSFILE;
  const fileOfName = (name: string) => own(name) ?? env[`PG${name.toUpperCase()}`];
  const mode = own('sslmode') ?? env.PGSSLMODE;
  const options = own('options') ?? env.PGOPTIONS;
  const servers = places.map(
    ({ host, port }): ClientConfig => ({
      ...{ user, host, port, database },
      // Asked for only when the server wants one; the driver takes undefined for none, as its types do not say.
      password: () =>
        (env.PGPASSWORD || passwordFor({ user, host, port, database }, { ...env, PGPASSFILE: passfile })) as string,
      application_name: env.PGAPPNAME ?? 'macro',
      connectionTimeoutMillis:
        1000 * wholeOf('connect_timeout', own('connect_timeout') ?? (env.PGCONNECT_TIMEOUT || '10')),
      keepAlive: true,
      ssl: tlsOf({ host, mode }, fileOfName).options,
      ...(options && { options }),
    }),
  );
  return {
    name: nameOf({ user, places, database, schema }, own),
    ...{ schema, servers },
    wants: serverKindOf(own('target_session_attrs') ?? (env.PGTARGETSESSIONATTRS || 'any')),
    poolSize: wholeOf('pool', own('pool') ?? String(DEFAULT_POOL), MIN_POOL, MAX_POOL),
    mayBePlain: tlsOf({ host: places[0]?.host ?? '', mode }, fileOfName).mayBePlain,
  };
}

interface ServerPlace {
  readonly host: string;
  readonly port: number;
}

/** Hosts with their ports: one port is that of all. */
function placesOf({
  hosts,
  ports,
}: {
  hosts: readonly string[];
  ports: readonly (string | undefined)[];
}): readonly ServerPlace[] {
  if (ports.length > 1 && ports.length !== hosts.length)
    throw unreadable(`The address of the mirror has ${hosts.length} hosts and ${ports.length} ports.`);
  return hosts.map((host, i) => ({ host: host || 'localhost', port: portOf(ports.length > 1 ? ports[i] : ports[0]) }));
}

function serverKindOf(text: string): ServerKind | undefined {
  if (Object.hasOwn(SESSIONS, text)) return SESSIONS[text];
  throw unreadable(`'${text}' is no target_session_attrs.`, `Kinds are ${Object.keys(SESSIONS).join(', ')}.`);
}

function wholeOf(name: string, text: string, min = 0, max = 86_400): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= min && number <= max) return number;
  throw unreadable(`'${text}' is no ${name}.`, `It is a whole number from ${min} to ${max}.`);
}

interface NamedHost {
  readonly host: string;
  readonly port: string | undefined;
}

/** The address, and its hosts: there may be several, which no other URL has. */
function parse(text: string): { readonly url: URL; readonly hosts: readonly NamedHost[] | undefined } {
  const [, head = '', user = '', hosts = '', rest = ''] =
    /^([a-z]+:\/\/)([^@/?#]*@)?([^/?#]*)(.*)$/is.exec(checkMirrorName(text)) ?? [];
  const found = hosts === '' ? undefined : hosts.split(',').map(hostIn);
  const url = URL.parse(`${head}${user}${hosts === '' && user === '' ? '' : 'host'}${rest}`);
  if (url && found?.every((one) => one !== undefined) !== false) return { url, hosts: found as readonly NamedHost[] };
  throw unreadable(`'${text}' is no address of a PostgreSQL server.`);
}

function hostIn(text: string): NamedHost | undefined {
  const [, v6, name, port] = /^(?:\[([0-9a-f:.]+)\]|([^:[\]]*))(?::(\d+))?$/i.exec(text) ?? [];
  const host = v6 ?? (name === undefined ? undefined : (decoded(name) ?? ''));
  return host === undefined ? undefined : { host, port };
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

/** TLS as libpq has it: `require` encrypts, `verify-ca` checks the signer, `verify-full` its name; default `prefer`. */
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

/** The full address without defaults: opening it again reaches the same mirror in the same way. */
function nameOf(
  of: { user: string; places: readonly ServerPlace[]; database: string; schema: string },
  own: (name: string) => string | undefined,
): string {
  const hosts = of.places.map(({ host, port }) => {
    const name = host.startsWith('/') ? encodeURIComponent(host) : host.includes(':') ? `[${host}]` : host;
    return port === DEFAULT_PORT && of.places.every((one) => one.port === DEFAULT_PORT) ? name : `${name}:${port}`;
  });
  const parameters = new URLSearchParams(of.schema === DEFAULT_SCHEMA ? {} : { schema: of.schema });
  for (const name of KEPT_PARAMETERS) {
    const value = own(name);
    if (value !== undefined) parameters.set(name, value);
  }
  const search = parameters.size === 0 ? '' : `?${parameters}`;
  return `postgres://${encodeURIComponent(of.user)}@${hosts.join(',')}/${encodeURIComponent(of.database)}${search}`;
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
