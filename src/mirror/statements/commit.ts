import { integerColumn, textField } from '../../contract/mapping.ts';
import { type ReleaseEvent, releaseEventOf } from '../../contract/release-event.ts';
import { MacroError } from '../../errors.ts';
import type { CommitReport, NamedSeries, PageCommit } from '../api/page-commit.ts';
import type { AccessTag, SeriesKey, StoredSeries } from '../api/series.ts';
import { type Prepared, prepareRows } from '../rules/columns.ts';
import {
  type Arrival,
  type Arrivals,
  arrivalsInOrder,
  arrivalsOf,
  cameByItself,
  checkedAtFirst,
  countsOf,
  isChange,
  isWithinWalk,
  newEnvelope,
  pastEnd,
  replacedBy,
  storedId,
  unknownAmong,
  withSingleMembers,
} from '../rules/commit-rules.ts';
import { addTo, type ChecksumChange, commitFact, noChecksumChange, seriesFactsAfter } from '../rules/digest.ts';
import {
  decideStamp,
  scopeText,
  stampFrom,
  storedSeriesOf,
  type UnfinishedWalkRow,
  wasWithheld,
} from '../rules/system-rows.ts';
import type { SystemRows } from '../rules/system-tables.ts';
import { columnNamesOf, type Shared, type Table } from '../rules/tables.ts';
import { decideRows, insideWindow, keyedOf } from '../rules/write-rows.ts';
import { countRows, coverageRows, forgetCoverage, type RangeRow, writeCoverage } from './coverage.ts';
import { both, type EngineWork, type Writer, wait } from './engine.ts';
import { isFollowing, nameSeries, settleFollow } from './follows.ts';
import { readNear, type WritingPlace, writeDecided } from './rows.ts';
import {
  addSeries,
  closeSeries,
  type LastCommit,
  lastCommit,
  putValidator,
  putWalk,
  type SeriesRow,
  seriesSelect,
  storedWalkOf,
} from './series.ts';
import { changedSums, coverageSum, noteSums, type SumRow, seriesSum, stampSum } from './sums.ts';

/** The mirror as a transaction that writes finds it. */
export interface FoundMirror {
  readonly stamp: SystemRows['mirror'] | undefined;
  readonly name: string;
  /** The server's clock in milliseconds; undefined where callers say when they write. */
  readonly now: number | undefined;
}

/** The shared part of the system tables for the answers of one transaction: read once, and written once at its end. */
interface Batch {
  readonly writer: Writer;
  readonly found: FoundMirror;
  stamp: FoundMirror['stamp'];
  /** Whose answers were checked last: those of one series after the other are the same service's. */
  checked?: Pick<PageCommit, 'series' | 'nature'>;
  last?: LastCommit;
  readonly all: OpenSeries[];
  /** The open ones, by name. */
  readonly byName: Map<string, OpenSeries>;
  readonly follows: Map<AccessTag, boolean>;
}

interface OpenSeries {
  readonly place: WritingPlace;
  /** Digest of rows and envelope before the batch. */
  readonly from: string;
  readonly isNew: boolean;
  readonly before: SeriesRow;
  /** As it is to become. */
  row: SeriesRow;
  /** As the answers before left it; undefined where the first one is at work. */
  stored: StoredSeries | undefined;
  /** The additions of the answers to its sums. */
  readonly change: ChecksumChange;
  sums: readonly SumRow[] | undefined;
  coverage: readonly RangeRow[] | undefined;
  isChecked: boolean;
  readonly walks: Map<AccessTag, { readonly kept: UnfinishedWalkRow | undefined; readonly isMoved: boolean }>;
}

/**
 * Commits answers, all or none, in one transaction without other writers. A broken page is refused before anything of
 * it is written. A commit is recorded only when something readable has changed, the system tables in any case.
 */
export function* commitAll(
  writer: Writer,
  found: FoundMirror,
  commits: Iterable<PageCommit>,
  tableOf: Shared['table'],
): EngineWork<readonly CommitReport[]> {
  const { stamp } = found;
  const batch: Batch = { writer, found, stamp, all: [], byName: new Map(), follows: new Map() };
  const reports: CommitReport[] = [];
  for (const commit of commits) reports.push(yield* commitOne(batch, commit, tableOf(commit.series.endpoint)));
  yield* endBatch(batch);
  return reports;
}

