import { readJson } from '../../contract/json/json.ts';
import type { Connection } from '../sqlite/connect.ts';
import type { AccessTag, Walk } from '../api/mirror.ts';

/** What is kept of a walk: some of its pages may have held rows back. */
export interface KeptWalk extends Walk {
  readonly heldBack?: boolean;
}

/** The unfinished walks, one a series and access. */
export function walkStatements(db: Connection) {
  const select = db.prepare<unknown[], string>('select walk from walks where series = ? and access = ?').pluck();
  const put = db.prepare('insert or replace into walks (series, access, walk) values (?, ?, ?)');
  const remove = db.prepare('delete from walks where series = ? and access = ?');
  const read = (series: number, access: AccessTag): KeptWalk | undefined => {
    const text = select.get(series, access);
    return text === undefined ? undefined : readJson(text);
  };
  return {
    get(series: number, access: AccessTag): Walk | undefined {
      const kept = read(series, access);
      return kept && walkOf(kept);
    },
    heldBack: (series: number, access: AccessTag, walk: Walk | null | undefined): boolean =>
      walk !== undefined && wasHeldBack(read(series, access), walk),
    put: (series: number, access: AccessTag, { walk, heldBack }: { walk: Walk; heldBack: boolean }) =>
      put.run(series, access, walkText(walk, heldBack)),
    drop: (series: number, access: AccessTag) => remove.run(series, access),
  };
}

export function walkOf({ heldBack: _, ...walk }: KeptWalk): Walk {
  // JSON leaves undefined members out; the type says that they are there.
  return { ...walk, total: walk.total, lastKey: walk.lastKey };
}

/** Rows of earlier pages of this walk were held back. A page that belongs to no walk says nothing of one. */
export function wasHeldBack(kept: KeptWalk | undefined, walk: Walk | null | undefined): boolean {
  if (walk === undefined) return false;
  return kept?.heldBack === true && (walk === null || walk.startedAt === kept.startedAt);
}

export function walkText(walk: Walk, heldBack: boolean): string {
  return JSON.stringify({ ...walk, ...(heldBack && { heldBack }) });
}
