import { integerColumn, textField } from '../../contract/mapping.ts';
import type { AccessTag, CoverageInterval, CoverageOf, KeyValue } from '../api/series.ts';
import {
  certainDayOf,
  certainProofs,
  coverageAfter,
  type DatedProof,
  intervalOf,
  lateDaysOf,
  mayComeLate,
  newestSelect,
  satisfying,
  skippedText,
} from '../rules/coverage.ts';
import { coveredSelection, pageSelects, whereOf } from '../rules/select.ts';
import type { SystemRows } from '../rules/system-rows.ts';
import { type Engine, type EngineWork, type Place, type Writer, wait } from './engine.ts';
import type { WritingPlace } from './rows.ts';

export type ProofRow = SystemRows['proofs'];

/** Proofs that satisfy an access, as far as they are certain. */
export function* readCoverage(place: Place, access: CoverageOf): EngineWork<readonly CoverageInterval[]> {
  const rows = yield* coverageRows(place.engine, [place.series]);
  const looks = yield* datedProofs(place, rows.filter(satisfying(access)));
  return certainProofs(looks, lateDaysOf(place.table));
}

/** The proofs of some series by their bounds, of all accesses. */
export function* coverageRows(engine: Engine, series: readonly number[]): EngineWork<readonly ProofRow[]> {
  const select = {
    sql: `select * from proofs where ${engine.among('series')} order by series, access`,
    values: [series],
  };
  const rows = yield* wait(engine.records<ProofRow>(select));
  const { bounds } = engine;
  return rows
    .map((row) => ({ ...row, starts: bounds.of(row.starts), ends: bounds.of(row.ends) }))
    .sort((a, b) => compareBounds(a.starts, b.starts) || compareBounds(a.ends, b.ends));
}

/** Bounds of one kind in their order. */
export function compareBounds(a: KeyValue, b: KeyValue): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

/** The proofs of checks, each with its newest row. */
export function* datedProofs(place: Place, rows: readonly ProofRow[]): EngineWork<readonly DatedProof[]> {
  const newest = yield* wait(place.engine.all(rows.map((row) => newestIn(place, row))));
  return rows.map((row, i) => ({ proof: intervalOf(row), newest: newest[i] }));
}

/** The newest row that a proof is known to have had. */
function* newestIn(
  { engine, table, series }: Place,
  row: Pick<ProofRow, 'access' | 'starts' | 'ends' | 'commit_number'>,
): EngineWork<string | null | undefined> {
  const { access, starts: from, ends: to, commit_number: commit } = row;
  if (!mayComeLate(table, access)) return undefined;
  const [newest] = yield* wait(engine.tuples<[KeyValue]>(newestSelect(table, series, { from, to, commit })));
  return certainDayOf(newest?.[0] ?? null);
}

interface NewCoverage {
  readonly access: AccessTag;
  readonly proof: CoverageInterval;
  /** The last commit. */
  readonly commit: number;
  /** All proofs of the series, of all accesses. */
  readonly stored: readonly ProofRow[];
}

const COLUMNS = [
  ...[textField('starts'), textField('ends'), integerColumn('rows'), integerColumn('proven_at')],
  ...[integerColumn('commit_number'), textField('skipped')],
];

/** Adds a proof to those of a series; gives all proofs of the series as they are then. */
export function* writeCoverage(
  place: WritingPlace,
  { access, proof, commit, stored }: NewCoverage,
): EngineWork<readonly ProofRow[]> {
  const { engine, table, series } = place;
  const [own, others] = [stored.filter((row) => row.access === access), stored.filter((row) => row.access !== access)];
  const added = { access, starts: proof.from, ends: proof.to, commit_number: commit };
  const [newest, ...known] = yield* wait(engine.all([added, ...own].map((row) => newestIn(place, row))));
  const before = own.map((row, i) => ({
    proof: { ...intervalOf(row), commit: row.commit_number },
    newest: known[i],
  }));
  forgetCoverage(place, access);
  const after = coverageAfter(before, { proof, newest }, lateDaysOf(table));
  const counts = yield* wait(
    engine.all(after.map(({ one, isKnown }) => (isKnown ? wait(one.rows) : countRows(place, one)))),
  );
  const rows = after.map(
    ({ one, isNoted }, i): ProofRow => ({
      ...{ series, access, starts: one.from, ends: one.to, rows: counts[i] ?? 0, proven_at: one.provenAt },
      commit_number: (isNoted ? one.commit : undefined) ?? commit,
      skipped: skippedText(one),
    }),
  );
  yield* insertCoverage(engine, rows);
  return [...others, ...rows];
}

export function forgetCoverage({ engine, series }: WritingPlace, access: AccessTag): void {
  engine.run({ sql: 'delete from proofs where series = ? and access = ?', values: [series, access] });
}

/** Stores coverage; for stored bounds it only renews the time. */
export function* insertCoverage(engine: Writer, rows: readonly ProofRow[]): EngineWork<void> {
  const { stored } = engine.bounds;
  yield* wait(
    engine.insert({
      ...{ into: 'proofs', shared: {}, columns: [integerColumn('series'), textField('access'), ...COLUMNS] },
      rows: rows.map((row) => [
        ...[row.series, row.access, stored(row.starts), stored(row.ends), row.rows, row.proven_at],
        ...[row.commit_number, row.skipped],
      ]),
      conflict: 'on conflict (series, access, starts, ends) do update set proven_at = excluded.proven_at',
    }),
  );
}

/** Counts the stored rows of a window. */
export function* countRows(
  { engine, table, series }: Place,
  { from, to }: Pick<CoverageInterval, 'from' | 'to'>,
): EngineWork<number> {
  const where = whereOf(table, series, coveredSelection(table, { from, to }));
  return (yield* wait(engine.tuples<[number]>(pageSelects(table).count(where))))[0]?.[0] ?? 0;
}
