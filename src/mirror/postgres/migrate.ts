import { MacroError } from '../../errors.ts';
import type { Birth } from '../ledger/stamp.ts';
import type { ServerConnection } from './connection.ts';
import { noteSums, stampSum } from './rows/sums.ts';
import { MIGRATIONS } from './schema.ts';

/** What a schema holds, before anything in it is touched. */
export async function readServerState(seat: ServerConnection, name: string): Promise<'empty' | 'older' | 'current'> {
  const found = await seat.tuples<[string]>({
    sql: `select table_name from information_schema.tables where table_schema = current_schema()`,
    values: [],
  });
  const tables = new Set(found.map(([table]) => table));
  if (tables.size === 0) return 'empty';
  if (!tables.has('mirror') || !tables.has('commits')) throw foreign(name);
  const version = await versionOf(seat);
  if (version > MIGRATIONS.length) throw newer(name, version);
  return version < MIGRATIONS.length ? 'older' : 'current';
}

/** Brings the ledger to this program's version. Of several programs that do it at once the first one wins. */
export async function migrateServer(
  seat: ServerConnection,
  { name, schema }: { name: string; schema: string },
  birth: Birth,
): Promise<void> {
  await requireUtf8(seat, name);
  await makeAlone(seat);
  // Asked for first: making what is there needs a right that using it does not.
  const [there] = await seat.tuples({ sql: 'select 1 from pg_namespace where nspname = ?', values: [schema] });
  if (!there) await seat.run(`create schema "${schema}"`);
  const state = await readServerState(seat, name);
  if (state === 'current') return;
  const done = state === 'empty' ? 0 : await versionOf(seat);
  for (const migration of MIGRATIONS.slice(done)) await seat.run(migration);
  const version = MIGRATIONS.length;
  if (state === 'older') {
    await seat.ledger.updateTable('mirror').set({ version }).execute();
    return;
  }
  const row = { ...birth, service: null, nature: null, version, changes: 0 };
  await seat.ledger.insertInto('mirror').values(row).execute();
  await noteSums(seat, [await stampSum(seat)]);
}

/** Waits for others who make tables in the schema, and keeps them waiting until the transaction ends. */
export async function makeAlone(seat: ServerConnection): Promise<void> {
  await seat.tuples({
    sql: `select pg_advisory_xact_lock(hashtextextended('macro migrate ' || current_setting('search_path'), 0))`,
    values: [],
  });
}

async function versionOf(seat: ServerConnection): Promise<number> {
  return (await seat.ledger.selectFrom('mirror').select('version').executeTakeFirstOrThrow()).version;
}

/** Texts are kept as they came, which no other encoding can. */
async function requireUtf8(seat: ServerConnection, name: string): Promise<void> {
  const [row] = await seat.tuples<[string]>({ sql: `select current_setting('server_encoding')`, values: [] });
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
