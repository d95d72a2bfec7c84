import { dateOf } from '../../contract/time/time.ts';
import type { Follow, NamedSeries, PageCommit } from '../api/page-commit.ts';
import type { AccessTag } from '../api/series.ts';
import { intervalOf, lateDaysOf, newestCertain, satisfying } from '../rules/coverage.ts';
import type { SystemRows } from '../rules/system-tables.ts';
import type { Table } from '../rules/tables.ts';
import { countRows, coverageRows, datedRanges, insertCoverage, type RangeRow, writeCoverage } from './coverage.ts';
import { type Engine, type EngineWork, type Writer, wait } from './engine.ts';
import { lastCommit } from './series.ts';
import { coverageSum, type NewSum, noteSums, seriesSum } from './sums.ts';

export function* readFollows(engine: Engine, endpoint: string, access: AccessTag): EngineWork<readonly Follow[]> {
  const sql = `select follows.series, follows.checked_at, due from follows join series on series.id = follows.series
    where endpoint = ? and access = ? order by follows.series`;
  const rows = yield* wait(engine.tuples<[number, number, string | null]>({ sql, values: [endpoint, access] }));
  return rows.map(([series, checkedAt, due]) => ({ series, checkedAt, due: due ?? undefined }));
}

/** The series is known to where its feed stands. */
export function settleFollow(writer: Writer, series: number, { access, at, follows }: PageCommit): void {
  const moved = follows?.checked ? ', checked_at = excluded.checked_at' : '';
  writer.run({
    sql: `insert into follows (series, access, checked_at, due) values (?, ?, ?, null)
      on conflict (series, access) do update set due = null${moved}`,
    values: [series, access, at],
  });
}

/** The feed of this origin says that series have changed. */
export function nameSeries(writer: Writer, { series, access }: PageCommit, named: readonly NamedSeries[]): void {
  for (const { endpoint, scope, due } of named) {
    const pairs = Object.entries(scope);
    // The engine begins a join with the rarest pair. A select for each pair would read all series.
    const joins = pairs.map(
      (_, i) => `join scopes as pair${i} on pair${i}.series = id and pair${i}.name = ? and pair${i}.value = ?`,
    );
    writer.run({
      sql: `update follows set due = ? where access = ? and (due is null or due > ?)
        and series in (select id from series ${joins.join(' ')} where endpoint = ? and origin = ?)`,
      values: [due, access, due, ...pairs.flat(), endpoint, series.origin],
    });
  }
}

/** A machine that only receives follows nothing, and looking for named series costs as much as keeping an event. */
export function* isFollowing(engine: Engine, access: AccessTag): EngineWork<boolean> {
  const any = { sql: 'select 1 from follows where access = ? limit 1', values: [access] };
  return (yield* wait(engine.tuples(any))).length > 0;
}

/** Renews the newest covered range of each followed series, since its feed would have named it. Gives their number. */
export function* confirmFollowed(
  engine: Writer,
  table: Table,
  { access, at }: { readonly access: AccessTag; readonly at: number },
): EngineWork<number> {
  const follows = yield* readFollows(engine, table.endpoint, access);
  const unnamed = follows.filter(({ due }) => due === undefined).map(({ series }) => series);
  const rows = yield* coverageRows(engine, unnamed);
  const stored = Map.groupBy(rows, ({ series }) => series);
  const { number: commit } = yield* lastCommit(engine);
  const confirming = unnamed.map((series) => {
    const coveredRanges = stored.get(series) ?? [];
    return confirm({ engine, table, series }, { access, at, commit, coveredRanges });
  });
  const confirmed = (yield* wait(engine.all(confirming))).flatMap((one) => one ?? []);
  if (confirmed.length === 0) return unnamed.length;
  yield* insertCoverage(
    engine,
    confirmed.flatMap(({ renewed }) => renewed ?? []),
  );
  const sql = `update series set checked_at = ? where ${engine.among('id')} returning *`;
  const ids = confirmed.map(({ sum }) => sum.series);
  const checked = yield* wait(engine.records<SystemRows['series']>({ sql, values: [at, ids] }));
  yield* noteSums(engine, [...confirmed.map(({ sum }) => sum), ...checked.map(seriesSum)]);
  return unnamed.length;
}

interface Confirmed {
  readonly sum: NewSum;
  /** A covered range with only a new time. */
  readonly renewed?: RangeRow;
}

function* confirm(
  place: Parameters<typeof writeCoverage>[0],
  {
    access,
    at,
    commit,
    coveredRanges,
  }: {
    readonly access: AccessTag;
    readonly at: number;
    readonly commit: number;
    readonly coveredRanges: readonly RangeRow[];
  },
): EngineWork<Confirmed | undefined> {
  const { table, series } = place;
  const own = coveredRanges.filter(satisfying(access));
  const [only] = own;
  // One look alone is whole whatever its newest row is: reading that would be a statement for each of thousands of series.
  const looks =
    own.length === 1 && only ? [{ covered: intervalOf(only), newest: undefined }] : yield* datedRanges(place, own);
  const newest = newestCertain(looks, lateDaysOf(table));
  if (!newest || newest.checkedAt >= at) return undefined;
  const today = dateOf(at);
  const { from, to } = newest;
  if (to < today) {
    const covered = { from, to: today, rows: yield* countRows(place, { from, to: today }), checkedAt: at };
    return {
      sum: coverageSum(series, yield* writeCoverage(place, { access, covered, commit, stored: coveredRanges })),
    };
  }
  // On the same day the window is the same, and so is its count.
  const same = coveredRanges.find((row) => row.access === access && row.starts === from && row.ends === to);
  const renewed = same && { ...same, proven_at: at };
  const after = coveredRanges.map((row) => (renewed && row === same ? renewed : row));
  return { sum: coverageSum(series, after), ...(renewed && { renewed }) };
}
