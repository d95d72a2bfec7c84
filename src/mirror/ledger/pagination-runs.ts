import { readJson } from '../../contract/json/json.ts';
import type { AccessTag, PaginationRun } from '../api/mirror.ts';
import type { SqliteConnection } from '../sqlite/connect.ts';

/** What is kept of a walk: some of its pages may have held rows back. */
export interface PaginationRunRow extends PaginationRun {
  readonly heldBack?: boolean;
}

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
    heldBack: (series: number, access: AccessTag, walk: PaginationRun | null | undefined): boolean =>
      walk !== undefined && wasWithheld(read(series, access), walk),
    put: (series: number, access: AccessTag, { walk, heldBack }: { walk: PaginationRun; heldBack: boolean }) =>
      put.run(series, access, paginationRunText(walk, heldBack)),
    drop: (series: number, access: AccessTag) => remove.run(series, access),
  };
}

export function paginationRunOf({ heldBack: _, ...walk }: PaginationRunRow): PaginationRun {
  // JSON leaves undefined members out; the type says that they are there.
  return { ...walk, total: walk.total, lastKey: walk.lastKey };
}

/** Rows of earlier pages of this walk were held back. A page that belongs to no walk says nothing of one. */
export function wasWithheld(kept: PaginationRunRow | undefined, walk: PaginationRun | null | undefined): boolean {
  if (walk === undefined) return false;
  return kept?.heldBack === true && (walk === null || walk.startedAt === kept.startedAt);
}

export function paginationRunText(walk: PaginationRun, heldBack: boolean): string {
  return JSON.stringify({ ...walk, ...(heldBack && { heldBack }) });
}
