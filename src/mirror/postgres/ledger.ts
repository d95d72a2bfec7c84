import type { SeriesRef } from '../../contract/hooks.ts';
import { readJson } from '../../contract/json/json.ts';
import type { NamedSeries, PageCommit, PaginationRun, Undo } from '../api/page-commit.ts';
import type {
  AccessTag,
  CoverageInterval,
  CoverageOf,
  KeyValue,
  SeriesKey,
  SeriesTime,
  StoredSeries,
} from '../api/series.ts';
import type { Prepared } from '../rules/columns.ts';
import { cameByItself, pastEnd } from '../rules/commit-rules.ts';
import {
  certainDayOf,
  certainProofs,
  coverageAfter,
  type DatedProof,
  intervalOf,
  lateDaysOf,
  mayComeLate,
  newestSelect,
  skippedText,
} from '../rules/coverage.ts';
import { newSeriesFacts } from '../rules/digest.ts';
import {
  isWhole,
  type LedgerSchema,
  MAX_VALIDATORS,
  type PaginationRunRow,
  paginationRunText,
  scopeText,
  seriesAt,
  storedSeriesOf,
  wasWithheld,
} from '../rules/ledger.ts';
import { coveredSelection, pageSelects, whereOf } from '../rules/select.ts';
import { columnNamesOf, type Table } from '../rules/tables.ts';
import type { ServerConnection } from './connection.ts';
import { boundOf, boundText } from './schema.ts';
import { coverageRows, coverageSum, type NewSum, seriesSums } from './sums.ts';

/** What is read of a series before anything of a page is written. */
export interface StoredProgress {
  readonly run: PaginationRunRow | undefined;
  /** Of all accesses; none where the page does not touch them. */
  readonly coverage: readonly LedgerSchema['proofs'][];
  /** A row that is stored lies behind the past stretch that the page speaks of. */
  readonly hasLater: boolean;
}

interface ProgressFacts {
  readonly before: StoredProgress;
  readonly commit: PageCommit;
  readonly table: Table;
  readonly rows: readonly Prepared[];
  readonly id: number;
  readonly number: number;
  readonly heldBack: boolean;
}

/** What is left to be noted: that the series was confirmed, and sums of what was written. */
export interface Progress {
  readonly isConfirmed: boolean;
  readonly sums: readonly NewSum[];
}

export async function readProgress(
  connection: ServerConnection,
  { table, rows, commit, id }: Pick<ProgressFacts, 'table' | 'rows' | 'commit' | 'id'>,
): Promise<StoredProgress> {
  const { access, paginationRun, proof, undo } = commit;
  const end = pastEnd(table, rows, commit);
  const [run, coverage, later] = await Promise.all([
    paginationRun === undefined ? undefined : readPaginationRun(connection, id, access),
    proof || undo ? coverageRows(connection, [id]) : ([] as const),
    end !== undefined && hasLater(connection, { table, id, end }),
  ]);
  return { run, coverage, hasLater: later };
}

interface ProofPlace {
  readonly table: Table;
  readonly series: number;
  readonly access: AccessTag;
}

/** Notes walk, proof, validator and freshness. A page with withheld rows confirms nothing, nor does its walk. */
export async function noteProgress(connection: ServerConnection, context: ProgressFacts): Promise<Progress> {
  const { commit, table, id } = context;
  const { access, proof, at } = commit;
  const { run, coverage, hasLater } = context.before;
  const isOpen = context.heldBack || wasWithheld(run, commit.paginationRun);
  for (const named of commit.named ?? []) nameSeries(connection, commit, named);
  if (commit.follows && !isOpen) settleFollow(connection, id, commit);
  if (commit.paginationRun !== undefined)
    writePaginationRun(connection, { id, access, walk: commit.paginationRun, heldBack: isOpen });
  putValidator(connection, context, isOpen);
  let covered: readonly LedgerSchema['proofs'][] | undefined;
  if (proof && !isOpen) {
    const proven = { ...proof, provenAt: proof.provenAt ?? at };
    const place = { table, series: id, access };
    covered = await writeCoverage(connection, place, { proof: proven, commit: context.number, stored: coverage });
  }
  if (commit.undo) covered = await proveAnew(connection, context, commit.undo);
  return {
    isConfirmed: !isOpen && !cameByItself(commit) && !hasLater,
    sums: covered ? [coverageSum(id, covered)] : [],
  };
}

