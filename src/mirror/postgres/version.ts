import { MacroError } from '../../errors.ts';
import type { SnapshotReader } from '../api/mirror.ts';
import { otherVersion } from '../rules/failures.ts';
import { type Birth, stampFrom } from '../rules/system-rows.ts';
import type { SystemRows } from '../rules/system-tables.ts';
import { doLater } from '../statements/engine.ts';
import { noteSums, stampSum } from '../statements/sums.ts';
import type { ServerConnection } from './connection.ts';
import type { SharedTimes } from './engine.ts';
import { SERVER_NOW, SERVER_SCHEMA_VERSION, SERVER_TABLES } from './schema.ts';
import { serverWriter } from './writer.ts';

/** The content of a schema, before it is touched; another version is refused. @throws MacroError of kind `mirror`. */
export async function readServerState(connection: ServerConnection, name: string): Promise<'empty' | 'current'> {
  // The views of information_schema read the tables of all schemas of a database.
  const found = await connection.tuples<[string]>({
    sql: `select relname::text from pg_class
      where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'f', 'v', 'm')`,
    values: [],
  });
  const tables = new Set(found.map(([table]) => table));
  if (tables.size === 0) return 'empty';
  if (!tables.has('mirror') || !tables.has('commits')) throw foreign(name);
  const [[version] = [0]] = await connection.tuples<[number]>({ sql: 'select version from mirror', values: [] });
  if (version === SERVER_SCHEMA_VERSION) return 'current';
  throw ofVersion(name, version, version > SERVER_SCHEMA_VERSION ? 'newer' : 'older');
}

/** Makes the system tables of an empty schema, and the schema. If several programs do it at once, the first one wins. */
export async function makeServerTables(
  connection: ServerConnection,
  { name, schema }: { name: string; schema: string },
  birth: Birth,
): Promise<void> {
  await requireUtf8(connection, name);
  await makeAlone(connection);
  // Checked first: creating a schema needs a right that using it does not.
  const [there] = await connection.tuples({ sql: 'select 1 from pg_namespace where nspname = ?', values: [schema] });
  if (!there) await connection.run(`create schema "${schema}"`);
  if ((await readServerState(connection, name)) === 'current') return;
  await connection.run(SERVER_TABLES);
  const row = {
    ...birth,
    service: null,
    nature: null,
    bindings: null,
    version: SERVER_SCHEMA_VERSION,
    state: birth.id,
  };
  const columns = Object.keys(row);
  connection.send({
    sql: `insert into mirror (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
    values: Object.values(row),
  });
  await doLater(noteSums(serverWriter(connection, { commitTimes: new Map() }), [stampSum(row)]));
}

/** Waits for others who make tables in the schema, and keeps them waiting until the transaction ends. */
export async function makeAlone(connection: ServerConnection): Promise<void> {
  await connection.tuples({
    sql: `select pg_advisory_xact_lock(hashtextextended('macro migrate ' || current_setting('search_path'), 0))`,
    values: [],
  });
}

/** Texts are stored as they came, which no other encoding can. */
async function requireUtf8(connection: ServerConnection, name: string): Promise<void> {
  const [row] = await connection.tuples<[string]>({ sql: `select current_setting('server_encoding')`, values: [] });
  if (row?.[0] === 'UTF8') return;
  throw new MacroError('mirror', `The mirror ${name} cannot be made: its database is in ${row?.[0]}, not in UTF8.`, {
    code: 'mirror_unusable',
    hint: 'Create a UTF8 database: createdb --encoding UTF8 --template template0 NAME',
  });
}

function foreign(name: string): MacroError {
  return new MacroError('mirror', `The mirror ${name} cannot be made: its schema has tables of another program.`, {
    code: 'mirror_foreign',
    hint: 'Name another schema, such as ?schema=macro_data.',
  });
}

function ofVersion(name: string, version: number, kind: Parameters<typeof otherVersion>[1]): MacroError {
  const program = kind === 'upgraded' ? 'this program' : 'the program';
  const at = `it is at ${version}, ${program} at ${SERVER_SCHEMA_VERSION}`;
  return otherVersion(name, kind, { at, other: { newer: 'another schema', older: 'another schema' } });
}

/** The mirror's own row. */
type OwnRow = SystemRows['mirror'] & {
  readonly version: number;
  readonly state: string;
  readonly now: number;
  readonly timed?: number | null;
};

/** Selects it, from the schema of the transaction or from a named one; `timed`: with the time of that commit. */
export function ownRowOf(schema?: string, timed?: number): string {
  const time = timed === undefined ? '' : `, (select at from commits where number = ${timed}) as timed`;
  const from = schema === undefined ? 'mirror' : `"${schema}".mirror`;
  return `select id, created, service, nature, bindings, version, state, ${SERVER_NOW} as now${time} from ${from}`;
}

/** Forgets the times of commits where a failover or a restore gave the number of a commit to another one. */
export function forgetOtherTimes([found]: readonly unknown[], shared: SharedTimes, timed: number | undefined): void {
  if (timed === undefined || (found as OwnRow | undefined)?.timed === shared.commitTimes.get(timed)) return; // as it selects
  shared.commitTimes.clear();
  delete shared.newestTimed;
}

/** The clock that a statement of `ownRowOf` was answered by. */
export const clockIn = ([found]: readonly unknown[]): number | undefined => (found as OwnRow | undefined)?.now; // as it selects

/** The facts of a snapshot about the whole mirror. */
export type Seen = NonNullable<SnapshotReader['seen']>;

/**
 * The mirror's own row. A mirror that another version of the program has changed since it was opened is refused:
 * its rows may have another form by now.
 * @throws MacroError of kind `mirror`.
 */
export function seenIn([found]: readonly unknown[], name: string): Seen {
  requireServerVersion(found, name);
  const row = found as OwnRow | undefined; // as `ownRowOf` selects
  return { state: row?.state ?? '', stamp: stampFrom(row, name) };
}

/** The same inside of a transaction that keeps other versions waiting. */
export async function requireServerVersionNow(connection: ServerConnection, name: string): Promise<void> {
  const [found] = await connection.run(ownRowOf());
  requireServerVersion(found, name);
}

/** `found`: a row of the mirror's own table with its version. */
export function requireServerVersion(found: unknown, name: string): void {
  if (isOwnVersion(found)) return;
  const { version } = found as { readonly version: number }; // as the caller selects
  throw ofVersion(name, version, 'upgraded');
}

/** A mirror that has lost its row has no version: who reads its stamp tells. */
export function isOwnVersion(found: unknown): boolean {
  return found === undefined || (found as { readonly version: number }).version === SERVER_SCHEMA_VERSION; // as the caller selects
}
