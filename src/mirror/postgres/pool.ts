import { type Client, type PoolClient, default as pg } from 'pg';
import type { PostgresAddress } from './address.ts';
import { type ServerConnection, serverConnection } from './connection.ts';
import { translatingServer } from './failures.ts';
import { INT8 } from './schema.ts';

/** Connections that one program holds at once; further work waits for its turn. */
const MAX_CONNECTIONS = 12;

/** Of these for reads that may wait for other work meanwhile, which then still finds a connection. */
const MAX_SNAPSHOTS = 8;

/** Milliseconds that a change waits for another program's: nothing of this one stands still meanwhile. */
const PATIENCE = 30_000;

/** Milliseconds that a change may wait between two of its statements before the server gives up on it. */
const MAX_PAUSE_MS = 60_000;

export interface Pool {
  /** A transaction that writes. */
  writing<T>(work: TransactionWork<T>, how?: TransactionWays): Promise<T>;
  /** A transaction that sees one state and changes nothing; it waits for nothing but its own statements. */
  reading<T>(work: TransactionWork<T>, how?: Pick<TransactionWays, 'first'>): Promise<T>;
  /** The same for work that may take its time. */
  snapshot<T>(work: TransactionWork<T>, how?: Pick<TransactionWays, 'first'>): Promise<T>;
  /** One statement without values, by itself: one way there and back. Gives its rows. */
  single(sql: string): Promise<readonly unknown[]>;
  /** A connection of its own, which whoever takes it ends. `answerTime`: milliseconds for the answer to a statement. */
  alone(answerTime: number): Promise<Client>;
  close(): Promise<void>;
}

export interface TransactionWays {
  /** A statement that begins it, sent along, and one that ends it. */
  readonly first?: string;
  readonly last?: () => string;
}

/** What is done in it, with the rows that its first statement gave. */
export type TransactionWork<T> = (connection: ServerConnection, found: readonly unknown[]) => Promise<T>;

/** Opens connections when they are needed. */
export function openPool({ config, name, schema, mayBePlain }: PostgresAddress): Pool {
  const types = { getTypeParser: typeParser };
  let pool: pg.Pool | undefined;
  let isPlain = false;
  let isClosed = false;
  const inTurn = createTurns(MAX_SNAPSHOTS);
  const makePool = () => {
    const made = new pg.Pool({
      ...config,
      ...(isPlain && { ssl: false }),
      types,
      max: MAX_CONNECTIONS,
      pipeline: true,
    });
    // A connection that breaks while nobody uses it is no failure of anything: the pool opens another one. Of one in use the
    // next statement tells.
    made.on('error', () => {});
    made.on('connect', (client) => void client.on('error', () => {}));
    return made;
  };

  async function connect(): Promise<PoolClient> {
    if (isClosed) throw new Error(`The mirror ${name} is closed`);
    pool ??= makePool();
    try {
      return await pool.connect();
    } catch (error) {
      if (isPlain || !mayBePlain || !speaksNoTls(error)) throw error;
      isPlain = true;
      void pool.end();
      pool = makePool();
      return pool.connect();
    }
  }

  /** What begins and what ends a transaction are one message each. */
  async function inTransaction<T>(
    { begin, isReading }: { readonly begin: string; readonly isReading: boolean },
    work: TransactionWork<T>,
    { first, last }: TransactionWays = {},
  ): Promise<T> {
    const client = await connect();
    const connection = serverConnection(client);
    let isBroken = true;
    try {
      const found = await connection.run(`${begin}; set local search_path to "${schema}"${first ? `; ${first}` : ''}`);
      const done = await work(connection, found);
      const ended = connection.run(last ? `${last()}; commit` : 'commit');
      // What was only read is an answer already: whatever comes next on the connection is sent behind this.
      if (isReading) ended.catch(() => undefined);
      else await Promise.all([connection.sent(), ended]);
      isBroken = false;
      return done;
    } catch (caught) {
      // A statement that was only sent may be what all later ones failed for.
      const error = await connection.sent().then(
        () => caught,
        (first) => first,
      );
      isBroken = await connection.run('rollback').then(
        () => false,
        () => true,
      );
      throw error;
    } finally {
      client.release(isBroken);
    }
  }

  const reading: Pool['reading'] = (work, how) =>
    translatingServer(name, () =>
      inTransaction({ begin: 'begin isolation level repeatable read read only', isReading: true }, work, how),
    );

  return {
    writing: (work, how) =>
      translatingServer(name, () => {
        const patience = `set local lock_timeout to ${PATIENCE}; set local idle_in_transaction_session_timeout to ${MAX_PAUSE_MS}`;
        return inTransaction({ begin: `begin; ${patience}`, isReading: false }, work, how);
      }),
    reading,
    snapshot: (work, how) => inTurn(() => reading(work, how)),
    single: (sql) =>
      translatingServer(name, async () => {
        const client = await connect();
        let isBroken = true;
        try {
          const { rows } = await client.query(sql);
          isBroken = false;
          return rows;
        } finally {
          client.release(isBroken);
        }
      }),
    alone: (answerTime) =>
      translatingServer(name, async () => {
        // Whether the server speaks TLS shows when the pool first connects.
        (await connect()).release();
        const client = new pg.Client({ ...config, ...(isPlain && { ssl: false }), types, query_timeout: answerTime });
        client.on('error', () => {});
        await client.connect();
        return client;
      }),
    async close() {
      isClosed = true;
      const open = pool;
      pool = undefined;
      await open?.end();
    },
  };
}

/** What is more than a number holds exactly is selected as text, or asked for as bigint. */
function typeParser(oid: number, format?: 'text' | 'binary') {
  if (oid === INT8) return Number;
  return pg.types.getTypeParser(oid, format as 'text');
}

function speaksNoTls(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('The server does not support SSL');
}

/** Lets at most so many works run at once; further ones wait for their turn. */
export function createTurns(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= most) await new Promise<void>((resolve) => void waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
