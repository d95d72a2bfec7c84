import type { Mapping } from '../../contract/mapping.ts';
import { MacroError } from '../../errors.ts';
import type { Platform } from '../../platform/platform.ts';
import { holderName, isDeadHere } from '../../platform/schedule/scheduler.ts';
import type { Mirror, ViewAsk, ViewCell, ViewPage } from '../api/mirror.ts';
import type { CommitReport, PageCommit } from '../api/page-commit.ts';
import type { KeyValue, Stamp } from '../api/series.ts';
import { endpointsOf, reportsIn, TakenBack } from '../rules/commit-rules.ts';
import { consumerRunning, type HolderOfLock, syncRunning } from '../rules/failures.ts';
import type { Where } from '../rules/select.ts';
import { decideStamp } from '../rules/system-rows.ts';
import { type Shared, sharedOf, type Table } from '../rules/tables.ts';
import type { FactsToVerify } from '../rules/verify-rows.ts';
import { viewFor } from '../rules/views.ts';
import { commitAll } from '../statements/commit.ts';
import { compareBounds, coverageRows } from '../statements/coverage.ts';
import { doLater } from '../statements/engine.ts';
import { confirmFollowed } from '../statements/follows.ts';
import { createJournal } from '../statements/journal.ts';
import { createOutbox } from '../statements/outbox.ts';
import { createReader, type Reading } from '../statements/reader.ts';
import { createCheckLog, createFileLog, createRunLog } from '../statements/runs.ts';
import { bindService, dropStoredWalk } from '../statements/series.ts';
import type { Transactions } from '../statements/transactions.ts';
import { type PostgresAddress, readServerAddress } from './address.ts';
import type { ServerConnection } from './connection.ts';
import { serverEngine } from './engine.ts';
import { translatingServer } from './failures.ts';
import { openLeases } from './leases.ts';
import { openPool, type Pool, type TransactionWork } from './pool.ts';
import { SERVER_VIEWS } from './schema.ts';
import { matchServerSchema } from './schema-match.ts';
import { createShared } from './shared.ts';
import {
  clockIn,
  forgetOtherTimes,
  isOwnVersion,
  makeServerTables,
  ownRowOf,
  readServerState,
  type Seen,
  seenIn,
} from './version.ts';
import { serverWriter } from './writer.ts';
import { createWriting, type ServerReading, type Writing } from './writing.ts';

export interface ServerOpenOptions {
  /** `postgres://user@host/database?schema=name`. */
  readonly address: string;
  /** Mappings by endpoint id. */
  readonly mappings: Readonly<Record<string, Mapping>>;
  readonly platform: Pick<Platform, 'clock' | 'random' | 'env' | 'pid' | 'isRunning' | 'host'>;
  readonly mode: 'write' | 'read';
  /** Who dates commits. The server does, for machines whose clocks differ; a test may do it itself. */
  readonly dates?: 'server' | 'caller';
}

interface Parts {
  readonly pool: Pool;
  readonly address: PostgresAddress;
  readonly shared: Shared;
  readonly platform: ServerOpenOptions['platform'];
}

/** Reads that all see one state, and what it is. */
type Snapshot = <T>(work: (connection: ServerConnection, seen: Seen) => Promise<T>) => Promise<T>;

interface Ways {
  readonly mode: 'write' | 'read';
  readonly dates: 'server' | 'caller';
}

/** Opens the mirror of a PostgreSQL server; in `write` mode its schema is made when absent. */
export async function openServerMirror(options: ServerOpenOptions): Promise<Mirror> {
  const { mode, mappings, platform, dates = 'server' } = options;
  const address = readServerAddress(options.address, platform.env);
  const pool = openPool(address);
  try {
    if (mode === 'write') await makeReady(pool, address, options);
    else await requireReady(pool, address);
    const shared = sharedOf(address.name, mappings, 'whole');
    return await mirrorOn({ pool, address, shared, platform }, { mode, dates });
  } catch (error) {
    await pool.close();
    throw error;
  }
}

