import { type JsonText, readJson } from '../../contract/json/json.ts';
import type { ColumnValues } from '../api/series.ts';
import type { CommitClock } from '../rules/as-of/dated.ts';
import type { PageTuple, Where } from '../rules/select.ts';
import type { Shared } from '../rules/tables.ts';
import { doNow, type Engine, type Select } from '../statements/engine.ts';
import { type SqliteConnection, statementsOf } from './database-file.ts';
import { requireSchemaMatch } from './schema-match.ts';

const MAX_TIMES = 10_000;

/** Reads through one connection; each statement is prepared when it is first used. */
export function sqliteEngine(
  db: SqliteConnection,
  { path, commitTimes }: Pick<Shared, 'path' | 'commitTimes'>,
): Engine {
  const statements = statementsOf(db);
  const checked = new Set<string>();
  return {
    times: { ...commitClock(db, commitTimes), learn: () => undefined, learnMoment: () => undefined },
    among: (column) => `${column} in (select value from json_each(?))`,
    tuples: <Row extends unknown[]>({ sql, values }: Select) => statements.raw<Row>(sql).all(...bindable(values)),
    records: <Row>({ sql, values }: Select) => statements.named<Row>(sql).all(...bindable(values)),
    texts: ({ sql, values }) => statements.single<JsonText>(sql).all(...values),
    rows({ sql, values }, { make, isPage }) {
      const statement = statements.raw<PageTuple>(sql);
      // For a whole history, the arrays of the driver would all be in memory at once.
      return isPage ? statement.all(...values).map(make) : Array.from(statement.iterate(...values), make);
    },
    // One text a column crosses the driver's border, not thousands of arrays.
    columns<N extends string>({ sql, values }: Where, names: readonly N[], quoted: readonly string[]): ColumnValues<N> {
      const lists = quoted.map((name) => `iif(count(${name}) = 0, null, json_group_array(${name}))`);
      const outer = `select ${lists.join(', ')} from (${sql})`;
      const texts = statements.raw<(string | null)[]>(outer).get(...values);
      const entries = names.map((name, i) => [name, readJson(texts?.[i] ?? 'null') ?? undefined]);
      return Object.fromEntries(entries);
    },
    all: (works) => works.map(doNow),
    check(table) {
      if (checked.has(table.endpoint)) return;
      requireSchemaMatch(db, table, path);
      checked.add(table.endpoint);
    },
    bounds: { of: (stored) => stored, stored: (bound) => bound },
  };
}

export function bindable(values: Select['values']): readonly unknown[] {
  return values.map((value) => (Array.isArray(value) ? JSON.stringify(value) : value));
}

/** Commits never change, so their times are cached in `times`; they never go back, so a moment is found by halving. */
function commitClock(db: SqliteConnection, times: Map<number, number>): CommitClock {
  const select = db.prepare<[number], number>('select at from commits where number = ?').pluck();
  const newest = db.prepare<[], number>('select coalesce(max(number), 0) from commits').pluck();
  const atOrBefore = db.prepare<[number], { number: number; at: number }>(
    'select number, at from commits where number <= ? order by number desc limit 1',
  );
  return {
    at(commit) {
      const known = times.get(commit);
      if (known !== undefined) return known;
      const at = select.get(commit) ?? 0;
      if (times.size >= MAX_TIMES) times.clear();
      times.set(commit, at);
      return at;
    },
    lastBy(at) {
      let [low, high] = [0, newest.get() ?? 0];
      while (low < high) {
        const middle = Math.ceil((low + high) / 2);
        const commit = atOrBefore.get(middle);
        if (!commit) low = middle;
        else if (commit.at <= at) low = middle;
        else high = commit.number - 1;
      }
      return atOrBefore.get(low)?.number ?? 0;
    },
  };
}
