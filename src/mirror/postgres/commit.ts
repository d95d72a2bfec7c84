import type { Column } from '../../contract/mapping.ts';
import { type ReleaseEvent, releaseEventOf } from '../../contract/release-event.ts';
import type { Via } from '../api/journal.ts';
import type { CommitReport, PageCommit } from '../api/page-commit.ts';
import { type Prepared, prepareRows } from '../rules/columns.ts';
import {
  type Arrival,
  type Arrivals,
  arrivalsInOrder,
  arrivalsOf,
  checkedAtFirst,
  countsOf,
  isChange,
  isMidRun,
  newEnvelope,
  replacedBy,
  reportsIn,
  TakenBack,
  unknownAmong,
  withSingleMembers,
} from '../rules/commit-rules.ts';
import { commitFact, emptyChecksum, newSeriesFacts, seriesFactsAfter, sumOf } from '../rules/digest.ts';
import { decideStamp, type LedgerSchema, stampFrom, storedSeriesOf } from '../rules/ledger.ts';
import type { Table } from '../rules/tables.ts';
import { type CommitStats, insideWindow, writeRows } from '../rules/write-rows.ts';
import { anyOf, type ServerConnection, unnestOf } from './connection.ts';
import { addSeries, closeSeries, nameSeries, noteProgress, readProgress, serverSeriesOf } from './ledger.ts';
import { planRows } from './plan-rows.ts';
import { changedSums, type NewSum, noteSums, readSums, seriesSums, stampSum } from './sums.ts';
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
  writing: Pick<Writing, 'changeOnce'>,
  tableFor: (endpoint: string) => Promise<Table>,
  { endpoints, commits }: { readonly endpoints: readonly string[]; readonly commits: Iterable<PageCommit> },
): Promise<readonly CommitReport[]> {
  for (const endpoint of endpoints) await tableFor(endpoint);
  return writing.changeOnce(async (connection, { stamp, ...mirror }) => {
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
  const takingBack: Pick<Writing, 'changeOnce'> = {
    changeOnce: (work) =>
      writing.changeOnce(async (seat, found) => {
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
  return { table, commit, rows: insideWindow(table, prepareRows(table, commit.rows), commit) };
}

async function commitIn(
  connection: ServerConnection,
  { table, commit, rows }: PlacedCommit,
  { stamp, name, now }: FoundStamp,
): Promise<CommitReport> {
  const decided = noteStamp(connection, stamp, { commit, name });
  const [last, found] = await Promise.all([lastCommit(connection), serverSeriesOf(connection, commit.series)]);
  const number = last.number + 1;
  const known = found && storedSeriesOf(found);
  const replaced = replacedBy(table, known, commit);
  const closed = found && replaced ? closeSeries(connection, found, commit.at) : [];
  const stored = replaced ? undefined : known;
  const row = stored && found ? found : await addSeries(connection, commit.series, checkedAtFirst(commit));
  const { id } = row;
  const via = commit.arrived?.via;
  const events = via && (await writeServerArrivals(connection, rows, { commit, via, series: id }));
  const taken = events?.taken ?? rows;
  const [plan, progressBefore, sums] = await Promise.all([
    planRows(connection, table, { series: id, rows: taken, commit, replaced: events?.replaced ?? [] }),
    readProgress(connection, { table, rows, commit, id }),
    readSums(connection, id),
  ]);
  const checksum = emptyChecksum();
  const counted = writeRows(plan.store, taken, {
    commit,
    series: id,
    number,
    checksum,
    replaced: events?.replaced ?? [],
  });
  await plan.write(checksum);
  if (replaced && isMidRun(commit)) counted.heldBack = true;
  const envelope = newEnvelope(commit, stored, counted);
  const changed = isChange(commit, stored, { rowsChanged: counted.changed, envelope });
  const commitRow = {
    // A clock that went back must not put a commit before an earlier one.
    ...{ number, at: Math.max(now ?? commit.at, last.at), series: id },
    ...{ access: commit.access, request: commit.request },
    ...countsIn(counted),
  };
  if (changed) connection.send(connection.ledger.insertInto('commits').values(commitRow));
  const latest = changed ? number : last.number;
  const { heldBack } = counted;
  const progress = await noteProgress(connection, {
    ...{ before: progressBefore, commit, table, rows, id, number: latest, heldBack },
  });
  const before = stored ?? newSeriesFacts(commit.series);
  const movesRows = counted.changed || !stored || commit.undo !== undefined;
  const moved = { from: before.state, rows: checksum.current, commit: commitRow, movesRows, envelope };
  const after = seriesFactsAfter(before, moved);
  const facts = {
    ...(changed && { state: after.state, history: after.history }),
    ...(envelope &&
      after.envelope && {
        envelope: envelope.text,
        envelope_inputs: envelope.inputs,
        envelope_rows: after.envelope.rows,
      }),
    ...(progress.isConfirmed && { checked_at: commit.at }),
    ...(commit.undo && { checked_at: commit.undo.checkedAt }),
  };
  const isAltered = Object.keys(facts).length > 0;
  if (isAltered) connection.send(connection.ledger.updateTable('series').set(facts).where('id', '=', id));
  noteSums(connection, [
    ...decided,
    ...closed,
    ...changedSums(id, sums, { ...checksum, ...(changed && { commits: sumOf([commitFact(commitRow)]) }) }),
    ...progress.sums,
    ...(isAltered ? seriesSums([{ ...row, ...facts }]) : []),
  ]);
  return {
    ...{ commit: latest, ...countsOf(counted) },
    ...(replaced && { replaced }),
    ...(events && { arrived: events.arrived }),
  };
}

function countsIn({ added, revised, vanished, unchanged }: CommitStats) {
  return { added, revised, vanished, unchanged };
}

/** The first answer decides whose answers the mirror holds. */
function noteStamp(
  connection: ServerConnection,
  stamp: LedgerSchema['mirror'],
  { commit, name }: { commit: PageCommit; name: string },
): readonly NewSum[] {
  const decided = decideStamp(stampFrom(stamp, name), commit, name);
  if (!decided) return [];
  connection.send(connection.ledger.updateTable('mirror').set(decided));
  return [stampSum({ ...stamp, ...decided })];
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
  for (const named of arrivals.named) nameSeries(connection, commit, named);
  return arrivals;
}

async function arrive(
  connection: ServerConnection,
  { rows, at }: PageCommit,
  { via, series }: { via: Via; series: number },
): Promise<readonly Arrival[]> {
  if (rows.length === 0) return [];
  const { ledger, send } = connection;
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
  send(
    ledger
      .insertInto('arrivals')
      .values(all.map((position) => ({ position, via, at })))
      .onConflict((on) => on.doNothing()),
  );
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

/** Writes new events in the order of the rows, which followers read; gives their positions by event. */
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
