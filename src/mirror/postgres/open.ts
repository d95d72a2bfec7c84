import type { Client } from 'pg';
import type { Mapping } from '../../contract/mapping.ts';
import { MacroError } from '../../errors.ts';
import type { Platform } from '../../platform/platform.ts';
import { holderName } from '../../platform/schedule/scheduler.ts';
import type { Mirror, ViewAsk, ViewCell, ViewPage } from '../api/mirror.ts';
import type { PageCommit } from '../api/page-commit.ts';
import type { Stamp } from '../api/series.ts';
import { endpointsOf } from '../rules/commit-rules.ts';
import { consumerRunning, type HolderOfLock, syncRunning } from '../rules/failures.ts';
import { decideStamp, paginationRunOf, stampFrom } from '../rules/ledger.ts';
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
import { commitPage, commitStream, confirmFollowed, readServerFollows, rehearseStream } from './commit.ts';
import type { ServerConnection } from './connection.ts';
import { openLeases } from './leases.ts';
import { readPaginationRun, serverSeriesOf, writePaginationRun } from './ledger.ts';
import { openPool, type Pool } from './pool.ts';
import { createServerReader, type ServerReading, serverEvidence } from './reader.ts';
import { SERVER_VIEWS } from './schema.ts';
import { matchServerSchema } from './schema-match.ts';
import { makeServerLedger, ofOwnVersion, readServerState } from './version.ts';
import { createWriting, type Writing } from './writing.ts';

export interface ServerOpenOptions {
  /** `postgres://user@host/database?schema=name`. */
  readonly address: string;
  /** Mappings by endpoint id. */
  readonly mappings: Readonly<Record<string, Mapping>>;
  readonly platform: Pick<Platform, 'clock' | 'random' | 'env' | 'pid' | 'host'>;
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

interface Ways {
  readonly mode: 'write' | 'read';
  readonly dates: 'server' | 'caller';
}

/** More changes than a server sees in its life. */
const MAX_CHANGES = 2 ** 40;

/** Milliseconds without a word from the server after which it is asked. */
const QUIET = 2000;

interface VersionWatch {
  /** A number that is another one after every change that anybody made. */
  version(): number;
  /** A change of this program is known before anybody tells. */
  changed(count: number): void;
  close(): void;
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
    return await mirrorOn({ pool: ofOwnVersion(pool, address.name), address, shared, platform }, { mode, dates });
  } catch (error) {
    await pool.close();
    throw error;
  }
}

async function makeReady(pool: Pool, address: PostgresAddress, { platform }: ServerOpenOptions): Promise<void> {
  const id = Buffer.from(platform.random.bytes(16)).toString('hex');
  const birth = { id, created: platform.clock.now() };
  await pool.writing((connection) => makeServerLedger(connection, address, birth));
}

async function requireReady(pool: Pool, { name }: PostgresAddress): Promise<void> {
  if ((await pool.reading((connection) => readServerState(connection, name))) === 'empty')
    throw new MacroError('mirror', `There is no mirror at ${name}.`, {
      code: 'mirror_absent',
      hint: 'Fill one with `macro sync fx eur usd` or `macro import FILE`, or name another one with --mirror.',
    });
}

