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

/**
 * Gives the statements of an endpoint, made with its tables when it is first written.
 * @throws MacroError of kind `internal`.
 */
export function tableWriters(db: SqliteConnection, shared: Shared): (endpoint: string) => TableWriter {
  const statements = statementsOf(db);
  const writers = new Map<string, TableWriter>();
  return (endpoint) => {
    const known = writers.get(endpoint);
    if (known) return known;
    const table = shared.table(endpoint);
    if (!table) throw new MacroError('internal', `The mirror keeps no rows of '${endpoint}'.`);
    matchSchema(db, table, shared.path);
    const writer = {
      table,
      rows: rowStatements(db, table),
      page: pageReader(statements, table, () => 0),
      keepVintages: vintageWriter(db, table),
      findVanished: vanishFinder(statements, table),
    };
    writers.set(endpoint, writer);
    return writer;
  };
}
