import type { Compilable, QueryCreator, RawBuilder, SqlBool } from 'kysely';
import { MacroError } from '../../../errors.ts';
import type { KeyValue } from '../../api/rows.ts';
import type { LedgerTables } from '../ledger.ts';

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

/** Stands in a statement where a value goes. Kysely takes it for the value. */
class ValueMark {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/**
 * One statement, written once for both engines. It is built with marks in place of its values, so `build` must not look into
 * them; it may ask whether one is undefined. Each form is compiled once a dialect, when it is first executed.
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

/** The parameters of a statement as the driver takes them. */
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

/**
 * The row of a statement that always gives one.
 * @throws MacroError of kind `internal`.
 */
export function onlyRow<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new MacroError('internal', 'A statement of the ledger gave no row.');
  return row;
}
