import {
  DefaultQueryExecutor,
  PostgresAdapter,
  PostgresQueryCompiler,
  type QueryCompiler,
  QueryCreator,
  SqliteAdapter,
  SqliteQueryCompiler,
  sql,
} from 'kysely';
import { MacroError } from '../../errors.ts';
import type { LedgerDialect, LedgerTables } from './statement.ts';

export const SQLITE: LedgerDialect = {
  name: 'sqlite',
  query: queriesOf(new SqliteQueryCompiler(), new SqliteAdapter()),
  isAmong: (column, list) => sql`${sql.ref(column)} in (select value from json_each(${list}))`,
  listValue: (list) => JSON.stringify(list),
};

export const POSTGRES: LedgerDialect = {
  name: 'postgres',
  query: queriesOf(new PostgresQueryCompiler(), new PostgresAdapter()),
  isAmong: (column, list) => sql`${sql.ref(column)} = any(${list})`,
  listValue: (list) => list,
};

/** Kysely compiles, each engine executes. Only the needed parts are loaded, which saves a third of the time. */
function queriesOf(compiler: QueryCompiler, adapter: SqliteAdapter | PostgresAdapter): QueryCreator<LedgerTables> {
  const provideConnection = async () => {
    throw new MacroError('internal', 'A statement of the ledger was executed by Kysely.');
  };
  return new QueryCreator({ executor: new DefaultQueryExecutor(compiler, adapter, { provideConnection }) });
}
