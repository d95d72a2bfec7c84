import { sql } from 'kysely';
import { default as pg } from 'pg';
import type { Mapping } from '../../contract/mapping.ts';
import { MacroError } from '../../errors.ts';
import type { Platform } from '../../platform/platform.ts';
import { holderName, isDeadHere } from '../../platform/schedule/scheduler.ts';
import type { Mirror, ViewAsk, ViewCell, ViewPage } from '../api/mirror.ts';
import type { PageCommit } from '../api/page-commit.ts';
import type { Stamp } from '../api/series.ts';
import type { QuotaOwner, QuotaTable, SecretTable, SharedMirror, StoredSecret } from '../api/shared.ts';
import { endpointsOf } from '../rules/commit-rules.ts';
import { consumerRunning, type HolderOfLock, syncRunning } from '../rules/failures.ts';
import { decideStamp, paginationRunOf } from '../rules/ledger.ts';
import { type Shared, sharedOf, type Table } from '../rules/tables.ts';
import { viewFor } from '../rules/views.ts';
import { bindService } from '../statements/binding.ts';
import { createCheckLog } from '../statements/checks.ts';
import { POSTGRES } from '../statements/dialects.ts';
import { createJournal } from '../statements/journal.ts';
import { createOutbox } from '../statements/outbox.ts';
import { createFileHistory, createRunLog } from '../statements/runs.ts';
import { boundValues, executeAsync, type LedgerAccess, type LedgerWork } from '../statements/statement.ts';
import { type PostgresAddress, readServerAddress } from './address.ts';
import { commitPage, commitStream, rehearseStream } from './commit.ts';
import type { ServerConnection } from './connection.ts';
import { translatingServer } from './failures.ts';
import { confirmFollowed, readServerFollows } from './follows.ts';
import { openLeases } from './leases.ts';
import { readPaginationRun, serverSeriesOf, writePaginationRun } from './ledger.ts';
import { openPool, type Pool } from './pool.ts';
import { createServerReader, type ServerReading, serverEvidence } from './reader.ts';
import { type PostgresLedger, SERVER_NOW, SERVER_VIEWS } from './schema.ts';
import { matchServerSchema } from './schema-match.ts';
import { clockIn, isOwnVersion, makeServerLedger, ownRowOf, readServerState, type Seen, seenIn } from './version.ts';
import { createWriting, type Writing } from './writing.ts';

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

