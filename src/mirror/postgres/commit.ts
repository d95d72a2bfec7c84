import type { Column } from '../../contract/mapping.ts';
import { type ReleaseEvent, releaseEventOf } from '../../contract/release-event.ts';
import type { Via } from '../api/journal.ts';
import type { CommitReport, PageCommit } from '../api/page-commit.ts';
import type { Stamp } from '../api/series.ts';
import { checkedAtFirst, countsOf, isChange, newEnvelope } from '../core/commit/commit-rules.ts';
import { reportsIn, TakenBack } from '../core/commit/rehearsal.ts';
import { withSingleMembers } from '../core/commit/single-texts.ts';
import { insideWindow } from '../core/commit/vanish.ts';
import { type CommitStats, writeRows } from '../core/commit/write-rows.ts';
import { type Prepared, prepareRows } from '../core/rows.ts';
import { emptyChecksum, sumOf } from '../core/sums.ts';
import type { Table } from '../core/tables.ts';
import { commitFact } from '../ledger/facts.ts';
import { type Arrival, type Arrivals, arrivalsInOrder, arrivalsOf, unknownAmong } from '../ledger/journal-arrivals.ts';
import type { LedgerSchema } from '../ledger/ledger.ts';
import { decideStamp, stampFrom } from '../ledger/stamp.ts';
import { anyOf, type ServerConnection } from './connection.ts';
import { nameSeries, noteProgress } from './ledger/progress.ts';
import { addSeries, serverSeriesOf } from './ledger/series.ts';
import { planRows } from './rows/plan-rows.ts';
import { changedSums, type NewSum, noteSums, seriesSums, stampSum } from './rows/sums.ts';
import { unnestOf } from './rows/unnest.ts';
import type { FoundStamp, Writing } from './writing.ts';

/**
 * Commits one answer, as the engine over a file does. Walk: take key and columns out of the rows; then, in one transaction
 * that no other writer is in, check whose answers the mirror holds, read what is stored under the keys of the page, decide row
 * by row, write each kind of change with one statement, and note the commit, its proof and where the walk stands.
 */
export async function commitPage(writing: Writing, table: Table, commit: PageCommit): Promise<CommitReport> {
  const page = placed(table, commit);
  return writing.change((connection, mirror) => commitIn(connection, page, mirror));
}

/** The same for several answers in one transaction. Tables are made before it. */
export async function commitStream(
  writing: Pick<Writing, 'change'>,
  tableFor: (endpoint: string) => Promise<Table>,
  { endpoints, commits }: { readonly endpoints: readonly string[]; readonly commits: Iterable<PageCommit> },
): Promise<readonly CommitReport[]> {
  for (const endpoint of endpoints) await tableFor(endpoint);
  return writing.change(async (connection, { stamp, ...mirror }) => {
    const reports: CommitReport[] = [];
    let found = stamp;
    for (const commit of commits) {
      reports.push(
        await commitIn(connection, placed(await tableFor(commit.series.endpoint), commit), { ...mirror, stamp: found }),
      );
      found = { ...found, ...decideStamp(stampFrom(found, mirror.name), commit, mirror.name) };
    }
    return reports;
  });
}

/** What such answers would do. Their tables are made, for a server has no others; nothing else stays. */
export async function rehearseStream(
  writing: Writing,
  tableFor: (endpoint: string) => Promise<Table>,
  answers: { readonly endpoints: readonly string[]; readonly commits: Iterable<PageCommit> },
): Promise<readonly CommitReport[]> {
  const takingBack: Pick<Writing, 'change'> = {
    change: (work) =>
      writing.change(async (seat, found) => {
        throw new TakenBack((await work(seat, found)) as readonly CommitReport[]); // what commitStream gives
      }),
  };
  try {
    return await commitStream(takingBack, tableFor, answers);
  } catch (error) {
    return reportsIn(error);
  }
}

/** An answer with its rows as they go into their table. */
interface PlacedCommit {
  readonly table: Table;
  readonly commit: PageCommit;
  readonly rows: readonly Prepared[];
}

function placed(table: Table, received: PageCommit): PlacedCommit {
  const commit = withSingleMembers(received);
  return { table, commit, rows: insideWindow(table, prepareRows(table, commit.rows), commit.window) };
}