async function hasLater(
  connection: ServerConnection,
  { table, id, end }: { table: Table; id: number; end: KeyValue },
): Promise<boolean> {
  const later = `select 1 from ${table.current} where series = ? and ${columnNamesOf(table.key)[0]} > ? limit 1`;
  return (await connection.tuples({ sql: later, values: [id, end] })).length > 0;
}

/** What is left of the proofs of a series, in place of those that were given. */
async function proveAnew(
  connection: ServerConnection,
  { commit, table, id, number, before }: ProgressFacts,
  { proofs }: Undo,
): Promise<readonly LedgerSchema['proofs'][]> {
  const place = { table, series: id, access: commit.access };
  connection.send(connection.ledger.deleteFrom('proofs').where('series', '=', id).where('access', '=', commit.access));
  let stored: readonly LedgerSchema['proofs'][] = before.coverage.filter(({ access }) => access !== commit.access);
  for (const proof of proofs) {
    const rows = await countRows(connection, place, proof);
    stored = await writeCoverage(connection, place, { proof: { ...proof, rows }, commit: number, stored });
  }
  return stored;
}

export async function readPaginationRun(
  { ledger }: ServerConnection,
  id: number,
  access: AccessTag,
): Promise<PaginationRunRow | undefined> {
  const row = await ledger
    .selectFrom('walks')
    .select('walk')
    .where('series', '=', id)
    .where('access', '=', access)
    .executeTakeFirst();
  return row && readJson(row.walk);
}

/** Keeps a walk, or forgets the one that is done. */
export function writePaginationRun(
  { ledger, send }: ServerConnection,
  { id, access, walk, heldBack }: { id: number; access: AccessTag; walk: PaginationRun | null; heldBack: boolean },
): void {
  if (walk === null) {
    send(ledger.deleteFrom('walks').where('series', '=', id).where('access', '=', access));
    return;
  }
  const text = paginationRunText(walk, heldBack);
  send(
    ledger
      .insertInto('walks')
      .values({ series: id, access, walk: text })
      .onConflict((on) => on.columns(['series', 'access']).doUpdateSet({ walk: text })),
  );
}

function putValidator(
  { ledger, send }: ServerConnection,
  { commit, id, number }: ProgressFacts,
  isOpen: boolean,
): void {
  const { access, question, etag, at } = commit;
  const all = ledger.deleteFrom('validators').where('access', '=', access);
  if (etag === undefined || isOpen) {
    send(all.where('question', '=', question));
    return;
  }
  const values = { etag, series: id, commit_number: number, checked_at: at };
  send(
    ledger
      .insertInto('validators')
      .values({ access, question, ...values })
      .onConflict((on) => on.columns(['access', 'question']).doUpdateSet(values)),
  );
  send(
    all.where('question', 'in', (from) =>
      from
        .selectFrom('validators')
        .select('question')
        .where('series', '=', id)
        .where('access', '=', access)
        .orderBy('checked_at', 'desc')
        .offset(MAX_VALIDATORS),
    ),
  );
}

/** The series is known to where its feed stands. */
function settleFollow({ ledger, send }: ServerConnection, id: number, { access, at, follows }: PageCommit): void {
  send(
    ledger
      .insertInto('follows')
      .values({ series: id, access, checked_at: at, due: null })
      .onConflict((on) =>
        on.columns(['series', 'access']).doUpdateSet({ due: null, ...(follows?.checked && { checked_at: at }) }),
      ),
  );
}