/** Makes the system tables where there are none. */
export async function makeReady(
  pool: Pool,
  address: PostgresAddress,
  { platform }: Pick<ServerOpenOptions, 'platform'>,
): Promise<void> {
  if (await isReady(pool, address)) return;
  const id = Buffer.from(platform.random.bytes(16)).toString('hex');
  const birth = { id, created: platform.clock.now() };
  await pool.writing((connection) => makeServerTables(connection, address, birth));
}

async function requireReady(pool: Pool, address: PostgresAddress): Promise<void> {
  const { name } = address;
  if (!(await isReady(pool, address)) && (await pool.reading((of) => readServerState(of, name))) === 'empty')
    throw new MacroError('mirror', `There is no mirror at ${name}.`, {
      code: 'mirror_absent',
      hint: 'Fill one with `macro sync fx eur usd` or `macro import FILE`, or name another one with --mirror.',
    });
}

/** One statement tells that a mirror of this version is there, which is nearly always so. */
async function isReady(pool: Pool, { schema }: PostgresAddress): Promise<boolean> {
  try {
    const [found] = await pool.single(ownRowOf(schema));
    return found !== undefined && isOwnVersion(found);
  } catch (error) {
    if (
      error instanceof MacroError &&
      error.cause instanceof Error &&
      'code' in error.cause &&
      ABSENT.includes(error.cause.code)
    )
      return false;
    throw error;
  }
}

/** Codes of the server for a schema or a table or a column that is not there. */
const ABSENT: readonly unknown[] = ['3F000', '42P01', '42703'];

