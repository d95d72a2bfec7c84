import type { JsonText } from '../../contract/json/json.ts';
import type { Column } from '../../contract/mapping.ts';
import { MacroError } from '../../errors.ts';
import type { ColumnValues, KeyValue } from '../api/series.ts';
import type { CommitClock } from '../rules/as-of/dated.ts';
import type { PageTuple, Where } from '../rules/select.ts';
import type { Table } from '../rules/tables.ts';

/** A result of an engine: at once over a file, later over a server. */
export type Later<T> = T | Promise<T>;

/** Work on either engine: it hands out what it has to wait for. */
export type EngineWork<T> = Generator<Later<unknown>, T, unknown>;

/** An SQL text as both engines understand it, and the values or lists of values of its marks. */
export interface Select {
  readonly sql: string;
  readonly values: readonly (KeyValue | null | readonly (KeyValue | null)[])[];
}

/** When commits were. A server is asked before somebody wants to know it. */
export interface Times extends CommitClock {
  learn(commits: () => Iterable<number | null>): Later<undefined>;
  /** Finds the last commit at or before a moment, which `lastBy` then knows. */
  learnMoment(at: number): Later<undefined>;
}

/** How an engine reads, through a connection that sees one state. */
export interface Engine {
  readonly times: Times;
  /** The condition that a column has one of the values of a list, which is the value of its mark. */
  among(column: string): string;
  /** Rows as arrays of columns. */
  tuples<Row extends unknown[]>(select: Select): Later<readonly Row[]>;
  /** Rows with their columns by name. */
  records<Row>(select: Select): Later<readonly Row[]>;
  /** The only column of the rows. */
  texts(select: Where): Later<readonly JsonText[]>;
  /** Rows that are made of their columns, of which number `seen` is the commit that brought one. */
  rows<Row>(
    select: Where,
    how: { make: (tuple: PageTuple) => Row; seen: number; isPage: boolean },
  ): Later<readonly Row[]>;
  /** The last columns of the rows by name, each as a list. */
  columns<N extends string>(select: Where, names: readonly N[], quoted: readonly string[]): Later<ColumnValues<N>>;
  /** Runs several works, in parallel where that saves time. */
  all<T>(works: readonly EngineWork<T>[]): Later<readonly T[]>;
  /** Refuses a table that is not as this program makes it. @throws MacroError of kind `mirror` */
  check(table: Table): void;
  /** A bound of dates as it is stored, and back. */
  readonly bounds: { of(stored: string | number): KeyValue; stored(bound: KeyValue): string | number };
}

/** Rows of one series. */
export interface Place {
  readonly engine: Engine;
  readonly table: Table;
  readonly series: number;
}

export function* wait<T>(value: Later<T>): EngineWork<T> {
  return value instanceof Promise ? ((yield value) as T) : value; // what it resolves with
}

/** Waits for several values at once. */
export function* together<T extends readonly unknown[]>(
  ...values: { readonly [I in keyof T]: Later<T[I]> }
): EngineWork<T> {
  const isLater = values.some((value) => value instanceof Promise);
  return (isLater ? yield Promise.all(values) : values) as T; // as each of them resolves
}

/** Does work on an engine that answers at once. */
export function doNow<T>(work: EngineWork<T>): T {
  const next = work.next();
  if (!next.done) throw new MacroError('internal', 'An engine over a file answered later.');
  return next.value;
}

/** Does work on any engine. */
export async function doLater<T>(work: EngineWork<T>): Promise<T> {
  let next = work.next();
  while (!next.done) next = work.next(await next.value);
  return next.value;
}

/** Rows that are to be inserted, each with the values of the columns, and values that all of them share. */
export interface NewRows {
  readonly into: string;
  readonly shared: Readonly<Record<string, KeyValue>>;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly (KeyValue | null)[])[];
  /** The treatment of existing rows. */
  readonly conflict?: string;
  readonly returning?: string;
}

/** How an engine writes, inside of the transaction of a connection. */
export interface Writer extends Engine {
  /** Runs a statement whose rows nobody wants. Its failure is the failure of the transaction. */
  run(select: Select): void;
  /** Inserts rows in their order; gives what they return. */
  insert<Row extends unknown[]>(rows: NewRows): Later<readonly Row[]>;
  /** Sets columns of current rows; `rows` have the key first. */
  update(place: Place, changed: readonly Column[], rows: NewRows['rows']): void;
  /** Moves current rows to the superseded ones; `rows` have the key, then revision, the commit that ends it and mark. */
  supersede(place: Place, rows: NewRows['rows']): void;
  /** Makes the tables of an endpoint fit, where that is done in the transaction of a commit. */
  prepare(table: Table): void;
}

/** Runs two works in parallel. */
export function* both<A, B>(engine: Engine, a: EngineWork<A>, b: EngineWork<B>): EngineWork<readonly [A, B]> {
  return (yield* wait(engine.all<unknown>([a, b]))) as readonly unknown[] as readonly [A, B]; // in their order
}