function* commitOne(batch: Batch, received: PageCommit, table: Table | undefined): EngineWork<CommitReport> {
  if (!table) throw new MacroError('internal', `The mirror keeps no rows of '${received.series.endpoint}'.`);
  const commit = withSingleMembers(received);
  const rows = insideWindow(table, prepareRows(table, commit.rows), commit);
  const { writer } = batch;
  writer.prepare(table);
  checkStamp(batch, commit);
  const { one, last, replaced } = yield* seriesFor(batch, table, commit);
  const { place, stored, change } = one;
  const via = commit.arrived?.via;
  const events = via && (yield* writeArrivals(batch, place, { rows, commit }));
  const taken = events?.taken ?? rows;
  const page = { rows: taken, commit, replaced: events?.replaced ?? [] };
  const reading = readNear(place, { ...page, isNew: one.isNew && stored === undefined });
  const [near, hasLater] = yield* both(writer, reading, readProgress(one, commit, pastEnd(table, rows, commit)));
  const number = last.number + 1;
  const decided = decideRows(table, near, page);
  const { counted } = decided;
  yield* writeDecided(place, decided, { commit: number, keyed: keyedOf(commit), checksum: change });
  if (replaced && isWithinWalk(commit)) counted.heldBack = true;
  const envelope = newEnvelope(commit, stored, counted);
  const changed = isChange(commit, stored, { rowsChanged: counted.changed, envelope });
  if (changed) {
    const { heldBack: _, ...counts } = countsOf(counted);
    // A clock that went back must not put a commit before an earlier one.
    const at = Math.max(batch.found.now ?? commit.at, last.at);
    const row = { number, at, series: place.series, access: commit.access, request: commit.request, ...counts };
    writer.run({ sql: INSERT_COMMIT, values: COMMIT_COLUMNS.map((name) => row[name]) });
    addTo(change.commits, commitFact(row));
    const movesRows = counted.changed || !stored || commit.undo !== undefined;
    const moved = { from: one.from, rows: change.current, commit: row, movesRows, envelope };
    const after = seriesFactsAfter(stored ?? storedSeriesOf(one.row), moved);
    one.row = {
      ...{ ...one.row, state: after.state, history: after.chain },
      ...(envelope &&
        after.envelope && {
          ...{ envelope: envelope.text, envelope_inputs: envelope.inputs, envelope_rows: after.envelope.rows },
        }),
    };
    batch.last = { number, at };
  }
  const latest = changed ? number : last.number;
  yield* noteProgress(batch, one, { commit, latest, heldBack: counted.heldBack, hasLater });
  one.stored = storedSeriesOf(one.row);
  return {
    ...{ commit: latest, ...countsOf(counted) },
    ...(replaced && { replaced }),
    ...(events && { arrived: events.arrived }),
  };
}

const COMMIT_COLUMNS = [
  ...(['number', 'at', 'series', 'access', 'request', 'added', 'revised', 'vanished', 'unchanged'] as const),
];

const INSERT_COMMIT = `insert into commits (${COMMIT_COLUMNS.join(', ')}) values (${COMMIT_COLUMNS.map(() => '?').join(', ')})`;

/** The first answer decides whose answers the mirror holds; others must fit. */
function checkStamp(batch: Batch, commit: PageCommit): void {
  const { checked, found, writer } = batch;
  if (checked?.nature === commit.nature && checked.series.origin === commit.series.origin) return;
  const decided = decideStamp(stampFrom(batch.stamp, found.name), commit, found.name);
  batch.checked = commit;
  if (!decided || !batch.stamp) return;
  batch.stamp = { ...batch.stamp, ...decided };
  writer.run({ sql: 'update mirror set service = ?, nature = ?', values: [decided.service, decided.nature] });
}

interface SeriesFound {
  readonly one: OpenSeries;
  readonly last: LastCommit;
  readonly replaced: CommitReport['replaced'];
}

/** The series of an answer, made where it is new, or where the service calls it another one than before. */
function* seriesFor(batch: Batch, table: Table, commit: PageCommit): EngineWork<SeriesFound> {
  const { writer, byName } = batch;
  const key = commit.series;
  const name = `${key.endpoint} ${scopeText(key.scope)} ${key.origin}`;
  let one = byName.get(name);
  if (!one) {
    const reading = batch.last ? wait(batch.last) : lastCommit(writer);
    const [[row], last] = yield* both(writer, foundSeries(writer, key), reading);
    batch.last = last;
    if (row) one = openSeries(batch, table, { row, name, isNew: false });
  }
  const last = batch.last ?? { number: 0, at: 0 };
  const replaced = replacedBy(table, one?.stored, commit);
  if (one && !replaced) return { one, last, replaced };
  if (one) {
    closeSeries(writer, one.place.series, commit.at);
    one.row = { ...one.row, closed_at: commit.at };
    one.walks.clear();
  }
  const row = yield* addSeries(writer, key, checkedAtFirst(commit));
  return { one: openSeries(batch, table, { row, name, isNew: true }), last, replaced };
}

