import { sql } from 'kysely';
import type { Column } from '../../contract/mapping.ts';
import { type ReleaseEvent, releaseEventOf } from '../../contract/release-event.ts';
import { dateOf } from '../../contract/time/time.ts';
import type { Via } from '../api/journal.ts';
import type { CommitReport, Follow, PageCommit } from '../api/page-commit.ts';
import type { AccessTag, CoverageInterval, Stamp } from '../api/series.ts';
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
import { intervalOf, lateDaysOf, newestCertain } from '../rules/coverage.ts';
import { commitFact, emptyChecksum, newSeriesFacts, seriesFactsAfter, sumOf } from '../rules/digest.ts';
import { decideStamp, type LedgerSchema, stampFrom } from '../rules/ledger.ts';
import type { Table } from '../rules/tables.ts';
import { type CommitStats, insideWindow, writeRows } from '../rules/write-rows.ts';
import { anyOf, type ServerConnection, unnestOf } from './connection.ts';
import {
  addSeries,
  closeSeries,
  compareBounds,
  countRows,
  nameSeries,
  noteProgress,
  readDatedProofs,
  serverSeriesOf,
  writeCoverage,
} from './ledger.ts';
import { planRows } from './plan-rows.ts';
import { boundText } from './schema.ts';
import { changedSums, coverageRows, coverageSums, type NewSum, noteSums, seriesSums, stampSum } from './sums.ts';
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
  return { table, commit, rows: insideWindow(table, prepareRows(table, commit.rows), commit) };
}

async function commitIn(
  connection: ServerConnection,
  { table, commit, rows }: PlacedCommit,
  { stamp, name, now }: FoundStamp,
): Promise<CommitReport> {
  const decided = await noteStamp(connection, stampFrom(stamp, name), { commit, name });
  const last = await lastCommit(connection);
  const number = last.number + 1;
  const known = await serverSeriesOf(connection, commit.series);
  const replaced = replacedBy(table, known, commit);
  const closed = known && replaced ? await closeSeries(connection, known.id, commit.at) : [];
  const stored = replaced ? undefined : known;
  const id = stored?.id ?? (await addSeries(connection, commit.series, checkedAtFirst(commit)));
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
  if (replaced && isMidRun(commit)) counted.heldBack = true;
  const envelope = newEnvelope(commit, stored, counted);
  const changed = isChange(commit, stored, { rowsChanged: counted.changed, envelope });
  const row = {
    // A clock that went back must not put a commit before an earlier one.
    ...{ number, at: Math.max(now ?? commit.at, last.at), series: id },
    ...{ access: commit.access, request: commit.request },
    ...countsIn(counted),
  };
  if (changed) await connection.ledger.insertInto('commits').values(row).execute();
  const latest = changed ? number : last.number;
  const { heldBack } = counted;
  const progress = await noteProgress(connection, { commit, table, rows, id, number: latest, heldBack });
  const before = stored ?? newSeriesFacts(commit.series);
  const movesRows = counted.changed || !stored || commit.undo !== undefined;
  const moved = { from: before.state, rows: checksum.current, commit: row, movesRows, envelope };
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
  await noteSums(connection, [
    ...decided,
    ...closed,
    ...(await changedSums(connection, id, { ...checksum, ...(changed && { commits: sumOf([commitFact(row)]) }) })),
    ...progress.sums,
    ...(Object.keys(facts).length > 0 ? seriesSums(await alterSeries(connection, id, facts)) : []),
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

export async function readServerFollows(
  { ledger }: ServerConnection,
  endpoint: string,
  access: AccessTag,
): Promise<readonly Follow[]> {
  const rows = await ledger
    .selectFrom('follows')
    .innerJoin('series', 'series.id', 'follows.series')
    .select(['follows.series', 'follows.checked_at', 'due'])
    .where('endpoint', '=', endpoint)
    .where('access', '=', access)
    .orderBy('follows.series')
    .execute();
  return rows.map(({ series, checked_at: checkedAt, due }) => ({ series, checkedAt, due: due ?? undefined }));
}

/** Renews the newest proof of followed series that the feed has not named, for one day all at once. */
export async function confirmFollowed(
  connection: ServerConnection,
  table: Table,
  { access, at }: { access: AccessTag; at: number },
): Promise<number> {
  const unnamed = (await readServerFollows(connection, table.endpoint, access)).filter(({ due }) => due === undefined);
  const renewed = await newestProofs(connection, { table, unnamed }, { access, at });
  if (renewed.length > 0) {
    const commit = (await lastCommit(connection)).number;
    const today = dateOf(at);
    const [same, grown] = [
      renewed.filter(({ proof }) => proof.to >= today),
      renewed.filter(({ proof }) => proof.to < today),
    ];
    await moveMoment(connection, same, { access, at });
    for (const { series, proof } of grown) {
      const window = { from: proof.from, to: today };
      const rows = await countRows(connection, { table, series }, window);
      await writeCoverage(connection, { table, series, access }, { proof: { ...window, rows, provenAt: at }, commit });
    }
    const ids = renewed.map(({ series }) => series);
    const checked = await connection.ledger
      .updateTable('series')
      .set({ checked_at: at })
      .where('id', '=', anyOf(ids))
      .returningAll()
      .execute();
    await noteSums(connection, [...(await coverageSums(connection, ids)), ...seriesSums(checked)]);
  }
  return unnamed.length;
}

interface Renewed {
  readonly series: number;
  readonly proof: CoverageInterval;
}

async function newestProofs(
  connection: ServerConnection,
  { table, unnamed }: { table: Table; unnamed: readonly Follow[] },
  { access, at }: { access: AccessTag; at: number },
): Promise<readonly Renewed[]> {
  const rows = await coverageRows(
    connection,
    unnamed.map(({ series }) => series),
  );
  // A keyless question is satisfied by the proofs of any key.
  const own = Map.groupBy(
    access === 'keyless' ? rows : rows.filter((row) => row.access === access),
    (row) => row.series,
  );
  const renewed: Renewed[] = [];
  for (const { series } of unnamed) {
    const rows = (own.get(series) ?? []).toSorted(
      (a, b) => compareBounds(a.starts, b.starts) || compareBounds(a.ends, b.ends),
    );
    // One look alone is whole whatever its newest row is: reading that would be a statement for each of thousands of series.
    const looks =
      rows.length === 1
        ? rows.map((row) => ({ proof: intervalOf(row), newest: undefined }))
        : await readDatedProofs(connection, { table, series }, rows);
    const proof = newestCertain(looks, lateDaysOf(table));
    if (proof && proof.provenAt < at) renewed.push({ series, proof });
  }
  return renewed;
}

/** On the same day the window is the same, and so is what was counted in it. */
async function moveMoment(
  { ledger }: ServerConnection,
  same: readonly Renewed[],
  { access, at }: { access: AccessTag; at: number },
): Promise<void> {
  if (same.length === 0) return;
  const ids = same.map(({ series }) => series);
  const starts = same.map(({ proof }) => boundText(proof.from));
  const ends = same.map(({ proof }) => boundText(proof.to));
  await sql`update proofs set proven_at = ${at}
    from unnest(${ids}::bigint[], ${starts}::text[], ${ends}::text[]) as input(id, low, high)
    where access = ${access} and series = input.id and starts = input.low and ends = input.high`.execute(ledger);
}
