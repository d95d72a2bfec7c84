import process from 'node:process';
import { Worker } from 'node:worker_threads';
import { sqliteCode } from '../../platform/file-error.ts';
import { BUSY_TIMEOUT, connectForQuery } from '../sqlite/connect.ts';
import type { SqliteConnection } from '../sqlite/database-file.ts';
import type { FailedQuery, QueryAnswer, QueryMessage, QueryRequest, QueryValue } from './query.ts';

/** The process of one query. It is handed nothing but the query: no environment, so no key either. */
process.once('message', (request) => {
  void answer(request as QueryRequest).finally(() => process.disconnect()); // our own parent's message
});

const BATCH = 500;
const MAX_MESSAGE_LENGTH = 1000;

/** Memory of a query in progress. No setting of SQLite bounds the size of a value, and nothing stops a statement but the end of its process. */
const MAX_MEMORY_BYTES = 512 * 1024 * 1024;
const LOOK_MS = 10;

/** Ends the process from a thread of its own: the statement keeps this one busy. */
const WATCH = `setInterval(() => {
  if (process.memoryUsage.rss() > ${MAX_MEMORY_BYTES}) process.kill(process.pid, 'SIGKILL');
}, ${LOOK_MS})`;

async function answer(request: QueryRequest): Promise<void> {
  let db: SqliteConnection | undefined;
  new Worker(WATCH, { eval: true }).unref();
  try {
    db = connectForQuery(request.path, BUSY_TIMEOUT);
    await run(db, request);
  } catch (error) {
    await send({ failed: failureOf(db, error) });
  } finally {
    db?.close();
  }
}

/**
 * Runs a query that can only read: the file is open for reading, and one statement is compiled. It runs only if SQLite
 * itself says that it gives rows and changes nothing. ATTACH, VACUUM INTO, BEGIN and every setting fail this. The
 * driver loads no extension, and has no function that reads or writes a file.
 */
async function run(db: SqliteConnection, { sql, binds, limit, maxBytes }: QueryRequest): Promise<void> {
  const statement = db.prepare<unknown[], QueryValue[]>(sql);
  if (!statement.reader || !statement.readonly) throw new NotReading();
  const columns = statement.columns().map(({ name }) => name);
  let batch: QueryValue[][] = [];
  let rows = 0;
  let cut: QueryAnswer['cut'];
  let bytes = 0;
  const values = Object.keys(binds).length === 0 ? [] : [binds];
  for (const row of statement
    .raw()
    .safeIntegers()
    .iterate(...values)) {
    bytes += bytesOf(row);
    if (rows === limit) cut = 'rows';
    else if (bytes > maxBytes) cut = 'bytes';
    if (cut === 'bytes' && rows === 0) throw new LargeRow();
    if (cut !== undefined) break;
    rows += 1;
    batch.push(row);
    if (batch.length < BATCH) continue;
    await send({ rows: batch });
    batch = [];
  }
  await send({ rows: batch });
  await send({ columns, cut });
}

class NotReading extends Error {}
class LargeRow extends Error {}

function bytesOf(row: readonly QueryValue[]): number {
  return row.reduce<number>((sum, value) => sum + (value === null ? 1 : sizeOf(value)), 0);
}

function sizeOf(value: Exclude<QueryValue, null>): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  return value instanceof Uint8Array ? value.length : 8;
}

/** Resolves when the other side has room: the next batch waits for it. */
function send(message: QueryMessage): Promise<void> {
  return new Promise((resolve, reject) => {
    process.send?.(message, undefined, undefined, (error) => (error ? reject(error) : resolve()));
  });
}

function failureOf(db: SqliteConnection | undefined, error: unknown): FailedQuery {
  const message = (error instanceof Error ? error.message : String(error)).slice(0, MAX_MESSAGE_LENGTH);
  if (error instanceof NotReading) return { kind: 'not reading', message };
  if (error instanceof LargeRow) return { kind: 'large row', message };
  const code = sqliteCode(error);
  if (code === '') return { kind: 'bad query', message };
  const names = code === 'SQLITE_ERROR' && db ? knownNames(db) : [];
  return { kind: 'sqlite', message, code, names };
}

/** Tables and columns that a person may have meant. */
function knownNames(db: SqliteConnection): readonly string[] {
  return db
    .prepare<[], string>(
      `select name from sqlite_schema where type in ('table', 'view')
       union select c.name from sqlite_schema v, pragma_table_info(v.name) c where v.type = 'view'`,
    )
    .pluck()
    .all();
}