/** Makes the ledger where there is none. */
export async function makeReady(
  pool: Pool,
  address: PostgresAddress,
  { platform }: Pick<ServerOpenOptions, 'platform'>,
): Promise<void> {
  if (await isReady(pool, address)) return;
  const id = Buffer.from(platform.random.bytes(16)).toString('hex');
  const birth = { id, created: platform.clock.now() };
  await pool.writing((connection) => makeServerLedger(connection, address, birth));
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
  const take = async (key: string, taken: (by: HolderOfLock) => MacroError) => {
    if (mode === 'read') throw readOnly(name);
    const lock = await leases.take(key);
    if ('release' in lock) return lock;
    throw taken(lock);
  };
  const writing =
    mode === 'write'
      ? createWriting({ pool, leases, name, dates, newWord })
      : { change: refuseToWrite(name), changeOnce: refuseToWrite(name), changeOwn: refuseToWrite(name) };
  const snapshot: Snapshot = (work) =>
    pool.snapshot((connection, found) => work(connection, seenIn(found, name)), { first: ownRowOf() });
  const reading: ServerReading = (work) =>
    pool.reading(
      (connection, found) => {
        seenIn(found, name);
        return work(connection, dates === 'server' ? clockIn(found) : undefined);
      },
      { first: ownRowOf() },
    );
  const look = async () => seenIn(await pool.single(ownRowOf(schema)), name);
  const { change } = writing;
  const reader = createServerReader(reading, shared);
  const ledger = serverLedger(reading, writing);
  const runs = createRunLog(ledger);
  const tableFor = await fitter({ pool, name, shared, mode, stamp: async () => (await look()).stamp });
  return {
    ...reader,
    name,
    stamp: async () => (await look()).stamp,
    snapshot: (read) =>
      // A read fails where it is waited for, which may be outside of this call.
      snapshot((connection, seen) =>
        read({ ...createServerReader((work) => translatingServer(name, () => work(connection)), shared), seen }),
      ),
    look: async () => (await look()).state,
    commitPage: async (commit) => commitPage(writing, await tableFor(commit.series.endpoint, [commit]), commit),
    commitPages: (commits) =>
      commitStream(writing, (endpoint) => tableFor(endpoint, commits), { endpoints: endpointsOf(commits), commits }),
    commitStream: (endpoints, commits) => commitStream(writing, tableFor, { endpoints, commits }),
    rehearseStream: (endpoints, commits) => rehearseStream(writing, tableFor, { endpoints, commits }),
    // The server has written its log before it calls a commit done, unless its synchronous_commit is off.
    flush: async () => undefined,
    paginationRun: (key, access) =>
      reading(async (connection) => {
        const stored = await serverSeriesOf(connection, key);
        const kept = stored && (await readPaginationRun(connection, stored.id, access));
        return kept && paginationRunOf(kept);
      }),
    dropWalk: (key, access) =>
      change(async (connection) => {
        const stored = await serverSeriesOf(connection, key);
        if (stored) writePaginationRun(connection, { id: stored.id, access, walk: null, heldBack: false });
      }),
    validator: (access, question) =>
      reading(async ({ ledger }) => {
        const kept = ledger.selectFrom('validators').select('etag').where('access', '=', access);
        return (await kept.where('question', '=', question).executeTakeFirst())?.etag;
      }),
    follows: (endpoint, access) => reading((connection) => readServerFollows(connection, endpoint, access)),
    confirmFollowed: async (endpoint, access, at) => {
      const table = shared.table(endpoint);
      return table ? change((connection) => confirmFollowed(connection, table, { access, at })) : 0;
    },
    bind: (binding) => ledger.change(() => bindService(binding)),
    lockSync: () => take('sync', (by) => syncRunning(name, by)),
    lockConsumer: (consumer) => take(`consumer ${consumer}`, (by) => consumerRunning(name, consumer, by)),
    ...createCheckLog(ledger),
    ...runs,
    journal: createJournal(ledger),
    outbox: createOutbox(ledger),
    shared: createShared({ reading, change, pool }),
    files: createFileHistory({
      all: (select) => reading((connection) => connection.tuples(select)),
      table: shared.table,
    }),
    viewRows: (ask, take) => snapshot((connection) => readServerView(connection, shared, { ask, take })),
    verify: async (ask) => {
      const { verifyMirror } = await import('../rules/verify.ts');
      return snapshot((connection) => verifyMirror(serverEvidence(connection), shared, ask));
    },
    close() {
      leases.close();
      void pool.close();
    },
  };
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
  readonly shared: Shared;
  readonly mode: 'write' | 'read';
  readonly stamp: () => Promise<Stamp>;
}

/** Gives the tables of an endpoint for answers; for those that the mirror refuses none are made. */
type TableFor = (endpoint: string, answers?: readonly PageCommit[]) => Promise<Table>;

