import type { Mapping } from '../mapping.ts';
import { EVENTS_KEPT } from '../release-event.ts';
import type { Range } from './coverage.ts';
import { addDays, BEGINNING, dateOf, LAST_SECOND } from './time.ts';

/** First date of lists that have no window. */
export const FIRST_DATE = '0000-01-01';

/** The range whose coverage says that a series is stored whole, at a moment in milliseconds. */
export function wholeRange({ sync }: Mapping, now: number): Range {
  switch (sync.kind) {
    case 'document':
    case 'snapshot':
      return { from: '', to: '' };
    case 'pages':
      return { from: FIRST_DATE, to: dateOf(now) };
    case 'window':
      return { from: 0, to: LAST_SECOND };
    case 'spans':
      return { from: 0, to: Math.floor(now / 1000) };
    case 'history':
      return { from: BEGINNING, to: addDays(dateOf(now), sync.aheadDays ?? 0) };
    case 'cursor':
      return { from: Math.floor(now / 1000) - EVENTS_KEPT, to: LAST_SECOND };
    case 'sequence':
      return { from: 0, to: LAST_SECOND };
  }
}