/** The mirror's operations over a schema of a server; each is one transaction. */
async function mirrorOn({ pool, address, shared, platform }: Parts, { mode, dates }: Ways): Promise<Mirror> {
  const { name, schema } = address;
  const channel = `macro ${schema}`;
  const watch = watchVersion({ pool, channel, schema }, platform.clock);
  const newToken = () => Buffer.from(platform.random.bytes(16)).toString('hex');
  const leases = openLeases(pool, { name, schema, holder: holderName(platform), newToken });
  const take = async (key: string, taken: (by: HolderOfLock) => MacroError) => {
    if (mode === 'read') throw readOnly(name);
    const lock = await leases.take(key);
    if ('release' in lock) return lock;
    throw taken(lock);
  };
  const writing =
    mode === 'write'
      ? createWriting({ pool, leases, name, channel, dates, changed: watch.changed })
      : { change: refuseToWrite(name), changeOwn: refuseToWrite(name) };
  const { reading } = pool;
  const { change } = writing;
  const reader = createServerReader(reading, shared);
  const ledger = serverLedger(reading, writing);
  const runs = createRunLog(ledger);
  const tableFor = await fitter({ pool, name, shared, mode });
  return {
    ...reader,
    name,
    stamp: () => stampOn(pool, name),
    snapshot: (read) => pool.snapshot((connection) => read(createServerReader((work) => work(connection), shared))),
    version: watch.version,
    // What the server tells of its changes may still be on its way.
    state: () => undefined,
    commitPage: async (commit) => commitPage(writing, await tableFor(commit.series.endpoint, [commit]), commit),
    commitPages: (commits) =>
      commitStream(writing, (endpoint) => tableFor(endpoint, commits), { endpoints: endpointsOf(commits), commits }),
    commitStream: (endpoints, commits) => commitStream(writing, tableFor, { endpoints, commits }),
    rehearseStream: (endpoints, commits) => rehearseStream(writing, tableFor, { endpoints, commits }),
    paginationRun: (key, access) =>
      reading(async (connection) => {
        const stored = await serverSeriesOf(connection, key);
        const kept = stored && (await readPaginationRun(connection, stored.id, access));
        return kept && paginationRunOf(kept);
      }),
    dropWalk: (key, access) =>
      change(async (connection) => {
        const stored = await serverSeriesOf(connection, key);
        if (stored) await writePaginationRun(connection, { id: stored.id, access, walk: null, heldBack: false });
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
    files: createFileHistory({
      all: (select) => reading((connection) => connection.tuples(select)),
      table: shared.table,
    }),
    viewRows: (ask, take) => pool.snapshot((connection) => readServerView(connection, shared, { ask, take })),
    verify: async (ask) => {
      const { verifyMirror } = await import('../rules/verify.ts');
      return pool.snapshot((connection) => verifyMirror(serverEvidence(connection), shared, ask));
    },
    close() {
      watch.close();
      leases.close();
      void pool.close();
    },
  };
}

function stampOn({ reading }: Pick<Pool, 'reading'>, name: string): Promise<Stamp> {
  return reading(async ({ ledger }) =>
    stampFrom(await ledger.selectFrom('mirror').selectAll().executeTakeFirst(), name),
  );
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
}

/** Gives the tables of an endpoint for answers; for those that the mirror refuses none are made. */
type TableFor = (endpoint: string, answers?: readonly PageCommit[]) => Promise<Table>;

/** Gives the tables of an endpoint, made when it is first written; those that are there are fitted at once. */
async function fitter({ pool, name, shared, mode }: Fitting): Promise<TableFor> {
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
    const stamp = await stampOn(pool, name);
    for (const answer of answers) decideStamp(stamp, answer, name);
    await makeFit([table]);
    return table;
  };
}

/**
 * Follows the count of changes without asking at every look: the server tells of each change. Walk: the first look begins to
 * listen; a number that is not known for sure is never given twice, so that nobody takes silence for "nothing has happened";
 * a server that said nothing for a while is asked, and one that does not answer makes the number unknown.
 */
function watchVersion(
  { pool, channel, schema }: { pool: Pool; channel: string; schema: string },
  clock: Pick<Platform['clock'], 'now'>,
): VersionWatch {
  let listener: Promise<Client> | undefined;
  let known: number | undefined;
  let heardAt = 0;
  let restsUntil = Number.NEGATIVE_INFINITY;
  let isAsking = false;
  let isClosed = false;
  let unknown = 0;
  // Behind a failover or a restore the server counts on from what it has, so that a count means other data than before.
  let lives = 0;

  const hear = (count: number) => {
    known = Math.max(known ?? 0, count);
    heardAt = clock.now();
  };
  const lose = () => {
    known = undefined;
    lives += 1;
    const lost = listener;
    listener = undefined;
    void lost?.then((client) => client.end()).catch(() => {});
  };

  async function listen(): Promise<Client> {
    const client = await pool.alone((begun) => {
      begun.on('notification', ({ payload }) => hear(Number(payload)));
      return begun.query(`listen "${channel}"`);
    });
    client.on('end', lose);
    client.on('error', lose);
    return client;
  }

  async function ask(): Promise<void> {
    isAsking = true;
    try {
      listener ??= listen();
      const client = await listener;
      const { rows } = await client.query<{ changes: number }>(`select changes from "${schema}".mirror`);
      const count = rows[0]?.changes ?? 0;
      if (known !== undefined && count < known) {
        known = undefined;
        lives += 1;
      }
      if (!isClosed) hear(count);
    } catch {
      lose();
      // A server that cannot be listened to, a copy that only reads for one, is not asked at every look.
      restsUntil = clock.now() + QUIET;
    } finally {
      isAsking = false;
    }
  }

  return {
    version() {
      const isSure = known !== undefined && clock.now() - heardAt < QUIET;
      if (!isSure && !isAsking && !isClosed && clock.now() >= restsUntil) void ask();
      // While it is being asked, what was heard last still counts for as long again.
      if (known !== undefined && clock.now() - heardAt < 2 * QUIET) return lives * MAX_CHANGES + known;
      unknown -= 1;
      return unknown;
    },
    changed(count) {
      if (known !== undefined) known = Math.max(known, count);
    },
    close() {
      isClosed = true;
      lose();
    },
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
  const changing: LedgerAccess['change'] = (work) => change((connection) => runOn(connection, work()));
  return {
    read: (work) => reading((connection) => runOn(connection, work())),
    change: changing,
    changeOnce: changing,
    changeOwn: (work) => changeOwn((connection) => runOn(connection, work())),
  };
}

/** Does an operation inside of a transaction. */
function runOn<T>(connection: ServerConnection, work: LedgerWork<T>): Promise<T> {
  return executeAsync(work, (step) => {
    const compiled = step.compiledFor(POSTGRES);
    return connection.records({ sql: compiled.sql, values: boundValues(step, compiled, POSTGRES) });
  });
}
