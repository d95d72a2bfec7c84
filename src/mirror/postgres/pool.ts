import { setTimeout } from 'node:timers/promises';
import { type Client, type ClientConfig, type PoolClient, default as pg } from 'pg';
import type { ConnectionCounts } from '../api/shared.ts';
import { createTurns } from '../rules/in-batches.ts';
import type { PostgresAddress } from './address.ts';
import { type ServerConnection, serverConnection } from './connection.ts';
import { hasNoRoom, isBrokenConnection, isReadOnly, isRefusedUser, translatingServer } from './failures.ts';
import { INT8 } from './schema.ts';

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
  counts(): ConnectionCounts;
  close(): Promise<void>;
}

export interface TransactionWays {
  /** Statements that begin it, sent along, and that end it. */
  readonly first?: string;
  readonly last?: () => string;
}

/** The work of a transaction, with the rows of its first statement. */
export type TransactionWork<T> = (connection: ServerConnection, found: readonly unknown[]) => Promise<T>;

export function openPool(address: PostgresAddress): Pool {
  const { name, schema, poolSize } = address;
  const connections = openConnections(address);
  // Reads that wait for other work meanwhile leave some connections for it.
  const inTurn = createTurns(Math.floor((poolSize * 2) / 3));

  /** The begin and the end of a transaction are one message each. */
  async function inTransaction<T>(
    { begin, isReading }: { readonly begin: string; readonly isReading: boolean },
    work: TransactionWork<T>,
    { first, last }: TransactionWays = {},
  ): Promise<T> {
    const opening = `${begin}; set local search_path to "${schema}"${first ? `; ${first}` : ''}`;
    const { client, begun: found } = await connections.begin((of) => serverConnection(of).run(opening));
    const connection = serverConnection(client);
    let isBroken = true;
    try {
      const done = await work(connection, found);
      const ended = connection.run(last ? `${last()}; commit` : 'commit');
      // A read has its answer already: the connection sends later statements behind this one.
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
      if (isReadOnly(error)) connections.moveOn();
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
        // Each statement sees what those before it waited for, whatever level the server begins with otherwise.
        const begin = `begin isolation level read committed; ${patience}`;
        return inTransaction({ begin, isReading: false }, work, how);
      }),
    reading,
    snapshot: (work, how) => inTurn(() => reading(work, how)),
    single: (sql) =>
      translatingServer(name, async () => {
        const { client, begun } = await connections.begin((of) => of.query(sql));
        client.release();
        return begun.rows;
      }),
    alone: (answerTime) => translatingServer(name, () => connections.alone(answerTime)),
    counts: connections.counts,
    close: connections.close,
  };
}

/** Milliseconds that work waits for a connection that the server or a pooler has no room for, and between two tries. */
const ROOM_MS = 5_000;
const PAUSE_MS = 100;

/** Gives connections to the server, or to whichever of several servers has what the address wants. */
interface Connections {
  /**
   * A connection on which `start` has run. A connection that broke while idle is replaced without an error, and a full
   * server is waited for: until then nothing has been done. The caller releases it.
   */
  begin<T>(start: (client: PoolClient) => Promise<T>): Promise<{ readonly client: PoolClient; readonly begun: T }>;
  /** One of its own, which whoever takes it ends. `answerTime`: milliseconds for the answer to a statement. */
  alone(answerTime: number): Promise<Client>;
  /** The server only reads by now: the next connection looks for another one. */
  moveOn(): void;
  counts(): ConnectionCounts;
  close(): Promise<void>;
}

/** Opens connections when they are needed. */
function openConnections({ servers, name, mayBePlain, wants, poolSize }: PostgresAddress): Connections {
  const types = { getTypeParser: typeParser };
  let pool: pg.Pool | undefined;
  let server = 0;
  let isPlain = false;
  let isClosed = false;

  const configOf = (): ClientConfig => ({ ...servers[server], ...(isPlain && { ssl: false }), types });

  function makePool(): pg.Pool {
    const check =
      wants &&
      ((client: PoolClient, done: (error?: Error) => void) => void refuseOther(client, wants).then(() => done(), done));
    const made = new pg.Pool({ ...configOf(), max: poolSize, pipeline: true, ...(check && { verify: check }) });
    // A connection that breaks while nobody uses it is no failure of anything: the pool opens another one. A connection in use fails at its next statement.
    made.on('error', () => {});
    made.on('connect', (client) => void client.on('error', () => {}));
    return made;
  }

  function leave(used: pg.Pool | undefined): void {
    if (pool === used) pool = undefined;
    void used?.end().catch(() => undefined);
  }

  /** Walk: the server that was used last; without TLS, where it speaks none and need not; then each of the others. */
  async function connect(): Promise<PoolClient> {
    let first: unknown;
    for (let tries = 0; tries <= servers.length; ) {
      if (isClosed) throw new Error(`The mirror ${name} is closed`);
      pool ??= makePool();
      const used = pool;
      const wasPlain = isPlain;
      try {
        return await used.connect();
      } catch (error) {
        if (pool !== used) continue;
        if (!wasPlain && mayBePlain && speaksNoTls(error)) isPlain = true;
        else if (servers.length === 1 || isRefusedUser(error)) throw error;
        else {
          first ??= error;
          server = (server + 1) % servers.length;
          isPlain = false;
          tries += 1;
        }
        leave(used);
        if (tries === servers.length) throw first;
      }
    }
    throw first;
  }

  return {
    async begin(start) {
      const end = performance.now() + ROOM_MS;
      for (let tries = 0; ; tries += 1) {
        let client: PoolClient | undefined;
        try {
          client = await connect();
          return { client, begun: await start(client) };
        } catch (error) {
          client?.release(true);
          if (hasNoRoom(error) && performance.now() < end) await setTimeout(PAUSE_MS);
          else if (!client || tries > 0 || !isBrokenConnection(error)) throw error;
        }
      }
    },
    async alone(answerTime) {
      // Which server it is, and whether it speaks TLS, shows when the pool connects.
      (await connect()).release();
      const client = new pg.Client({ ...configOf(), query_timeout: answerTime });
      client.on('error', () => {});
      await client.connect();
      return client;
    },
    moveOn: () => leave(servers.length > 1 ? pool : undefined),
    counts() {
      const { totalCount = 0, idleCount: idle = 0, waitingCount: waiting = 0 } = pool ?? {};
      return { inUse: totalCount - idle, idle, waiting };
    },
    async close() {
      isClosed = true;
      const open = pool;
      pool = undefined;
      await open?.end();
    },
  };
}

/** Refuses a server that is not what `target_session_attrs` wants, as libpq does. */
async function refuseOther(client: PoolClient, wants: 'writes' | 'reads' | 'primary' | 'standby'): Promise<void> {
  const { rows } = await client.query<{ reads: boolean; standby: boolean }>(
    `select current_setting('transaction_read_only') = 'on' as reads, pg_is_in_recovery() as standby`,
  );
  const { reads = false, standby = false } = rows[0] ?? {};
  const is = { writes: !reads, reads, primary: !standby, standby };
  if (!is[wants]) throw Object.assign(new Error(`The server cannot be used: ${wants}`), { code: 'UNWANTED' });
}

/** Integers too large for a number are selected as text, or requested as bigint. */
function typeParser(oid: number, format?: 'text' | 'binary') {
  if (oid === INT8) return Number;
  return pg.types.getTypeParser(oid, format as 'text');
}

function speaksNoTls(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('The server does not support SSL');
}