function* foundSeries(writer: Writer, key: SeriesKey): EngineWork<readonly SeriesRow[]> {
  return yield* wait(writer.records<SeriesRow>(seriesSelect(key)));
}

function openSeries(
  { writer, all, byName }: Batch,
  table: Table,
  { row, name, isNew }: { readonly row: SeriesRow; readonly name: string; readonly isNew: boolean },
): OpenSeries {
  const one: OpenSeries = {
    ...{ place: { engine: writer, table, series: row.id }, from: row.state, isNew, before: row, row },
    stored: isNew ? undefined : storedSeriesOf(row),
    change: noChecksumChange(),
    ...{ sums: isNew ? [] : undefined, coverage: isNew ? [] : undefined, isChecked: false, walks: new Map() },
  };
  all.push(one);
  byName.set(name, one);
  return one;
}

/** Reads a series before anything of a page is written. Does a row lie behind the page's range? */
function* readProgress(
  one: OpenSeries,
  { access, walk, covered, undo }: PageCommit,
  end: ReturnType<typeof pastEnd>,
): EngineWork<boolean> {
  const { place, walks } = one;
  const { engine, table, series } = place;
  const later = `select 1 from ${table.current} where series = ? and ${columnNamesOf(table.key)[0]} > ? limit 1`;
  const sums = { sql: 'select * from sums where series = ?', values: [series] };
  const wantsWalk = walk !== undefined && !walks.has(access) && !one.isNew;
  const wantsCoverage = (covered || undo) && !one.coverage;
  const [[coverage, stored], [noted, behind]] = yield* both(
    engine,
    both(
      engine,
      wantsCoverage ? coverageRows(engine, [series]) : wait(one.coverage),
      wantsWalk ? storedWalkOf(engine, series, access) : wait(undefined),
    ),
    both(
      engine,
      one.sums ? wait(one.sums) : wait(engine.records<SumRow>(sums)),
      end === undefined ? wait([]) : wait(engine.tuples({ sql: later, values: [series, end] })),
    ),
  );
  one.coverage = coverage;
  one.sums = noted;
  if (wantsWalk) walks.set(access, { kept: stored, isMoved: false });
  return behind.length > 0;
}

interface Progress {
  readonly commit: PageCommit;
  /** The last commit. */
  readonly latest: number;
  readonly heldBack: boolean;
  readonly hasLater: boolean;
}

/** Notes walk, coverage, validator and freshness. A page with withheld rows confirms nothing, nor does its walk. */
function* noteProgress(
  batch: Batch,
  one: OpenSeries,
  { commit, latest, heldBack, hasLater }: Progress,
): EngineWork<void> {
  const { writer } = batch;
  const { place, walks } = one;
  const { series } = place;
  const { access, walk, covered, undo, at } = commit;
  const isOpen = heldBack || wasWithheld(walks.get(access)?.kept, walk);
  yield* noteNamed(batch, commit, commit.named ?? []);
  if (commit.follows && !isOpen) settleFollow(writer, series, commit);
  if (walk !== undefined)
    walks.set(access, {
      kept: walk === null ? undefined : { ...walk, ...(isOpen && { heldBack: true }) },
      isMoved: true,
    });
  putValidator(writer, commit, { series, commit: latest, isOpen });
  if (covered && !isOpen) {
    const proven = { ...covered, checkedAt: covered.checkedAt ?? at };
    const stored = one.coverage ?? [];
    one.coverage = yield* writeCoverage(place, { access, covered: proven, commit: latest, stored });
    one.isChecked = true;
  }
  if (undo) {
    // The remaining coverage, in place of the earlier one.
    forgetCoverage(place, access);
    one.coverage = (one.coverage ?? []).filter((row) => row.access !== access);
    for (const left of undo.coveredRanges) {
      const rows = yield* countRows(place, left);
      const stored: readonly RangeRow[] = one.coverage;
      one.coverage = yield* writeCoverage(place, { access, covered: { ...left, rows }, commit: latest, stored });
    }
    one.isChecked = true;
    one.row = { ...one.row, checked_at: undo.checkedAt };
  } else if (!isOpen && !cameByItself(commit) && !hasLater) one.row = { ...one.row, checked_at: at };
}

