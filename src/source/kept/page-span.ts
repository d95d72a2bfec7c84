import { addDays, isCalendarDate } from '../../contract/time/time.ts';
import type { SkippedRows } from '../../mirror/api/series.ts';

interface PagePlaced {
  /** The asked window. */
  readonly from: string;
  readonly to: string;
  readonly offset: number;
  /** No row of the window follows. */
  readonly isLast: boolean;
  /** Several rows may share a date: those of an outermost one may go on beside the page. */
  readonly isShared: boolean;
  readonly order: 'newest' | 'oldest';
}

/** A window of dates and how many rows of the asked one come before it. */
interface PageSpan {
  readonly from: string;
  readonly to: string;
  readonly skipped?: SkippedRows;
}

/** The window of which a page with these dates, in the order of the answer, shows every row; undefined when there is none. */
export function spanOfPage(dates: readonly string[], page: PagePlaced): PageSpan | undefined {
  const [first, last] = [dates.at(0), dates.at(-1)];
  if (first === undefined || last === undefined || !dates.every(isCalendarDate)) return undefined;
  const isNewestFirst = page.order === 'newest';
  if (first !== last && first > last !== isNewestFirst) return undefined;
  const inward = (date: string, days: number) => (page.isShared ? addDays(date, days) : date);
  const way = isNewestFirst ? -1 : 1;
  const [front, back] = isNewestFirst ? [page.to, page.from] : [page.from, page.to];
  const begin = page.offset === 0 ? front : inward(first, way);
  const end = page.isLast ? back : inward(last, -way);
  const [from, to] = isNewestFirst ? [end, begin] : [begin, end];
  if (from > to) return undefined;
  if (page.offset === 0) return { from, to };
  const beside = page.isShared ? dates.filter((date) => date === first).length : 0;
  return { from, to, skipped: { rows: page.offset + beside, front, beside } };
}