/** The mirror's operations over a schema of a server; each is one transaction. */
async function mirrorOn({ pool, address, shared, platform }: Parts, { mode, dates }: Ways): Promise<Mirror> {
  const { name, schema } = address;
  const newWord = () => Buffer.from(platform.random.bytes(16)).toString('hex');
  const isDead = (holder: string) => isDeadHere(holder, platform);
  const leases = openLeases(pool, { name, schema, holder: holderName(platform), newWord, isDead });
  const take = async (key: string, taken: (by: HolderOfLock) => MacroError | Promise<MacroError>) => {
    if (mode === 'read') throw readOnly(name);
    const lock = await leases.take(key);
    if ('release' in lock) return lock;
    throw await taken(lock);
  };
  const writing =
    mode === 'write'
      ? createWriting({ pool, leases, name, dates, newWord })
      : { change: refuseToWrite(name), changeOnce: refuseToWrite(name), changeOwn: refuseToWrite(name) };
  const by = <T>(way: Pool['reading'], work: TransactionWork<T>): Promise<T> => {
    const timed = shared.newestTimed;
    return way(
      (connection, found) => {
        forgetOtherTimes(found, shared, timed);
        return work(connection, found);
      },
      { first: ownRowOf(undefined, timed) },
    );
  };
  const snapshot: Snapshot = (work) => by(pool.snapshot, (connection, found) => work(connection, seenIn(found, name)));
  const reading: ServerReading = (work) =>
    by(pool.reading, (connection, found) => {
      seenIn(found, name);
      return work(connection, dates === 'server' ? clockIn(found) : undefined);
    });
  const look = async () => seenIn(await pool.single(ownRowOf(schema)), name);
  const { change } = writing;
  const reads: Reading = (work) => reading((of) => doLater(work(serverEngine(of, shared))));
  const reader = createReader(reads, shared);
  const transactions = serverTransactions(reading, writing, shared);
  const runs = createRunLog(transactions);
  const makeFit = await fitter({ pool, name, schema, shared, mode, stamp: async () => (await look()).stamp });

  /** Several answers in one transaction. Tables are made before it; `told`: refused answers get no tables. */
  async function commitStream(
    changing: Writing['changeOnce'],
    { endpoints, commits }: { readonly endpoints: readonly string[]; readonly commits: Iterable<PageCommit> },
    told?: readonly PageCommit[],
  ): Promise<readonly CommitReport[]> {
    for (const endpoint of endpoints) await makeFit(endpoint, told);
    return changing((of, found) => doLater(commitAll(serverWriter(of, shared), found, commits, shared.table)));
  }

  const commitAtOnce = (changing: Writing['changeOnce'], commits: readonly PageCommit[]) =>
    commitStream(changing, { endpoints: endpointsOf(commits), commits }, commits);

  return {
    ...reader,
    name,
    stamp: async () => (await look()).stamp,
    snapshot: (read) =>
      // A read fails where it is waited for, which may be outside of this call.
      snapshot((connection, seen) => {
        const reads = createReader(
          (work) => translatingServer(name, () => doLater(work(serverEngine(connection, shared)))),
          shared,
        );
        return read({ ...reads, seen });
      }),
    look: async () => (await look()).state,
    commitPage: async (received) => (await commitAtOnce(writing.change, [received]))[0] as CommitReport, // one of each
    commitPages: (commits) => commitAtOnce(writing.changeOnce, commits),
    commitStream: (endpoints, commits) => commitStream(writing.changeOnce, { endpoints, commits }),
    async rehearseStream(endpoints, commits) {
      try {
        return await commitStream(rehearsing(writing.changeOnce), { endpoints, commits });
      } catch (error) {
        return reportsIn(error);
      }
    },
    // The server has written its log before it calls a commit done, unless its synchronous_commit is off.
    flush: async () => undefined,
    dropWalk: (key, access) => change((of) => doLater(dropStoredWalk(serverWriter(of, shared), key, access))),
    confirmFollowed: async (endpoint, access, at) => {
      const table = shared.table(endpoint);
      if (!table) return 0;
      return change((of) => doLater(confirmFollowed(serverWriter(of, shared), table, { access, at })));
    },
    bind: (binding) => transactions.change((writer) => bindService(writer, binding)),
    lockSync: () =>
      take('sync', async (by) => {
        // The run names its command as well.
        const [run] = await runs.runs(1);
        const isIts = run && run.outcome === undefined && run.holder.endsWith(by.name);
        return syncRunning(name, isIts ? { ...by, name: run.holder } : by);
      }),
    lockConsumer: (consumer) => take(`consumer ${consumer}`, (by) => consumerRunning(name, consumer, by)),
    ...createCheckLog(transactions),
    ...runs,
    journal: createJournal(transactions),
    outbox: createOutbox(transactions),
    shared: createShared({ reading, change, pool }),
    files: createFileLog(reads, shared.table),
    viewRows: (ask, take) => snapshot((connection) => readServerView(connection, shared, { ask, take })),
    verify: async (ask) => {
      const { verifyMirror } = await import('../rules/verify.ts');
      return snapshot((connection) => verifyMirror(factsOfServer(connection), shared, ask));
    },
    close() {
      leases.close();
      void pool.close();
    },
  };
}

/** Runs changes and undoes them. Their tables are real, and stay; nothing else does. */
function rehearsing(changeOnce: Writing['changeOnce']): Writing['changeOnce'] {
  return (work) =>
    changeOnce(async (connection, found) => {
      throw new TakenBack((await work(connection, found)) as readonly CommitReport[]); // what `commitStream` gives
    });
}

function refuseToWrite(name: string): Writing['change'] {
  return async () => {
    throw readOnly(name);
  };
}

function readOnly(name: string): MacroError {
  return new MacroError('mirror', `The mirror ${name} was opened for reading only.`, { code: 'mirror_read_only' });
}

interface Fitting {
  readonly pool: Pool;
  readonly name: string;
  readonly schema: string;
  readonly shared: Shared;
  readonly mode: 'write' | 'read';
  readonly stamp: () => Promise<Stamp>;
}

/** Makes the tables of an endpoint fit for answers; refused answers get no tables. */
type MakeFit = (endpoint: string, answers?: readonly PageCommit[]) => Promise<void>;

