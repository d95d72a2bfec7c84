import type { SeriesRef } from '../../../contract/hooks.ts';
import type { SeriesKey, StoredSeries } from '../../api/series.ts';
import type { LedgerSchema } from '../../ledger/ledger.ts';
import { isWhole, scopeText, storedSeriesOf } from '../../ledger/series.ts';
import type { SqliteConnection } from '../database-file.ts';

type Row = LedgerSchema['series'];

/** Finds series by reference. `scopeNames` are all names that series of the endpoint can have. */
export function seriesFinder(db: SqliteConnection) {
  const exact = db.prepare<unknown[], Row>('select * from series where endpoint = ? and scope = ? order by id');
  const all = db.prepare<unknown[], Row>('select * from series where endpoint = ? order by id');
  const byPair = db.prepare<unknown[], Row>(
    `select series.* from scopes join series on series.id = scopes.series
     where scopes.name = ? and scopes.value = ? and endpoint = ? order by series.id`,
  );

  return (ref: SeriesRef, scopeNames: readonly string[]): readonly StoredSeries[] => {
    const pairs = Object.entries(ref.scope);
    if (isWhole(ref, scopeNames)) return exact.all(ref.endpoint, scopeText(ref.scope)).map(storedSeriesOf);
    const [pair] = pairs;
    const rows = pair ? byPair.all(...pair, ref.endpoint) : all.all(ref.endpoint);
    return rows.map(storedSeriesOf).filter((stored) => pairs.every(([name, value]) => stored.scope[name] === value));
  };
}

/** Reads and writes single series inside a commit. */
export function seriesStatements(db: SqliteConnection) {
  const select = db.prepare<unknown[], Row>('select * from series where endpoint = ? and scope = ? and origin = ?');
  const insert = db.prepare(
    'insert into series (endpoint, scope, origin, generation, checked_at) values (?, ?, ?, ?, ?)',
  );
  const insertPair = db.prepare('insert into scopes (name, value, series) values (?, ?, ?)');
  const check = db.prepare('update series set checked_at = ? where id = ?');
  const advance = db.prepare('update series set generation = ?, checked_at = ? where id = ?');
  const describe = db.prepare(
    `update series set generation = ?, checked_at = ?, envelope = ?, envelope_inputs = ?, envelope_commit = ?
     where id = ?`,
  );

  return {
    get(key: SeriesKey): StoredSeries | undefined {
      const row = select.get(key.endpoint, scopeText(key.scope), key.origin);
      return row && storedSeriesOf(row);
    },
    add(key: SeriesKey, commit: number, at: number): number {
      const scope = scopeText(key.scope);
      const id = Number(insert.run(key.endpoint, scope, key.origin, commit, at).lastInsertRowid);
      for (const [name, value] of Object.entries(key.scope)) insertPair.run(name, value, id);
      return id;
    },
    check: (id: number, at: number) => check.run(at, id),
    alter(before: StoredSeries, { id, generation, checkedAt, envelope }: StoredSeries): void {
      if (!envelope || envelope === before.envelope) advance.run(generation, checkedAt, id);
      else describe.run(generation, checkedAt, envelope.text, envelope.inputs, envelope.commit, id);
    },
  };
}
