import { integerColumn, textField } from '../../contract/mapping.ts';
import type { AccessTag, CoverageOf, KeyValue, StoredCoverage } from '../api/series.ts';
import {
  certainDayOf,
  certainRanges,
  coverageAfter,
  type DatedRange,
  intervalOf,
  lateDaysOf,
  mayComeLate,
  newestSelect,
  satisfying,
  skippedText,
} from '../rules/coverage.ts';
import { coveredSelection, pageSelects, whereOf } from '../rules/select.ts';
import type { SystemRows } from '../rules/system-tables.ts';
import { type Engine, type EngineWork, type Place, type Writer, wait } from './engine.ts';
import type { WritingPlace } from './rows.ts';

export type RangeRow = SystemRows['proofs'];

/** Covered ranges that satisfy an access, as far as they are certain. */
export function* readCoverage(place: Place, access: CoverageOf): EngineWork<readonly StoredCoverage[]> {
  const rows = yield* coverageRows(place.engine, [place.series]);
  const looks = yield* datedRanges(place, rows.filter(satisfying(access)));
  return certainRanges(looks, lateDaysOf(place.table));
}

/** The covered ranges of some series by their bounds, of all accesses. */
export function* coverageRows(engine: Engine, series: readonly number[]): EngineWork<readonly RangeRow[]> {
  const select = {
    sql: `select * from proofs where ${engine.among('series')} order by series, access`,
    values: [series],
  };
  const rows = yield* wait(engine.records<RangeRow>(select));
  const { bounds } = engine;
  return rows
    .map((row) => ({ ...row, starts: bounds.of(row.starts), ends: bounds.of(row.ends) }))
    .sort((a, b) => compareBounds(a.starts, b.starts) || compareBounds(a.ends, b.ends));
}

/** Bounds of one kind in their order. */
export function compareBounds(a: KeyValue, b: KeyValue): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

/** The covered ranges, each with its newest row. */
export function* datedRanges(place: Place, rows: readonly RangeRow[]): EngineWork<readonly DatedRange[]> {
  const newest = yield* wait(place.engine.all(rows.map((row) => newestIn(place, row))));
  return rows.map((row, i) => ({ covered: intervalOf(row), newest: newest[i] }));
}

/** The newest row that a covered range is known to have had. */
function* newestIn(
  { engine, table, series }: Place,
  row: Pick<RangeRow, 'access' | 'starts' | 'ends' | 'commit_number'>,
): EngineWork<string | null | undefined> {
  const { access, starts: from, ends: to, commit_number: commit } = row;
  if (!mayComeLate(table, access)) return undefined;
  const [newest] = yield* wait(engine.tuples<[KeyValue]>(newestSelect(table, series, { from, to, commit })));
  return certainDayOf(newest?.[0] ?? null);
}

interface NewCoverage {
  readonly access: AccessTag;
  readonly covered: StoredCoverage;
  /** The last commit. */
  readonly commit: number;
  /** All covered ranges of the series, of all accesses. */
  readonly stored: readonly RangeRow[];
}

const COLUMNS = [
  ...[textField('starts'), textField('ends'), integerColumn('rows'), integerColumn('proven_at')],
  ...[integerColumn('commit_number'), textField('skipped')],
];

/** Adds a covered range to those of a series; gives all of them as they are then. */
export function* writeCoverage(
  place: WritingPlace,
  { access, covered, commit, stored }: NewCoverage,
): EngineWork<readonly RangeRow[]> {
  const { engine, table, series } = place;
  const [own, others] = [stored.filter((row) => row.access === access), stored.filter((row) => row.access !== access)];
  const added = { access, starts: covered.from, ends: covered.to, commit_number: commit };
  const [newest, ...known] = yield* wait(engine.all([added, ...own].map((row) => newestIn(place, row))));
  const before = own.map((row, i) => ({
    covered: { ...intervalOf(row), commit: row.commit_number },
    newest: known[i],
  }));
  forgetCoverage(place, access);
  const after = coverageAfter(before, { covered, newest }, lateDaysOf(table));
  const counts = yield* wait(
    engine.all(after.map(({ one, isKnown }) => (isKnown ? wait(one.rows) : countRows(place, one)))),
  );
  const rows = after.map(
    ({ one, isNoted }, i): RangeRow => ({
      ...{ series, access, starts: one.from, ends: one.to, rows: counts[i] ?? 0, proven_at: one.checkedAt },
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
export function* insertCoverage(engine: Writer, rows: readonly RangeRow[]): EngineWork<void> {
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
  { from, to }: Pick<StoredCoverage, 'from' | 'to'>,
): EngineWork<number> {
  const where = whereOf(table, series, coveredSelection(table, { from, to }));
  return (yield* wait(engine.tuples<[number]>(pageSelects(table).count(where))))[0]?.[0] ?? 0;
}
