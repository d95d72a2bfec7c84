import type { Derived, PageView } from '../../contract/hooks.ts';

export interface SentimentChangesArgs {
  readonly after_sequence?: number | undefined;
  readonly limit: number;
}

/** The changes behind a sequence, oldest first; the last one shown is where the next page begins. Section 9.17. */
export function deriveSentimentChanges({ args, rows, names }: PageView<SentimentChangesArgs>): Derived {
  const { after_sequence: after = 0, limit } = args;
  const sequences = (names ?? []).map(Number);
  const first = sequences.findIndex((sequence) => sequence > after);
  const start = first < 0 ? rows.length : first;
  const page = rows.slice(start, start + limit);
  return {
    envelope: {
      pagination: {
        limit,
        after_sequence: after,
        returned_count: page.length,
        has_more: start + page.length < rows.length,
        next_after_sequence: page.length > 0 ? sequences[start + page.length - 1] : after,
      },
    },
    rows: page,
    total: rows.length - start,
  };
}
