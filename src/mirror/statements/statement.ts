import type { Compilable, Generated, QueryCreator, RawBuilder, SqlBool } from 'kysely';
import { MacroError } from '../../errors.ts';
import type { KeyValue } from '../api/series.ts';
import type { LedgerSchema } from '../rules/ledger.ts';

/** What a statement is built with: the queries of one dialect, and what the dialects spell differently. */
export interface LedgerDialect {
  readonly name: 'sqlite' | 'postgres';
  readonly query: QueryCreator<LedgerTables>;
  /** True of a column that has one of the values of a list. */
  isAmong(column: string, list: readonly KeyValue[]): RawBuilder<SqlBool>;
  /** A list as the driver takes it. */
  listValue(list: readonly KeyValue[]): StatementValue;
}

type StatementValue = KeyValue | null | readonly KeyValue[];

/** Values of a statement by name. One that is undefined is left out, and the statement is built without it. */
type StatementValues = Readonly<Record<string, StatementValue | undefined>>;

/** A statement that is to be executed. */
export interface LedgerStep {
  /** Its text in a dialect: the same object each time. */
  compiledFor(dialect: LedgerDialect): CompiledStatement;
  readonly values: StatementValues;
}

interface CompiledStatement {
  readonly sql: string;
  /** A mark, or a constant of the statement. */
  readonly parameters: readonly unknown[];
}

/** An operation on the ledger: it hands out statements, one after the other, and is given the rows of each. */
export type LedgerWork<T> = Generator<LedgerStep, T, readonly unknown[]>;

/** Makes an operation. `serverNow`: the clock of a server that dates what its hosts note; undefined where each caller's counts. */
export type WorkOnLedger<T> = (serverNow?: number) => LedgerWork<T>;

/** How an engine does operations on the ledger. */
export interface LedgerAccess {
  read<T>(work: WorkOnLedger<T>): Promise<T>;
  /** In one transaction that no other writer is in. */
  change<T>(work: WorkOnLedger<T>): Promise<T>;
  /** The same for work of one statement. A file needs no other transaction for it, which saves a sixth of the time. */
  changeOnce<T>(work: WorkOnLedger<T>): Promise<T>;
  /** The same for what a program may still note after it lost its locks, because nobody else writes it. */
  changeOwn<T>(work: WorkOnLedger<T>): Promise<T>;
}

/** Stands in a statement where a value goes. Kysely takes it for the value. */
class ValueMark {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/**
 * One statement for both engines, compiled once a dialect. `build` sees marks for values and may only test for
 * undefined.
 */
export function statement<Row, Values extends { readonly [Name in keyof Values]: StatementValue | undefined }>(
  build: (dialect: LedgerDialect, values: Values) => Compilable<Row>,
): (values: Values) => LedgerWork<readonly Row[]> {
  const forms = new Map<string, CompiledStatement>();
  return function* execute(own) {
    const values: StatementValues = own;
    const compiledFor = (dialect: LedgerDialect) => {
      let form: string = dialect.name;
      for (const name of Object.keys(values)) if (values[name] !== undefined) form += ` ${name}`;
      const known = forms.get(form);
      if (known) return known;
      const given = Object.keys(values).filter((name) => values[name] !== undefined);
      const marks: unknown = Object.fromEntries(given.map((name) => [name, new ValueMark(name)]));
      const compiled = build(dialect, marks as Values).compile(); // Kysely passes a mark through as it would the value
      forms.set(form, compiled);
      return compiled;
    };
    return (yield { compiledFor, values }) as readonly Row[]; // of the statement that it handed out
  };
}

export function boundValues(
  { values }: LedgerStep,
  { parameters }: CompiledStatement,
  dialect: LedgerDialect,
): readonly StatementValue[] {
  return parameters.map((parameter) => {
    const value = parameter instanceof ValueMark ? values[parameter.name] : parameter;
    return Array.isArray(value) ? dialect.listValue(value) : (value as StatementValue); // statements have no other constants
  });
}

/** The row of a statement that always gives one. @throws MacroError of kind `internal`. */
export function onlyRow<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new MacroError('internal', 'A statement of the ledger gave no row.');
  return row;
}

/** Does an operation with a driver that answers at once. */
export function executeSync<T>(work: LedgerWork<T>, execute: (step: LedgerStep) => readonly unknown[]): T {
  let next = work.next();
  while (!next.done) next = work.next(execute(next.value));
  return next.value;
}

/** Does an operation with a driver that answers later. */
export async function executeAsync<T>(
  work: LedgerWork<T>,
  execute: (step: LedgerStep) => Promise<readonly unknown[]>,
): Promise<T> {
  let next = work.next();
  while (!next.done) next = work.next(await execute(next.value));
  return next.value;
}

/** The tables as statements write them: what the database fills in by itself may be left out. */
export interface LedgerTables extends Omit<LedgerSchema, NumberedTable> {
  series: Filled<'series', 'id' | 'closed_at' | 'envelope' | 'envelope_inputs' | 'envelope_rows'>;
  runs: Filled<'runs', 'id' | 'ended' | 'outcome' | 'requests' | 'rows' | 'problem' | 'failed'>;
  journal: Filled<'journal', 'position'>;
  gaps: Filled<'gaps', 'id' | 'closed_at'>;
  subscriptions: Filled<
    'subscriptions',
    | 'number'
    | 'status'
    | 'successes'
    | 'failures'
    | 'consecutive_failures'
    | 'failing_since'
    | 'updated_at'
    | 'disabled_at'
    | 'disabled_reason'
  >;
  deliveries: Filled<
    'deliveries',
    'number' | 'status' | 'attempts' | 'holder' | 'last_status' | 'last_error' | 'delivered_at'
  >;
}

type NumberedTable = 'series' | 'runs' | 'journal' | 'gaps' | 'subscriptions' | 'deliveries';

type Filled<Name extends NumberedTable, Later extends keyof LedgerSchema[Name]> = {
  [K in keyof LedgerSchema[Name]]: K extends Later ? Generated<LedgerSchema[Name][K]> : LedgerSchema[Name][K];
};