/** The feed of this origin says that series have changed. */
export function nameSeries(
  { ledger, send }: ServerConnection,
  { series, access }: PageCommit,
  { endpoint, scope, due }: NamedSeries,
): void {
  let named = ledger
    .updateTable('follows')
    .set({ due })
    .where('access', '=', access)
    .where((is) => is.or([is('due', 'is', null), is('due', '>', due)]))
    .where('series', 'in', (from) =>
      from.selectFrom('series').select('id').where('endpoint', '=', endpoint).where('origin', '=', series.origin),
    );
  for (const [name, value] of Object.entries(scope))
    named = named.where('series', 'in', (from) =>
      from.selectFrom('scopes').select('series').where('name', '=', name).where('value', '=', value),
    );
  send(named);
}

/** Proofs that satisfy an access, as far as they are certain. */
export async function readCoverage(
  connection: ServerConnection,
  { table, series }: Pick<ProofPlace, 'table' | 'series'>,
  access: CoverageOf,
): Promise<readonly CoverageInterval[]> {
  const all = connection.ledger.selectFrom('proofs').selectAll().where('series', '=', series);
  const isOfAnyKey = access === 'keyed';
  const some = isOfAnyKey ? all.where('access', '<>', 'keyless') : all.where('access', '=', access);
  const rows = await (access === 'keyless' ? all : some).execute();
  const looks = await readDatedProofs(connection, { table, series }, rows.map(withBounds));
  return certainProofs(looks, lateDaysOf(table)).toSorted(
    (a, b) => compareBounds(a.from, b.from) || compareBounds(a.to, b.to),
  );
}

/** The looks behind some rows of the ledger, each with its newest row. */
export function readDatedProofs(
  connection: ServerConnection,
  { table, series }: Pick<ProofPlace, 'table' | 'series'>,
  rows: readonly LedgerSchema['proofs'][],
): Promise<readonly DatedProof[]> {
  const lookOf = async (row: LedgerSchema['proofs']) => ({
    proof: intervalOf(row),
    newest: await newestIn(connection, { table, series }, row),
  });
  return Promise.all(rows.map(lookOf));
}

function withBounds<R extends { readonly starts: string; readonly ends: string }>(row: R) {
  return { ...row, starts: boundOf(row.starts), ends: boundOf(row.ends) };
}

/** The newest row that a proof is known to have had. */
async function newestIn(
  connection: ServerConnection,
  { table, series }: Pick<ProofPlace, 'table' | 'series'>,
  row: Pick<LedgerSchema['proofs'], 'access' | 'starts' | 'ends' | 'commit_number'>,
): Promise<string | null | undefined> {
  const { access, starts: from, ends: to, commit_number: commit } = row;
  if (commit === null || !mayComeLate(table, access)) return undefined;
  const [newest] = await connection.tuples<[KeyValue]>(newestSelect(table, series, { from, to, commit }));
  return certainDayOf(newest?.[0] ?? null);
}

/**
 * Adds a proof to those of a series, and notes how many rows of its window are stored: whoever deletes one later contradicts
 * it. Gives all proofs of the series as they are then. `stored`: what they were before, of all accesses.
 */
export async function writeCoverage(
  connection: ServerConnection,
  { table, series, access }: ProofPlace,
  { proof, commit, stored }: NewCoverage,
): Promise<readonly LedgerSchema['proofs'][]> {
  const { ledger, send } = connection;
  const [own, others] = [stored.filter((row) => row.access === access), stored.filter((row) => row.access !== access)];
  send(ledger.deleteFrom('proofs').where('series', '=', series).where('access', '=', access));
  const newestOf = (row: Parameters<typeof newestIn>[2]) => newestIn(connection, { table, series }, row);
  const [newest, ...known] = await Promise.all([
    newestOf({ access, starts: proof.from, ends: proof.to, commit_number: commit }),
    ...own.map(newestOf),
  ]);
  const before = own.map((row, i) => ({
    proof: { ...intervalOf(row), commit: row.commit_number, held: row.held },
    newest: known[i],
  }));
  const after = coverageAfter(before, { proof, newest }, lateDaysOf(table)).map(async ({ one, isKnown, isNoted }) => {
    const noted = isNoted ? one : { commit, held: await countRows(connection, { table, series }, one) };
    return {
      ...{ series, access, starts: one.from, ends: one.to, rows: isKnown ? one.rows : (noted.held ?? 0) },
      ...{ proven_at: one.provenAt, commit_number: noted.commit ?? null, held: noted.held ?? null },
      skipped: skippedText(one),
    };
  });
  const rows = await Promise.all(after);
  const values = rows.map((row) => ({ ...row, starts: boundText(row.starts), ends: boundText(row.ends) }));
  send(ledger.insertInto('proofs').values(values));
  return [...others, ...rows];
}

