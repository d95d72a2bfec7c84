import { MacroError } from '../../errors.ts';
import type { Birth } from '../ledger/stamp.ts';
import type { ServerConnection } from './connection.ts';
import { noteSums, stampSum } from './rows/sums.ts';
import { MIGRATIONS } from './schema.ts';

/**
 * What a schema holds, before anything in it is touched.
 * @throws MacroError of kind `mirror`.
 */
export async function readServerState(
  connection: ServerConnection,
  name: string,
): Promise<'empty' | 'older' | 'current'> {
  const found = await connection.tuples<[string]>({
    sql: `select table_name from information_schema.tables where table_schema = current_schema()`,
    values: [],
  });
  const tables = new Set(found.map(([table]) => table));
  if (tables.size === 0) return 'empty';
  if (!tables.has('mirror') || !tables.has('commits')) throw foreign(name);
  const version = await versionOf(connection);
  if (version > MIGRATIONS.length) throw newer(name, version);
  return version < MIGRATIONS.length ? 'older' : 'current';
}

/** Brings the ledger to this program's version. Of several programs that do it at once the first one wins. */
export async function migrateServer(
  connection: ServerConnection,
  { name, schema }: { name: string; schema: string },
  birth: Birth,
): Promise<void> {
  await requireUtf8(connection, name);
  await makeAlone(connection);
  // Asked for first: making what is there needs a right that using it does not.
  const [there] = await connection.tuples({ sql: 'select 1 from pg_namespace where nspname = ?', values: [schema] });
  if (!there) await connection.run(`create schema "${schema}"`);
  const state = await readServerState(connection, name);
  if (state === 'current') return;
  // Changes that are under way end first: whoever makes one asked for the version when it began.
  if (state === 'older') await connection.run('select 1 from mirror for update');
  const done = state === 'empty' ? 0 : await versionOf(connection);
  for (const migration of MIGRATIONS.slice(done)) await connection.run(migration);
  const version = MIGRATIONS.length;
  if (state === 'older') {
    await connection.run(`update mirror set version = ${version}, changes = changes + 1`);
    return;
  }
  const row = { ...birth, service: null, nature: null, version, changes: 0 };
  await connection.ledger.insertInto('mirror').values(row).execute();
  await noteSums(connection, [await stampSum(connection)]);
}

/** Waits for others who make tables in the schema, and keeps them waiting until the transaction ends. */
export async function makeAlone(connection: ServerConnection): Promise<void> {
  await connection.tuples({
    sql: `select pg_advisory_xact_lock(hashtextextended('macro migrate ' || current_setting('search_path'), 0))`,
    values: [],
  });
}

async function versionOf(connection: ServerConnection): Promise<number> {
  return (await connection.ledger.selectFrom('mirror').select('version').executeTakeFirstOrThrow()).version;
}

/** Texts are kept as they came, which no other encoding can. */
async function requireUtf8(connection: ServerConnection, name: string): Promise<void> {
  const [row] = await connection.tuples<[string]>({ sql: `select current_setting('server_encoding')`, values: [] });
  if (row?.[0] === 'UTF8') return;
  throw new MacroError('mirror', `The mirror ${name} cannot be made: its database is in ${row?.[0]}, not in UTF8.`, {
    code: 'mirror_unusable',
    hint: 'Make one that is: createdb --encoding UTF8 --template template0 NAME',
  });
}

function foreign(name: string): MacroError {
  return new MacroError('mirror', `The mirror ${name} cannot be made: its schema holds tables of another program.`, {
    code: 'mirror_foreign',
    hint: 'Name another schema, such as ?schema=macro_data.',
  });
}

function newer(name: string, version: number): MacroError {
  return new MacroError(
    'mirror',
    `The mirror ${name} was written by a newer version of this program (it is at ${version}, the program at ${MIGRATIONS.length}).`,
    { code: 'mirror_newer', hint: 'Update the program, or name another schema.' },
  );
}
