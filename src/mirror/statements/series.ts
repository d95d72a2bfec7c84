import type { SeriesRef } from '../../contract/hooks.ts';
import { readJson } from '../../contract/json/json.ts';
import { textField } from '../../contract/mapping.ts';
import { MacroError } from '../../errors.ts';
import type { PageCommit } from '../api/page-commit.ts';
import type { AccessTag, Binding, SeriesKey, SeriesTime, StoredSeries } from '../api/series.ts';
import { newSeriesFacts } from '../rules/digest.ts';
import {
  isWhole,
  MAX_VALIDATORS,
  scopeText,
  seriesAt,
  storedSeriesOf,
  type UnfinishedWalkRow,
} from '../rules/system-rows.ts';
import type { SystemRows } from '../rules/system-tables.ts';
import { type Engine, type EngineWork, type Select, type Writer, wait } from './engine.ts';
import { noteSums, seriesSum, stampSum } from './sums.ts';
import { askRow, askRows } from './transactions.ts';

export type SeriesRow = SystemRows['series'];

/** Finds series by reference. `scopeNames` are all names that series of the endpoint can have. */
export function* findSeries(
  engine: Engine,
  { endpoint, ...ref }: SeriesRef,
  { scopeNames, time }: { readonly scopeNames: readonly string[]; readonly time: SeriesTime | undefined },
): EngineWork<readonly StoredSeries[]> {
  const pairs = Object.entries(ref.scope);
  const [pair] = pairs;
  const select = isWhole({ endpoint, ...ref }, scopeNames)
    ? {
        sql: 'select * from series where endpoint = ? and scope = ? order by id',
        values: [endpoint, scopeText(ref.scope)],
      }
    : pair
      ? { sql: OF_PAIR, values: [endpoint, ...pair] }
      : { sql: 'select * from series where endpoint = ? order by id', values: [endpoint] };
  const found = (yield* wait(engine.records<SeriesRow>(select))).map(storedSeriesOf);
  return seriesAt(
    found.filter(({ scope }) => pairs.every(([name, value]) => scope[name] === value)),
    time,
  );
}

const OF_PAIR = `select series.* from series join scopes on scopes.series = series.id
  where endpoint = ? and scopes.name = ? and scopes.value = ? order by series.id`;

export function seriesSelect({ endpoint, scope, origin }: SeriesKey): Select {
  const sql = 'select * from series where endpoint = ? and scope = ? and origin = ? and closed_at = 0';
  return { sql, values: [endpoint, scopeText(scope), origin] };
}

export function* seriesOf(engine: Engine, key: SeriesKey): EngineWork<SeriesRow | undefined> {
  return (yield* wait(engine.records<SeriesRow>(seriesSelect(key))))[0];
}

export type LastCommit = Pick<SystemRows['commits'], 'number' | 'at'>;

export function* lastCommit(engine: Engine): EngineWork<LastCommit> {
  const sql = 'select number, at from commits order by number desc limit 1';
  return (yield* wait(engine.records<LastCommit>({ sql, values: [] })))[0] ?? { number: 0, at: 0 };
}

/** Makes a series known. */
export function* addSeries(writer: Writer, key: SeriesKey, at: number): EngineWork<SeriesRow> {
  const { state, chain } = newSeriesFacts(key);
  const sql = `insert into series (endpoint, scope, origin, state, history, checked_at) values (?, ?, ?, ?, ?, ?) returning *`;
  const values = [key.endpoint, scopeText(key.scope), key.origin, state, chain, at];
  const [row] = yield* wait(writer.records<SeriesRow>({ sql, values }));
  if (!row) throw new MacroError('internal', 'A new series has no row.');
  const shared = { series: row.id };
  const columns = [textField('name'), textField('value')];
  yield* wait(writer.insert({ into: 'scopes', shared, columns, rows: Object.entries(key.scope) }));
  return row;
}

/** A series is of the past from now on: nothing keeps it up to date any more. */
export function closeSeries(writer: Writer, id: number, at: number): void {
  for (const table of ['follows', 'walks', 'validators'])
    writer.run({ sql: `delete from ${table} where series = ?`, values: [id] });
  writer.run({ sql: 'update series set closed_at = ? where id = ?', values: [at, id] });
}

export function* storedWalkOf(
  engine: Engine,
  series: number,
  access: AccessTag,
): EngineWork<UnfinishedWalkRow | undefined> {
  const select = { sql: 'select walk from walks where series = ? and access = ?', values: [series, access] };
  const [row] = yield* wait(engine.tuples<[string]>(select));
  return row && readJson(row[0]);
}

/** Stores an unfinished walk, or removes a finished one. */
export function putWalk(writer: Writer, series: number, access: AccessTag, walk: UnfinishedWalkRow | undefined): void {
  const put = 'insert into walks (series, access, walk) values (?, ?, ?)';
  if (walk) {
    const sql = `${put} on conflict (series, access) do update set walk = excluded.walk`;
    writer.run({ sql, values: [series, access, JSON.stringify(walk)] });
  } else writer.run({ sql: 'delete from walks where series = ? and access = ?', values: [series, access] });
}

/** Keeps the ETag of an answer for whoever asks the same question; forgets that of an earlier one where there is none. */
export function putValidator(
  writer: Writer,
  { access, question, etag, at }: PageCommit,
  { series, commit, isOpen }: { readonly series: number; readonly commit: number; readonly isOpen: boolean },
): void {
  if (etag === undefined || isOpen) {
    writer.run({ sql: 'delete from validators where access = ? and question = ?', values: [access, question] });
    return;
  }
  writer.run({ sql: PUT_VALIDATOR, values: [access, question, etag, series, commit, at] });
  writer.run({ sql: PRUNE_VALIDATORS, values: [access, series, access] });
}

const PUT_VALIDATOR = `insert into validators (access, question, etag, series, commit_number, checked_at) values (?, ?, ?, ?, ?, ?)
  on conflict (access, question) do update set
    etag = excluded.etag, series = excluded.series, commit_number = excluded.commit_number, checked_at = excluded.checked_at`;

const PRUNE_VALIDATORS = `delete from validators where access = ? and question in (
  select question from validators where series = ? and access = ? order by checked_at desc limit 1000000 offset ${MAX_VALIDATORS})`;

/** Forgets an unfinished walk. */
export function* dropStoredWalk(writer: Writer, key: SeriesKey, access: AccessTag): EngineWork<void> {
  const stored = yield* seriesOf(writer, key);
  if (stored) putWalk(writer, stored.id, access, undefined);
}

// A service that has moved to another address: what it said before is its own from then on.

/** Binds series, gaps, stamp and sums to an address in one transaction; drops validators and half walks. */
export function* bindService(writer: Writer, binding: Binding): EngineWork<void> {
  const { from, to } = binding;
  const moved = yield* askRows<SystemRows['series']>(writer, 'select * from series where origin = ?', from);
  for (const table of ['series', 'gaps'])
    writer.run({ sql: `update ${table} set origin = ? where origin = ?`, values: [to, from] });
  for (const table of ['validators', 'walks']) writer.run({ sql: `delete from ${table}`, values: [] });
  const stamp = yield* askRow<SystemRows['mirror']>(writer, 'select * from mirror');
  const bindings = JSON.stringify([...readJson<readonly Binding[]>(stamp.bindings ?? '[]'), binding]);
  writer.run({ sql: 'update mirror set service = ?, bindings = ?', values: [to, bindings] });
  yield* noteSums(writer, [
    ...moved.map((row) => seriesSum({ ...row, origin: to })),
    stampSum({ ...stamp, service: to, bindings }),
  ]);
}
