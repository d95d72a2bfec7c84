import type { PaginationRun } from '../../mirror/api/pagination-run.ts';
import type { Work } from '../work.ts';

/** A run over the pages of a question that begins now. */
export function freshRun(
  { clock }: Work,
  start: Pick<PaginationRun, 'question' | 'from' | 'to' | 'next'>,
): PaginationRun {
  return { ...start, total: undefined, seen: 0, lastKey: undefined, seams: [], startedAt: clock.now() };
}
