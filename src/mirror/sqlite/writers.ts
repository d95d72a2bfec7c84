import { MacroError } from '../../errors.ts';
import { once } from '../core/once.ts';
import { type PageReader, pageReader } from '../core/page.ts';
import { type RowStatements, rowStatements } from '../core/rows.ts';
import { sumStatements } from '../core/sums.ts';
import type { Table } from '../core/tables.ts';
import { vanishFinder } from '../core/vanish.ts';
import { vintageWriter } from '../core/vintages.ts';
import { followStatements } from '../ledger/follows.ts';
import { arrivalWriter } from '../ledger/journal-arrivals.ts';
import { paginationRunStatements } from '../ledger/pagination-runs.ts';
import { seriesStatements } from '../ledger/series.ts';
import { stampStatements } from '../ledger/stamp.ts';
import { validatorStatements } from '../ledger/validators.ts';
import type { SqliteConnection } from './connect.ts';
import type { Shared } from './read.ts';
import { matchSchema } from './schema-match.ts';
import { statementsOf } from './statements.ts';

/** The statements of the ledger, for a connection, each group made when it is first used: most programs read a few rows. */
export function ledgerOf(db: SqliteConnection, path: string) {
  const stamp = once(() => stampStatements(db, path));
  const series = once(() => seriesStatements(db));
  const walks = once(() => paginationRunStatements(db));
  const validators = once(() => validatorStatements(db));
  const sums = once(() => sumStatements(db));
  const follows = once(() => followStatements(db));
  const arrive = once(() => arrivalWriter(db));
  return {
    get stamp() {
      return stamp();
    },
    get series() {
      return series();
    },
    get walks() {
      return walks();
    },
    get validators() {
      return validators();
    },
    get sums() {
      return sums();
    },
    get follows() {
      return follows();
    },
    get arrive() {
      return arrive();
    },
  };
}

export type SeriesLedger = ReturnType<typeof ledgerOf>;

/** The statements of one endpoint that a commit runs. */
export interface TableWriter {
  readonly table: Table;
  readonly rows: RowStatements;
  readonly page: PageReader;
  readonly keepVintages: ReturnType<typeof vintageWriter>;
  readonly findVanished: ReturnType<typeof vanishFinder>;
}

/** Gives the statements of an endpoint, made with its tables when it is first written. */
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
