import { sql } from 'kysely';
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
import { coverageSums, type NewSum, seriesSums } from './sums.ts';

interface ProgressFacts {
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

interface ProofPlace {
  readonly table: Table;
  readonly series: number;
  readonly access: AccessTag;
}

/** Notes walk, proof, validator and freshness. A page with withheld rows confirms nothing, nor does its walk. */
export async function noteProgress(connection: ServerConnection, context: ProgressFacts): Promise<Progress> {
  const { commit, table, id } = context;
  const { access, proof, at } = commit;
  const kept = commit.paginationRun === undefined ? undefined : await readPaginationRun(connection, id, access);
  const isOpen = context.heldBack || wasWithheld(kept, commit.paginationRun);
  for (const named of commit.named ?? []) await nameSeries(connection, commit, named);
  if (commit.follows && !isOpen) await settleFollow(connection, id, commit);
  if (commit.paginationRun !== undefined)
    await writePaginationRun(connection, { id, access, walk: commit.paginationRun, heldBack: isOpen });
  if (proof && !isOpen) {
    const proven = { ...proof, provenAt: proof.provenAt ?? at };
    await writeCoverage(connection, { table, series: id, access }, { proof: proven, commit: context.number });
  }
  if (commit.undo) await proveAnew(connection, context, commit.undo);
  await putValidator(connection, context, isOpen);
  return {
    isConfirmed: !isOpen && !cameByItself(commit) && (await confirmsPresent(connection, context)),
    sums: (proof && !isOpen) || commit.undo ? await coverageSums(connection, [id]) : [],
  };
}

async function confirmsPresent(
  connection: ServerConnection,
  { table, rows, commit, id }: ProgressFacts,
): Promise<boolean> {
  const end = pastEnd(table, rows, commit);
  return end === undefined || !(await hasLater(connection, { table, id, end }));
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
  { commit, table, id, number }: ProgressFacts,
  { proofs }: Undo,
): Promise<void> {
  const place = { table, series: id, access: commit.access };
  await connection.ledger.deleteFrom('proofs').where('series', '=', id).where('access', '=', commit.access).execute();
  for (const proof of proofs) {
    const rows = await countRows(connection, place, proof);
    await writeCoverage(connection, place, { proof: { ...proof, rows }, commit: number });
  }
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
export async function writePaginationRun(
  { ledger }: ServerConnection,
  { id, access, walk, heldBack }: { id: number; access: AccessTag; walk: PaginationRun | null; heldBack: boolean },
): Promise<void> {
  if (walk === null) {
    await ledger.deleteFrom('walks').where('series', '=', id).where('access', '=', access).execute();
    return;
  }
  const text = paginationRunText(walk, heldBack);
  await ledger
    .insertInto('walks')
    .values({ series: id, access, walk: text })
    .onConflict((on) => on.columns(['series', 'access']).doUpdateSet({ walk: text }))
    .execute();
}

async function putValidator(
  { ledger }: ServerConnection,
  { commit, id, number }: ProgressFacts,
  isOpen: boolean,
): Promise<void> {
  const { access, question, etag, at } = commit;
  if (etag === undefined || isOpen) {
    await ledger.deleteFrom('validators').where('access', '=', access).where('question', '=', question).execute();
    return;
  }
  const values = { etag, series: id, commit_number: number, checked_at: at };
  const noted = await ledger
    .insertInto('validators')
    .values({ access, question, ...values })
    .onConflict((on) => on.columns(['access', 'question']).doUpdateSet(values))
    // A row that was there before was locked to be changed.
    .returning(sql<boolean>`xmax = 0`.as('isNew'))
    .executeTakeFirst();
  if (noted?.isNew !== true) return;
  await ledger
    .deleteFrom('validators')
    .where('access', '=', access)
    .where('question', 'in', (from) =>
      from
        .selectFrom('validators')
        .select('question')
        .where('series', '=', id)
        .where('access', '=', access)
        .orderBy('checked_at', 'desc')
        .offset(MAX_VALIDATORS),
    )
    .execute();
}

/** The series is known to where its feed stands. */
async function settleFollow(
  { ledger }: ServerConnection,
  id: number,
  { access, at, follows }: PageCommit,
): Promise<void> {
  await ledger
    .insertInto('follows')
    .values({ series: id, access, checked_at: at, due: null })
    .onConflict((on) =>
      on.columns(['series', 'access']).doUpdateSet({ due: null, ...(follows?.checked && { checked_at: at }) }),
    )
    .execute();
}

/** The feed of this origin says that series have changed. */
export async function nameSeries(
  { ledger }: ServerConnection,
  { series, access }: PageCommit,
  { endpoint, scope, due }: NamedSeries,
): Promise<void> {
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
  await named.execute();
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

/** The looks behind some rows of the ledger, each with its newest row: a statement each. */
export async function readDatedProofs(
  connection: ServerConnection,
  { table, series }: Pick<ProofPlace, 'table' | 'series'>,
  rows: readonly LedgerSchema['proofs'][],
): Promise<readonly DatedProof[]> {
  const looks = [];
  for (const row of rows)
    looks.push({ proof: intervalOf(row), newest: await newestIn(connection, { table, series }, row) });
  return looks;
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

/** Adds a proof, and notes how many rows of its window are stored: whoever deletes one later contradicts it. */
export async function writeCoverage(
  connection: ServerConnection,
  { table, series, access }: ProofPlace,
  { proof, commit }: { proof: CoverageInterval; commit: number },
): Promise<void> {
  const { ledger } = connection;
  const stored = await ledger
    .deleteFrom('proofs')
    .where('series', '=', series)
    .where('access', '=', access)
    .returningAll()
    .execute();
  const before = [];
  for (const row of stored.map(withBounds)) {
    const kept = { ...intervalOf(row), commit: row.commit_number, held: row.held };
    before.push({ proof: kept, newest: await newestIn(connection, { table, series }, row) });
  }
  const own = { access, starts: proof.from, ends: proof.to, commit_number: commit };
  const newest = await newestIn(connection, { table, series }, own);
  const rows = [];
  for (const { one, isKnown, isNoted } of coverageAfter(before, { proof, newest }, lateDaysOf(table))) {
    const noted = isNoted ? one : { commit, held: await countRows(connection, { table, series }, one) };
    rows.push({
      ...{ series, access, starts: boundText(one.from), ends: boundText(one.to) },
      rows: isKnown ? one.rows : (noted.held ?? 0),
      ...{ proven_at: one.provenAt, commit_number: noted.commit ?? null, held: noted.held ?? null },
      skipped: skippedText(one),
    });
  }
  await ledger.insertInto('proofs').values(rows).execute();
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

export async function serverSeriesOf({ ledger }: ServerConnection, key: SeriesKey): Promise<StoredSeries | undefined> {
  const row = await ledger
    .selectFrom('series')
    .selectAll()
    .where('endpoint', '=', key.endpoint)
    .where('scope', '=', scopeText(key.scope))
    .where('origin', '=', key.origin)
    .where('closed_at', '=', 0)
    .executeTakeFirst();
  return row && storedSeriesOf(row);
}

/** A series is of the past from now on: nothing keeps it up to date any more. */
export async function closeSeries({ ledger }: ServerConnection, id: number, at: number): Promise<readonly NewSum[]> {
  for (const table of ['follows', 'walks', 'validators'] as const)
    await ledger.deleteFrom(table).where('series', '=', id).execute();
  const closed = ledger.updateTable('series').set({ closed_at: at }).where('id', '=', id).returningAll();
  return seriesSums(await closed.execute());
}

/** Makes a series known; gives its id. */
export async function addSeries({ ledger }: ServerConnection, key: SeriesKey, at: number): Promise<number> {
  const { endpoint, origin } = key;
  const { state, history } = newSeriesFacts(key);
  const { id } = await ledger
    .insertInto('series')
    .values({ endpoint, scope: scopeText(key.scope), origin, state, history, checked_at: at })
    .returning('id')
    .executeTakeFirstOrThrow();
  const pairs = Object.entries(key.scope).map(([name, value]) => ({ name, value, series: id }));
  if (pairs.length > 0) await ledger.insertInto('scopes').values(pairs).execute();
  return id;
}
