import { MacroError } from '../../../errors.ts';
import type { Shared } from '../../core/shared.ts';
import type { Table } from '../../core/tables.ts';
import type { SqliteConnection } from '../database-file.ts';
import { matchSchema } from '../schema-match.ts';
import { statementsOf } from '../statements.ts';
import { type PageReader, pageReader } from './page.ts';
import { type RowStatements, rowStatements } from './row-changes.ts';
import { vanishFinder } from './vanish.ts';
import { vintageWriter } from './vintages.ts';

/** The statements of one endpoint that a commit runs. */
export interface TableWriter {
  readonly table: Table;
  readonly rows: RowStatements;
  readonly page: PageReader;
  readonly keepVintages: ReturnType<typeof vintageWriter>;
  readonly findVanished: ReturnType<typeof vanishFinder>;
}

/** The statements of all endpoints that were written so far. */
export interface TableWriters {
  /** The columns of an endpoint, whether it was written or not. @throws MacroError of kind `internal` */
  tableOf(endpoint: string): Table;
  /** The statements of an endpoint, made with its tables when it is first written. */
  writerOf(table: Table): TableWriter;
  /** Calls a transaction. One that fails takes back the tables that it made, so their statements are forgotten. */
  within<T>(transaction: () => T): T;
}

/** Makes the statements of endpoints as they are written. */
export function tableWriters(db: SqliteConnection, shared: Shared): TableWriters {
  const statements = statementsOf(db);
  const writers = new Map<string, TableWriter>();

  function writerOf(table: Table): TableWriter {
    const known = writers.get(table.endpoint);
    if (known) return known;
    matchSchema(db, table, shared.path);
    const writer = {
      table,
      rows: rowStatements(db, table),
      page: pageReader(statements, table, () => 0),
      keepVintages: vintageWriter(db, table),
      findVanished: vanishFinder(statements, table),
    };
    writers.set(table.endpoint, writer);
    return writer;
  }

  return {
    tableOf(endpoint) {
      const table = shared.table(endpoint);
      if (table) return table;
      throw new MacroError('internal', `The mirror keeps no rows of '${endpoint}'.`);
    },
    writerOf,
    within(transaction) {
      const before = writers.size;
      try {
        return transaction();
      } catch (error) {
        for (const endpoint of [...writers.keys()].slice(before)) writers.delete(endpoint);
        throw error;
      }
    },
  };
}
