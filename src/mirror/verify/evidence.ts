import type { KeyValue } from '../api/rows.ts';
import type { Where } from '../core/select.ts';
import type { Table } from '../core/tables.ts';
import type { LedgerSchema } from '../ledger/ledger.ts';

/** What a check reads, all of one state of the mirror: SQL texts that every engine understands, and what only it can tell. */
export interface Evidence {
  rows<Row>(sql: string, ...values: readonly KeyValue[]): Promise<readonly Row[]>;
  /** Rows as arrays of columns, some at a time, however many there are. */
  portions<Row extends readonly unknown[]>(select: Where): AsyncIterable<readonly Row[]>;
  /** Proofs with their bounds as they were given; of one series in the order of access and bounds. */
  proofs(series: number): Promise<readonly LedgerSchema['proofs'][]>;
  /** Names of the tables whose rows belong to a series. */
  tables(): Promise<readonly string[]>;
  /** What stands in the schema of the mirror and was not made by this program. */
  foreign(tables: readonly Table[]): Promise<readonly ForeignObject[]>;
  /** Throws when what holds the mirror is damaged. */
  requireSound(): Promise<void>;
  /** Throws when the tables of an endpoint are those of another version. */
  requireFit(table: Table): Promise<void>;
}

/**
 * `alters`: it changes or refuses what is written. `is another`: a view of this program's name with another definition.
 * `stands beside`: nothing of this program sees it.
 */
export interface ForeignObject {
  readonly type: string;
  readonly name: string;
  /** The table that it belongs to. */
  readonly on: string;
  readonly effect: 'alters' | 'is another' | 'stands beside';
}

/** The one number that a text selects. */
export async function numberOf({ rows }: Pick<Evidence, 'rows'>, sql: string, ...values: KeyValue[]): Promise<number> {
  const [row] = await rows<{ number: number }>(`select (${sql}) as number`, ...values);
  return row?.number ?? 0;
}
