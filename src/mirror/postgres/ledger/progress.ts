import { sql } from 'kysely';
import { readJson } from '../../../contract/json/json.ts';
import type { NamedSeries } from '../../api/follows.ts';
import type { PageCommit, Undo } from '../../api/page-commit.ts';
import type { PaginationRun } from '../../api/pagination-run.ts';
import type { KeyValue } from '../../api/rows.ts';
import type { AccessTag } from '../../api/series.ts';
import { cameByItself, pastEnd } from '../../core/commit/commit-rules.ts';
import type { Prepared } from '../../core/rows.ts';
import { columnNamesOf, type Table } from '../../core/tables.ts';
import { type PaginationRunRow, paginationRunText, wasWithheld } from '../../ledger/pagination-runs.ts';
import { KEPT_VALIDATORS } from '../../ledger/validators.ts';
import type { ServerConnection } from '../connection.ts';
import { coverageSums, type NewSum } from '../rows/sums.ts';
import { countRows, writeCoverage } from './coverage.ts';

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

/**
 * Notes what moves with a page and is no change of the data: walk, proof, validator, freshness. A page of which rows were
 * held back confirms nothing, nor does the walk that it belongs to: the mirror does not hold what it said.
 */
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
        .offset(KEPT_VALIDATORS),
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