interface NewCoverage {
  readonly proof: CoverageInterval;
  readonly commit: number;
  readonly stored: readonly LedgerSchema['proofs'][];
}

/** Counts the stored rows of a window. */
export async function countRows(
  connection: ServerConnection,
  { table, series }: Pick<ProofPlace, 'table' | 'series'>,
  { from, to }: Pick<CoverageInterval, 'from' | 'to'>,
): Promise<number> {
  const where = whereOf(table, series, coveredSelection(table, { from, to }));
  const [row] = await connection.tuples<[number]>(pageSelects(table).count(where));
  return row?.[0] ?? 0;
}

/** Bounds of one kind in their order. */
export function compareBounds(a: KeyValue, b: KeyValue): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

/** Finds series by reference. `scopeNames` are all names that series of the endpoint can have. */
export async function findServerSeries(
  { ledger }: ServerConnection,
  ref: SeriesRef,
  { scopeNames, time }: { readonly scopeNames: readonly string[]; readonly time: SeriesTime | undefined },
): Promise<readonly StoredSeries[]> {
  const all = ledger.selectFrom('series').selectAll('series').where('endpoint', '=', ref.endpoint).orderBy('series.id');
  if (isWhole(ref, scopeNames))
    return seriesAt((await all.where('scope', '=', scopeText(ref.scope)).execute()).map(storedSeriesOf), time);
  const pairs = Object.entries(ref.scope);
  let matching = all;
  for (const [name, value] of pairs)
    matching = matching.where('series.id', 'in', (from) =>
      from.selectFrom('scopes').select('series').where('name', '=', name).where('value', '=', value),
    );
  return seriesAt((await matching.execute()).map(storedSeriesOf), time);
}

export function serverSeriesOf({ ledger }: ServerConnection, key: SeriesKey): Promise<SeriesRow | undefined> {
  return ledger
    .selectFrom('series')
    .selectAll()
    .where('endpoint', '=', key.endpoint)
    .where('scope', '=', scopeText(key.scope))
    .where('origin', '=', key.origin)
    .where('closed_at', '=', 0)
    .executeTakeFirst();
}

type SeriesRow = LedgerSchema['series'];

/** A series is of the past from now on: nothing keeps it up to date any more. */
export function closeSeries({ ledger, send }: ServerConnection, row: SeriesRow, at: number): readonly NewSum[] {
  for (const table of ['follows', 'walks', 'validators'] as const)
    send(ledger.deleteFrom(table).where('series', '=', row.id));
  send(ledger.updateTable('series').set({ closed_at: at }).where('id', '=', row.id));
  return seriesSums([{ ...row, closed_at: at }]);
}

/** Makes a series known. */
export async function addSeries({ ledger, send }: ServerConnection, key: SeriesKey, at: number): Promise<SeriesRow> {
  const { endpoint, origin } = key;
  const { state, history } = newSeriesFacts(key);
  const row = await ledger
    .insertInto('series')
    .values({ endpoint, scope: scopeText(key.scope), origin, state, history, checked_at: at })
    .returningAll()
    .executeTakeFirstOrThrow();
  const pairs = Object.entries(key.scope).map(([name, value]) => ({ name, value, series: row.id }));
  if (pairs.length > 0) send(ledger.insertInto('scopes').values(pairs));
  return row;
}