async function commitIn(
  connection: ServerConnection,
  { table, commit, rows }: PlacedCommit,
  { stamp, name, now }: FoundStamp,
): Promise<CommitReport> {
  const decided = await noteStamp(connection, stampFrom(stamp, name), { commit, name });
  const before = await lastCommit(connection);
  const number = before.number + 1;
  const stored = await serverSeriesOf(connection, commit.series);
  const id = stored?.id ?? (await addSeries(connection, commit.series, { commit: number, at: checkedAtFirst(commit) }));
  const via = commit.arrived?.via;
  const events = via && (await writeServerArrivals(connection, rows, { commit, via, series: id }));
  const taken = events?.taken ?? rows;
  const plan = await planRows(connection, table, { series: id, rows: taken, commit, replaced: events?.replaced ?? [] });
  const checksum = emptyChecksum();
  const counted = writeRows(plan.store, taken, {
    commit,
    series: id,
    number,
    checksum,
    replaced: events?.replaced ?? [],
  });
  await plan.write(checksum);
  const envelope = newEnvelope(commit, stored, counted);
  const changed = isChange(commit, stored, { rowsChanged: counted.changed, envelope });
  const row = {
    // A clock that went back must not put a commit before an earlier one.
    ...{ number, at: Math.max(now ?? commit.at, before.at), series: id },
    ...{ access: commit.access, request: commit.request },
    ...countsIn(counted),
  };
  if (changed) await connection.ledger.insertInto('commits').values(row).execute();
  const latest = changed ? number : before.number;
  const { heldBack } = counted;
  const progress = await noteProgress(connection, { commit, table, rows, id, number: latest, heldBack });
  const facts = {
    ...(changed && { generation: number }),
    ...(envelope && { envelope: envelope.text, envelope_inputs: envelope.inputs, envelope_commit: number }),
    ...(progress.isConfirmed && { checked_at: commit.at }),
    ...(commit.undo && { checked_at: commit.undo.checkedAt }),
  };
  await noteSums(connection, [
    ...decided,
    ...(await changedSums(connection, id, { ...checksum, ...(changed && { commits: sumOf([commitFact(row)]) }) })),
    ...progress.sums,
    ...(Object.keys(facts).length > 0 ? seriesSums(await alterSeries(connection, id, facts)) : []),
  ]);
  return { commit: latest, ...countsOf(counted), ...(events && { arrived: events.arrived }) };
}

function countsIn({ added, revised, vanished, unchanged }: CommitStats) {
  return { added, revised, vanished, unchanged };
}

function alterSeries({ ledger }: ServerConnection, id: number, facts: Partial<LedgerSchema['series']>) {
  return ledger.updateTable('series').set(facts).where('id', '=', id).returningAll().execute();
}

/** The first answer decides whose answers the mirror holds. */
async function noteStamp(
  connection: ServerConnection,
  stamp: Stamp,
  { commit, name }: { commit: PageCommit; name: string },
): Promise<readonly NewSum[]> {
  const decided = decideStamp(stamp, commit, name);
  if (!decided) return [];
  await connection.ledger.updateTable('mirror').set(decided).execute();
  return [await stampSum(connection)];
}

export async function lastCommit({ ledger }: ServerConnection): Promise<{ number: number; at: number }> {
  const last = await ledger
    .selectFrom('commits')
    .select(['number', 'at'])
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last ?? { number: 0, at: 0 };
}

/** Notes the events of a page, and the series that those name which were not known. */
async function writeServerArrivals(
  connection: ServerConnection,
  rows: readonly Prepared[],
  { commit, via, series }: { commit: PageCommit; via: Via; series: number },
): Promise<Arrivals> {
  const arrivals = arrivalsOf(rows, commit, await arrive(connection, commit, { via, series }));
  for (const named of arrivals.named) await nameSeries(connection, commit, named);
  return arrivals;
}

async function arrive(
  connection: ServerConnection,
  { rows, at }: PageCommit,
  { via, series }: { via: Via; series: number },
): Promise<readonly Arrival[]> {
  if (rows.length === 0) return [];
  const { ledger } = connection;
  const events = rows.map(releaseEventOf);
  const stored = await ledger
    .selectFrom('journal')
    .select(['event', 'position', 'timestamp'])
    .where('series', '=', series)
    .where('event', '=', anyOf(events.map(({ eventId }) => eventId)))
    .execute();
  const known = new Map(stored.map(({ event, position, timestamp }) => [event, { position, known: timestamp }]));
  const positions = await keep(connection, series, unknownAmong(events, known));
  const arrivals = arrivalsInOrder(events, known, positions);
  const all = [...new Set(arrivals.map(({ position }) => position))];
  await ledger
    .insertInto('arrivals')
    .values(all.map((position) => ({ position, via, at })))
    .onConflict((on) => on.doNothing())
    .execute();
  return arrivals;
}

const COLUMNS: readonly Column[] = [
  { name: 'event', type: 'text' },
  { name: 'timestamp', type: 'integer' },
  { name: 'currency', type: 'text' },
  { name: 'indicator', type: 'text' },
  { name: 'release', type: 'integer' },
  { name: 'text', type: 'text' },
];

/**
 * Writes events that are not in the journal; gives their positions by event. They are counted in the order of the rows: who
 * follows the journal reads them in it.
 */
async function keep(
  connection: ServerConnection,
  series: number,
  events: readonly ReleaseEvent[],
): Promise<ReadonlyMap<string, number>> {
  if (events.length === 0) return new Map();
  const rows = events.map(({ eventId, timestamp, currency, indicator, release = null, text }) => [
    ...[eventId, timestamp, currency, indicator, release, text],
  ]);
  const values = unnestOf(COLUMNS, rows);
  const kept = await connection.tuples<[event: string, position: number]>({
    sql: `insert into journal (series, ${values.names}) select ?, ${values.names}
      from ${values.sql} with ordinality as input(${values.names}, place) order by place returning event, position`,
    values: [series, ...values.values],
  });
  return new Map(kept);
}
