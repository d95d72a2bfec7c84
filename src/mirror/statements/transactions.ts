import { MacroError } from '../../errors.ts';
import type { Engine, EngineWork, Select, Writer } from './engine.ts';
import { wait } from './engine.ts';

/** `serverNow`: the clock of a server that dates what its hosts note; undefined where each caller's counts. */
type TransactionWork<E extends Engine, T> = (engine: E, serverNow?: number) => EngineWork<T>;

/** How an engine reads and changes the system tables. */
export interface Transactions {
  read<T>(work: TransactionWork<Engine, T>): Promise<T>;
  /** In one transaction that no other writer is in. */
  change<T>(work: TransactionWork<Writer, T>): Promise<T>;
  /** The same for what a program may still note after it lost its locks, because nobody else writes it. */
  changeOwn<T>(work: TransactionWork<Writer, T>): Promise<T>;
}

/** The rows of a statement. */
export function* askRows<Row>(engine: Engine, sql: string, ...values: Select['values']): EngineWork<readonly Row[]> {
  return yield* wait(engine.records<Row>({ sql, values }));
}

/** Runs a statement that gives no rows. */
export function* execute(writer: Writer, sql: string, ...values: Select['values']): EngineWork<undefined> {
  writer.run({ sql, values });
  return yield* wait(undefined);
}

/** The row of a statement that always gives one. @throws MacroError of kind `internal`. */
export function* askRow<Row>(engine: Engine, sql: string, ...values: Select['values']): EngineWork<Row> {
  const [row] = yield* askRows<Row>(engine, sql, ...values);
  if (row === undefined) throw new MacroError('internal', 'A statement of the mirror gave no row.');
  return row;
}