/** Writes the facts that a batch writes only once. */
function* endBatch({ writer, all, found, stamp }: Batch): EngineWork<void> {
  for (const { place, walks } of all)
    for (const [access, { kept, isMoved }] of walks) if (isMoved) putWalk(writer, place.series, access, kept);
  for (const { before, row } of all) updateSeries(writer, before, row);
  yield* noteSums(writer, [
    ...(stamp && stamp !== found.stamp ? [stampSum(stamp)] : []),
    ...all.flatMap(({ place: { series }, before, row, isNew, isChecked, sums, coverage, change }) => [
      ...changedSums(series, sums ?? [], change),
      ...(isChecked ? [coverageSum(series, coverage ?? [])] : []),
      ...(isNew || row !== before ? [seriesSum(row)] : []),
    ]),
  ]);
}

/** Writes only changed columns: an envelope is long. */
function updateSeries(writer: Writer, before: SeriesRow, row: SeriesRow): void {
  const names = SERIES_FACTS.filter((name) => row[name] !== before[name]);
  if (names.length === 0) return;
  const set = names.map((name) => `${name} = ?`).join(', ');
  writer.run({ sql: `update series set ${set} where id = ?`, values: [...names.map((name) => row[name]), row.id] });
}

const SERIES_FACTS = ['state', 'history', 'checked_at', 'envelope', 'envelope_inputs', 'envelope_rows'] as const;

function* noteNamed({ writer, follows }: Batch, commit: PageCommit, named: readonly NamedSeries[]): EngineWork<void> {
  const { access } = commit;
  if (named.length === 0) return;
  const follow = follows.get(access) ?? (yield* isFollowing(writer, access));
  // Records that this batch settles are followed from then on.
  if (follow) follows.set(access, follow);
  if (follow) nameSeries(writer, commit, named);
}

/** Notes the events of a page, and the series that those name which were not known, so that journal and changes agree. */
function* writeArrivals(
  batch: Batch,
  place: WritingPlace,
  { rows, commit }: { readonly rows: readonly Prepared[]; readonly commit: PageCommit },
): EngineWork<Arrivals> {
  const arrivals = arrivalsOf(rows, commit, yield* arrive(place, commit));
  yield* noteNamed(batch, commit, arrivals.named);
  return arrivals;
}

function* arrive({ engine, series }: WritingPlace, { rows, at, arrived }: PageCommit): EngineWork<readonly Arrival[]> {
  if (rows.length === 0 || !arrived) return [];
  const events = rows.map(releaseEventOf);
  const ids = events.map(({ eventId }) => storedId(eventId));
  const sql = `select event, position, timestamp from journal where ${engine.among('event')} and series = ?`;
  // Looked up first: an insert that meets a known event would use up a position.
  const stored = yield* wait(engine.tuples<[string, number, number]>({ sql, values: [ids, series] }));
  const known = new Map(stored.map(([event, position, timestamp]) => [event, { position, known: timestamp }]));
  const positions = yield* keepEvents({ engine, series }, unknownAmong(events, known));
  const arrivals = arrivalsInOrder(events, known, positions);
  const all = [...new Set(arrivals.map(({ position }) => position))];
  yield* wait(
    engine.insert({
      ...{ into: 'arrivals', shared: { via: arrived.via, at }, columns: [integerColumn('position')] },
      ...{ rows: all.map((position) => [position]), conflict: 'on conflict do nothing' },
    }),
  );
  return arrivals;
}

/** Writes new events in the order of the rows, in which followers read them; gives their positions by event. */
function* keepEvents(
  { engine, series }: Pick<WritingPlace, 'engine' | 'series'>,
  events: readonly ReleaseEvent[],
): EngineWork<ReadonlyMap<string, number>> {
  const columns = [
    textField('event'),
    integerColumn('timestamp'),
    textField('currency'),
    textField('indicator'),
    integerColumn('release'),
    textField('text'),
  ];
  const rows = events.map(({ eventId, timestamp, currency, indicator, release = null, text: body }) => [
    ...[eventId, timestamp, currency, indicator, release, body],
  ]);
  const returning = 'event, position';
  return new Map(
    yield* wait(engine.insert<[string, number]>({ into: 'journal', shared: { series }, columns, rows, returning })),
  );
}
