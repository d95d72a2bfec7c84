import { readJson } from '../../../contract/json/json.ts';
import type { AccessTag, PaginationRun } from '../../api/mirror.ts';
import { type PaginationRunRow, paginationRunOf } from '../../ledger/pagination-runs.ts';
import type { SqliteConnection } from '../database-file.ts';

/** The unfinished walks, one a series and access. */
export function paginationRunStatements(db: SqliteConnection) {
  const select = db.prepare<unknown[], string>('select walk from walks where series = ? and access = ?').pluck();
  const put = db.prepare('insert or replace into walks (series, access, walk) values (?, ?, ?)');
  const remove = db.prepare('delete from walks where series = ? and access = ?');
  const read = (series: number, access: AccessTag): PaginationRunRow | undefined => {
    const text = select.get(series, access);
    return text === undefined ? undefined : readJson(text);
  };
  return {
    get(series: number, access: AccessTag): PaginationRun | undefined {
      const kept = read(series, access);
      return kept && paginationRunOf(kept);
    },
    read,
    put: (series: number, access: AccessTag, walk: PaginationRunRow) => put.run(series, access, JSON.stringify(walk)),
    drop: (series: number, access: AccessTag) => remove.run(series, access),
  };
}
