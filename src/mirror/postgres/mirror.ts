import { MacroError } from '../../errors.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Mirror, PageCommit, Stamp } from '../api/mirror.ts';
import { endpointsOf } from '../core/commit/commit-rules.ts';
import type { Shared } from '../core/shared.ts';
import type { Table } from '../core/tables.ts';
import { createFileHistory } from '../ledger/file-history.ts';
import { createJournal } from '../ledger/journal.ts';
import { createOutbox } from '../ledger/outbox.ts';
import { paginationRunOf } from '../ledger/pagination-runs.ts';
import { createRunLog } from '../ledger/runs.ts';
import { decideStamp, stampFrom } from '../ledger/stamp.ts';
import type { PostgresAddress } from './address.ts';
import { commitPage, commitStream, rehearseStream } from './commit.ts';
import { serverLedger } from './ledger/access.ts';
import { confirmFollowed, readServerFollows } from './ledger/confirm.ts';
import { readPaginationRun, writePaginationRun } from './ledger/progress.ts';
import { serverSeriesOf } from './ledger/series.ts';
import { lockServerConsumer, lockServerSync } from './lock.ts';
import { openLocks } from './locks.ts';
import type { Pool } from './pool.ts';
import { serverEvidence } from './rows/evidence.ts';
import { readServerView } from './rows/read-view.ts';
import { createServerReader } from './rows/reader.ts';
import { matchServerSchema } from './schema-match.ts';
import { watchVersion } from './version.ts';
import { createWriting, type Writing } from './writing.ts';

interface Parts {
  readonly pool: Pool;
  readonly address: PostgresAddress;
  readonly shared: Shared;
  readonly clock: Platform['clock'];
}

interface Ways {
  readonly mode: 'write' | 'read';
  readonly dates: 'server' | 'caller';
}

/** The mirror's operations over a schema of a server; each is one transaction. */
export async function mirrorOn({ pool, address, shared, clock }: Parts, { mode, dates }: Ways): Promise<Mirror> {
  const { name, schema } = address;
  const channel = `macro ${schema}`;
  const watch = watchVersion({ pool, channel, schema }, clock);
  const locks = openLocks(pool, name);
  const writing =
    mode === 'write'
      ? createWriting({ pool, locks, name, channel, dates, changed: watch.changed })
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
    lockSync: () => lockServerSync(locks, { name, schema, mirror: runs }),
    lockConsumer: (consumer) => lockServerConsumer(locks, { name, schema }, consumer),
    ...runs,
    journal: createJournal(ledger),
    outbox: createOutbox(ledger),
    files: createFileHistory({
      all: (select) => reading((connection) => connection.tuples(select)),
      table: shared.table,
    }),
    viewRows: (ask, take) => pool.snapshot((connection) => readServerView(connection, shared, { ask, take })),
    verify: async (ask) => {
      const { verifyMirror } = await import('../verify/verify.ts');
      return pool.snapshot((connection) => verifyMirror(serverEvidence(connection), shared, ask));
    },
    close() {
      watch.close();
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
    throw new MacroError('mirror', `The mirror ${name} was opened for reading only.`, { code: 'mirror_read_only' });
  };
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
