import type { Connection } from './connect.ts';
import type { AccessTag, Walk } from './mirror.ts';

/** The unfinished walks, one a series and access. */
export function walkStatements(db: Connection) {
  const select = db.prepare<unknown[], string>('select walk from walks where series = ? and access = ?').pluck();
  const put = db.prepare('insert or replace into walks (series, access, walk) values (?, ?, ?)');
  const remove = db.prepare('delete from walks where series = ? and access = ?');
  return {
    get(series: number, access: AccessTag): Walk | undefined {
      const text = select.get(series, access);
      if (text === undefined) return undefined;
      const walk: Walk = JSON.parse(text);
      // JSON leaves undefined members out; the type says that they are there.
      return { ...walk, total: walk.total, lastKey: walk.lastKey };
    },
    put: (series: number, access: AccessTag, walk: Walk) => put.run(series, access, JSON.stringify(walk)),
    drop: (series: number, access: AccessTag) => remove.run(series, access),
  };
}
