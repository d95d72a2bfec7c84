import { type ClientBase, type CustomTypesConfig, default as pg } from 'pg';
import type { Column } from '../../contract/mapping.ts';
import type { KeyValue } from '../api/series.ts';
import type { Where } from '../rules/select.ts';
import { columnNamesOf } from '../rules/tables.ts';
import type { Select } from '../statements/engine.ts';
import { INT8 } from './schema.ts';

/** A statement of this engine alone. */
interface ExactSelect extends Select {
  /** Whole numbers come as bigint. */
  readonly isExact?: boolean;
}

const EXACT: CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8 ? BigInt : pg.types.getTypeParser(oid, format as 'text'),
};

/** One connection inside one transaction. Statements that do not wait for each other are sent in one round trip. */
export interface ServerConnection {
  /** Rows as arrays of columns. */
  tuples<Row extends unknown[]>(select: ExactSelect): Promise<readonly Row[]>;
  /** Rows with their columns by name. */
  records<Row>(select: Select): Promise<readonly Row[]>;
  /** Tuples of results of any length, so many at a time. */
  portions<Row extends unknown[]>(
    select: Where & Pick<ExactSelect, 'isExact'>,
    size: number,
  ): AsyncGenerator<readonly Row[]>;
  /** Statements without values, in one message; gives the rows of the last one. */
  run(sql: string): Promise<readonly unknown[]>;
  /** Sends a statement without reading its rows. If it fails, the transaction fails with the same error. */
  send(statement: Select): void;
  /** Waits until all that was sent is done. */
  sent(): Promise<unknown>;
}

type Value = KeyValue | null;

/** The type of a column of values that are sent; how texts are ordered is for the table to say. */
const TYPES: Readonly<Record<Column['type'], string>> = { text: 'text', integer: 'bigint', real: 'double precision' };

/** Rows that a statement takes at a time. */
const PORTION = 5000;

/** The seat of a connection. */
export function serverConnection(client: Pick<ClientBase, 'query'>): ServerConnection {
  const query = (text: string, values: readonly unknown[] = []) => client.query(text, [...values]);
  async function tuples<Row extends unknown[]>({ sql, values, isExact }: ExactSelect): Promise<readonly Row[]> {
    const types = isExact && { types: EXACT };
    const query = { text: numbered(sql), values: [...values], rowMode: 'array' as const, ...types };
    return (await client.query<Row>(query)).rows;
  }
  let cursors = 0;
  const sent: Promise<unknown>[] = [];
  return {
    send(statement) {
      const done = query(numbered(statement.sql), statement.values);
      done.catch(() => undefined);
      sent.push(done);
    },
    sent: () => Promise.all(sent),
    tuples,
    records: async <Row>({ sql, values }: Select) => (await query(numbered(sql), values)).rows as readonly Row[], // as the caller selects
    async *portions<Row extends unknown[]>(
      { sql, values, isExact }: Where & Pick<ExactSelect, 'isExact'>,
      size: number,
    ) {
      cursors += 1;
      const cursor = `portions_${cursors}`;
      await tuples({ sql: `declare ${cursor} no scroll cursor for ${sql}`, values });
      try {
        for (;;) {
          const rows = await tuples<Row>({
            sql: `fetch ${size} from ${cursor}`,
            values: [],
            ...(isExact && { isExact }),
          });
          if (rows.length > 0) yield rows;
          if (rows.length < size) return;
        }
      } finally {
        // A statement that failed has ended the transaction, and the cursor with it: that failure is the one to tell.
        await query(`close ${cursor}`).catch(() => {});
      }
    },
    async run(sql) {
      const answers: { rows: unknown[] } | { rows: unknown[] }[] = await client.query(sql);
      const last = Array.isArray(answers) ? answers.at(-1) : answers;
      return last?.rows ?? [];
    },
  };
}

/** The texts that both engines share mark a value with a question mark, which no name and no text of them has. */
function numbered(sql: string): string {
  let number = 0;
  return sql.replaceAll('?', () => {
    number += 1;
    return `$${number}`;
  });
}

/** Many rows as one list a column, so that a statement takes all of them in one message. */
export function unnestOf(columns: readonly Column[], rows: readonly (readonly Value[])[]) {
  return {
    sql: `unnest(${columns.map(({ type }) => `?::${TYPES[type]}[]`).join(', ')})`,
    names: columnNamesOf(columns).join(', '),
    values: columns.map((_, i) => rows.map((row) => row[i] ?? null)),
  };
}

/** Rows in parts that a statement takes. */
export function* batchesOf<T>(rows: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < rows.length; at += PORTION) yield rows.slice(at, at + PORTION);
}
