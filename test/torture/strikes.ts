import { copyFileSync, existsSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';
import pg from 'pg';

/** Called before each write; what it throws or gives stands in place of the write. */
type OnWrite = (database: Database.Database) => void;

const WRITING_METHODS = ['run', 'get', 'all', 'iterate'] as const;
const ENDS = /^\s*commit/i;

/** Does work while each statement that writes into an SQLite file, or ends its transaction, is noted before it is done. */
export async function watchingWrites<T>(onWrite: OnWrite, work: () => Promise<T>): Promise<T> {
  const statement = Object.getPrototypeOf(new Database(':memory:').prepare('begin'));
  const kept = WRITING_METHODS.map((name) => [name, statement[name]] as const);
  const { exec } = Database.prototype;
  for (const [name, original] of kept)
    statement[name] = function (this: Database.Statement, ...values: unknown[]) {
      if (!this.readonly || ENDS.test(this.source)) onWrite(this.database);
      return original.apply(this, values);
    };
  Database.prototype.exec = function (source) {
    onWrite(this);
    return exec.call(this, source);
  };
  try {
    return await work();
  } finally {
    for (const [name, original] of kept) statement[name] = original;
    Database.prototype.exec = exec;
  }
}

export const diskFull = () => new Database.SqliteError('database or disk is full', 'SQLITE_FULL');

const PARTS = ['', '-wal', '-journal'];

export interface LeftBehind {
  /** Copies of the file as a program that is killed leaves it behind: one for each state that the disk was in. */
  readonly copies: readonly string[];
  /** Writes that were done: between two of them the disk often stays as it is. */
  readonly writes: number;
}

/** Does work on a file, and keeps every state that the disk was in before a write of it and after the last. */
export async function statesLeftBehind(path: string, work: () => Promise<unknown>): Promise<LeftBehind> {
  const copies: string[] = [];
  let writes = 0;
  let last = '';
  const keep = () => {
    const now = PARTS.map((end) => stateOf(path + end)).join(' ');
    if (now === last) return;
    last = now;
    const copy = `${path}.${copies.length}`;
    // Without the `-shm` file, which a next program makes anew.
    for (const end of PARTS) if (existsSync(path + end)) copyFileSync(path + end, copy + end);
    copies.push(copy);
  };
  await watchingWrites(() => {
    writes += 1;
    keep();
  }, work);
  keep();
  return { copies, writes };
}

function stateOf(path: string): string {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found ? `${found.size}@${found.mtimeNs}` : '-';
}

/** What befalls a statement on its way to a server. */
export type ServerFault = 'killed' | 'cut' | 'full';

/** A statement that fails on the server as one does there. */
const FAILING: Readonly<Record<'cut' | 'full', string>> = {
  cut: 'select pg_terminate_backend(pg_backend_pid())',
  full: `do $$ begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`,
};

export interface Struck<T> {
  readonly result: T;
  /** Statements that were on their way. */
  readonly statements: number;
}

/**
 * Does work on a server while one of its statements, counted from 0, is struck: the program is killed before it, and no further
 * one reaches the server; the server cuts its connection; or the disk of the server is full.
 */
export async function strikingServer<T>(at: number, fault: ServerFault, work: () => Promise<T>): Promise<Struck<T>> {
  const { query } = pg.Client.prototype;
  const original = query as unknown as (this: pg.Client, ...values: unknown[]) => unknown;
  let statements = 0;
  let isDead = false;
  pg.Client.prototype.query = function (this: pg.Client, ...values: unknown[]) {
    const number = statements;
    statements += 1;
    if (number === at && fault === 'killed') isDead = true;
    if (isDead) {
      const { connection } = this as unknown as { connection: { stream: { destroy(): void } } };
      connection.stream.destroy();
      return Promise.reject(Object.assign(new Error('Connection terminated unexpectedly'), { code: 'ECONNRESET' }));
    }
    if (number === at && fault !== 'killed') return original.call(this, FAILING[fault]);
    return original.apply(this, values);
  } as unknown as typeof query;
  try {
    return { result: await work(), statements };
  } finally {
    pg.Client.prototype.query = query;
  }
}