/** Missing tables are made at the first write, existing tables are fitted at once. */
async function fitter({ pool, name, schema, shared, mode, stamp: readStamp }: Fitting): Promise<MakeFit> {
  const fitting = new Set<string>();
  const makeFit = async (tables: readonly Table[]) => {
    await matchServerSchema(pool, tables, name);
    for (const { endpoint } of tables) fitting.add(endpoint);
  };
  if (mode === 'write') {
    const stored = await pool.single(`select distinct endpoint from "${schema}".series`);
    await makeFit(
      (stored as readonly { readonly endpoint: string }[]).flatMap(({ endpoint }) => shared.table(endpoint) ?? []),
    );
  }
  return async (endpoint, answers = []) => {
    const table = shared.table(endpoint);
    if (!table || mode !== 'write' || fitting.has(endpoint)) return;
    // Making tables is a transaction before that of the answers.
    const stamp = await readStamp();
    for (const answer of answers) decideStamp(stamp, answer, name);
    await makeFit([table]);
  };
}

/** Reads rows of some series as a view shows them, in the transaction of a seat. */
async function readServerView(
  connection: ServerConnection,
  shared: Shared,
  { ask, take }: { ask: ViewAsk; take: (page: ViewPage) => void },
): Promise<void> {
  const { rows: sql } = viewFor(ask, shared, SERVER_VIEWS);
  for (const series of ask.series)
    for await (const page of connection.portions<ViewCell[]>({ sql, values: [series], isExact: true }, ask.page)) {
      ask.signal.throwIfAborted();
      take(page);
    }
}

/** Transactions of a mirror on a server. */
function serverTransactions(reading: ServerReading, { change, changeOwn }: Writing, shared: Shared): Transactions {
  return {
    read: (work) => reading((of, now) => doLater(work(serverEngine(of, shared), now))),
    change: (work) => change((of, { now }) => doLater(work(serverWriter(of, shared), now))),
    changeOwn: (work) => changeOwn((of, { now }) => doLater(work(serverWriter(of, shared), now))),
  };
}

/** Rows that are in memory at a time. */
const PORTION = 2000;

/** Triggers and rules on the tables of the mirror. Those of foreign keys and views are the server's own. */
const FOREIGN = `
  select 'trigger', t.tgname::text, c.relname::text from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where c.relnamespace = current_schema()::regnamespace and not t.tgisinternal
  union all select 'rule', r.rulename::text, c.relname::text from pg_rewrite r join pg_class c on c.oid = r.ev_class
    where c.relnamespace = current_schema()::regnamespace and r.rulename <> '_RETURN'
  order by 1, 2, 3`;

/** The facts of a server for a check, on a connection that sees one state. */
function factsOfServer(connection: ServerConnection): FactsToVerify {
  return {
    rows: <Row>(sql: string, ...values: readonly KeyValue[]) => connection.records<Row>({ sql, values }),
    portions: <Row extends readonly unknown[]>(select: Where) =>
      connection.portions<unknown[]>(select, PORTION) as AsyncIterable<readonly unknown[]> as AsyncIterable<
        readonly Row[]
      >, // as the caller selects
    async coveredRanges(series) {
      const rows = await doLater(coverageRows(serverEngine(connection, { commitTimes: new Map() }), [series]));
      return rows.toSorted((a, b) => compareBounds(a.access, b.access));
    },
    async tables() {
      const found = await connection.tuples<[string]>({
        sql: `select c.relname::text from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'series'
          where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p', 'f', 'v', 'm')
          order by c.relname`,
        values: [],
      });
      return found.map(([name]) => name);
    },
    async foreign() {
      const found = await connection.tuples<[type: string, name: string, on: string]>({ sql: FOREIGN, values: [] });
      return found.map(([type, name, on]) => ({ type, name, on, effect: 'alters' as const }));
    },
    // The server keeps checksums of its own.
    requireSound: async () => {},
    // A column that is missing is an error of the server.
    requireFit: async () => {},
  };
}
