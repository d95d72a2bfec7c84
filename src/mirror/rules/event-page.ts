import type { Via } from '../api/journal.ts';
import type { EventsCommit, NewRow } from '../api/page-commit.ts';
import type { AccessTag, DataKind } from '../api/series.ts';

/** Release events that arrive outside of a walk over the list of changes. */
export interface ArrivedEvents {
  readonly origin: string;
  readonly nature: DataKind;
  readonly access: AccessTag;
  readonly via: Via;
  readonly rows: readonly NewRow[];
  /** Milliseconds. */
  readonly at: number;
}

/** One commit that has their rows of changes, their places in the journal, the way they came and the series that they name. */
export function eventPage({ origin, nature, access, via, rows, at }: ArrivedEvents): EventsCommit {
  return {
    series: { origin, endpoint: 'announcements_changes', scope: {} },
    nature,
    access,
    request: `${via} event`,
    question: `announcements_changes by ${via}`,
    rows,
    extent: 'adds',
    arrived: { via },
    at,
  };
}
