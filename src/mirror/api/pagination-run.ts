import type { KeyValue } from './rows.ts';

/** An unfinished walk over a closed window. */
export interface PaginationRun {
  readonly question: string;
  readonly from: KeyValue;
  readonly to: KeyValue;
  /** Offset or cursor of the next page. */
  readonly next: string;
  /** Total that every page must repeat; undefined where the service gives none. */
  readonly total: number | undefined;
  readonly seen: number;
  /** The service's version of the data behind the pages; a resumed walk is pinned to it. */
  readonly version?: string;
  /** Key of the last row committed, for contiguity. */
  readonly lastKey: readonly KeyValue[] | undefined;
  /** Key intervals between neighbouring pages: rows stored inside of them have vanished, once the walk is proven. */
  readonly seams: readonly (readonly [readonly KeyValue[], readonly KeyValue[]])[];
  readonly startedAt: number;
}
