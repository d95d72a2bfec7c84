import type { PaginationRun } from '../api/pagination-run.ts';

/** What is kept of a walk: some of its pages may have stored rows back. */
export interface PaginationRunRow extends PaginationRun {
  readonly heldBack?: boolean;
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