/** Gives the tables of an endpoint, made when it is first written; those that are there are fitted at once. */
async function fitter({ pool, name, shared, mode, stamp: readStamp }: Fitting): Promise<TableFor> {
  const fitting = new Set<string>();
  const makeFit = async (tables: readonly Table[]) => {
    await matchServerSchema(pool, tables, name);
    for (const { endpoint } of tables) fitting.add(endpoint);
  };
  if (mode === 'write') {
    const stored = await pool.reading(({ ledger }) =>
      ledger.selectFrom('series').select('endpoint').distinct().execute(),
    );
    await makeFit(stored.flatMap(({ endpoint }) => shared.table(endpoint) ?? []));
  }
  return async (endpoint, answers = []) => {
    const table = shared.table(endpoint);
    if (!table) throw new MacroError('internal', `The mirror keeps no rows of '${endpoint}'.`);
    if (mode !== 'write' || fitting.has(endpoint)) return table;
    // Making tables is a transaction before that of the answers.
    const stamp = await readStamp();
    for (const answer of answers) decideStamp(stamp, answer, name);
    await makeFit([table]);
    return table;
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

/** Operations on the ledger of a mirror on a server. */
function serverLedger(reading: ServerReading, { change, changeOwn }: Writing): LedgerAccess {
  const changing: LedgerAccess['change'] = (work) => change((connection, { now }) => runOn(connection, work(now)));
  return {
    read: (work) => reading((connection, now) => runOn(connection, work(now))),
    change: changing,
    changeOnce: changing,
    changeOwn: (work) => changeOwn((connection, { now }) => runOn(connection, work(now))),
  };
}

/** Does an operation inside of a transaction. */
function runOn<T>(connection: ServerConnection, work: LedgerWork<T>): Promise<T> {
  return executeAsync(work, (step) => {
    const compiled = step.compiledFor(POSTGRES);
    return connection.records({ sql: compiled.sql, values: boundValues(step, compiled, POSTGRES) });
  });
}

type SecretRow = PostgresLedger['secrets'];

interface SharedParts {
  readonly reading: ServerReading;
  readonly change: Writing['change'];
  readonly pool: Pick<Pool, 'writing' | 'counts'>;
}

/** What the programs share that use a schema, beside its rows. A secret is replaced by a commit, so every host sees it. */
function createShared({ reading, change, pool }: SharedParts): SharedMirror {
  return {
    secrets: createSecretTable(reading, change),
    quota: createQuotaTable(reading, pool),
    connections: async () => pool.counts(),
    leases: () =>
      reading(({ ledger }) =>
        ledger
          .selectFrom('leases')
          .select(['name', 'holder', sql<number>`greatest(0, ${sql.raw(SERVER_NOW)} - since)`.as('ageMs')])
          .where('until', '>', sql.raw<number>(SERVER_NOW))
          .orderBy('name')
          .execute(),
      ),
  };
}

function createSecretTable(reading: ServerReading, change: Writing['change']): SecretTable {
  return {
    stored: (kind, names) =>
      reading(async ({ ledger }) => {
        const all = ledger.selectFrom('secrets').selectAll().where('kind', '=', kind).orderBy('name');
        const found = await (names ? all.where('name', 'in', [...names, '']) : all).execute();
        return found.map(toSecret);
      }),
    add: (secret) =>
      change(async ({ ledger }) => {
        const row = ledger.insertInto('secrets').values(toRow(secret));
        const added = await row
          .onConflict((on) => on.doNothing())
          .returning('name')
          .execute();
        return added.length > 0;
      }),
    put: (secret) =>
      change(async ({ ledger }) => {
        const { sealed, facts, ...row } = toRow(secret);
        await ledger
          .insertInto('secrets')
          .values({ ...row, sealed, facts })
          .onConflict((on) => on.columns(['kind', 'name']).doUpdateSet({ sealed, facts }))
          .execute();
      }),
    remove: (kind, name) =>
      change(async ({ ledger }) => {
        await ledger.deleteFrom('secrets').where('kind', '=', kind).where('name', '=', name).execute();
      }),
  };
}

function toRow({ kind, name, sealed, facts }: StoredSecret): SecretRow {
  return { kind, name, sealed: sealed ?? null, facts };
}

function toSecret({ kind, name, sealed, facts }: SecretRow): StoredSecret {
  return { kind: kind as StoredSecret['kind'], name, sealed: sealed ?? undefined, facts }; // the table lets nothing else in
}

/** Budgets of keys. Their changes are none of the mirror: they wait for each other alone, and leave its state as it is. */
function createQuotaTable(reading: ServerReading, pool: Pick<Pool, 'writing'>): QuotaTable {
  return {
    read: ({ service, access }) =>
      reading(async (connection) => {
        const sql = `select account as text, ${SERVER_NOW} as now from quota where service = ? and access = ? and account <> ''`;
        return (await connection.records<{ text: string; now: number }>({ sql, values: [service, access] }))[0];
      }),
    change: ({ service, access }, work) =>
      pool.writing(
        async (connection, [found]) => {
          const { account, now } = found as { readonly account: string; readonly now: number }; // as `lockOf` selects
          const [text, told] = work(account === '' ? undefined : account, now);
          const update = 'update quota set account = ? where service = ? and access = ?';
          connection.send({ sql: update, values: [text, service, access] });
          return told;
        },
        { first: lockOf({ service, access }) },
      ),
  };
}

/** Keeps others from an account until the transaction ends. */
function lockOf({ service, access }: QuotaOwner): string {
  const [name, key] = [pg.escapeLiteral(service), pg.escapeLiteral(access)];
  return `insert into quota values (${name}, ${key}, '') on conflict do nothing;
    select account, ${SERVER_NOW} as now from quota where service = ${name} and access = ${key} for update`;
}
