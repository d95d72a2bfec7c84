import type { Derived, PageView } from '../../contract/hooks.ts';
import type { Coverage } from '../../contract/time/coverage.ts';

export interface SentimentChangesArgs {
  readonly after_sequence?: number | undefined;
  readonly limit: number;
}

/**
 * The changes behind a sequence, oldest first; the last one shown is where the next page begins. Section 9.17. No page leads
 * past changes that nobody asked for: what is stored behind them is shown, and the next page begins before them.
 */
export function deriveSentimentChanges({ args, rows, names, coverage }: PageView<SentimentChangesArgs>): Derived {
  const { after_sequence: after = 0, limit } = args;
  const sequences = (names ?? []).map(Number);
  const first = sequences.findIndex((sequence) => sequence > after);
  const start = first < 0 ? rows.length : first;
  const page = rows.slice(start, start + limit);
  const last = sequences[start + page.length - 1] ?? after;
  const reached = page.length > 0 ? last : after;
  const known = knownUntil(coverage, after);
  const isHeld = reached <= known;
  return {
    envelope: {
      pagination: {
        limit,
        after_sequence: after,
        returned_count: page.length,
        has_more: isHeld && start + page.length < rows.length,
        next_after_sequence: isHeld ? reached : Math.max(after, known),
      },
      ...(!isHeld && { gap: true }),
    },
    rows: page,
    total: rows.length - start,
    ...(!isHeld && { lacks: [{ from: '', to: '' }] }),
  };
}

/** Up to which sequence all changes behind another one are stored; less than that one where none are known. */
function knownUntil({ ranges }: Coverage, after: number): number {
  const range = ranges.find(({ from, to }) => Number(from) <= after + 1 && Number(to) >= after);
  return range ? Number(range.to) : -1;
}
