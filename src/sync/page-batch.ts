import type { CommitReport, Mirror, PageCommit } from '../mirror/api/mirror.ts';
import { inBatches } from '../mirror/core/in-batches.ts';
import type { Clock } from '../platform/platform.ts';

/** Pages of a walk on their way into the mirror. */
export interface PageBatch {
  /** Takes a page. Throws what kept an earlier one out. */
  add(page: PageCommit): Promise<void>;
  /** Resolves when all that were added are committed. */
  settle(): Promise<void>;
}

export interface BatchParts {
  readonly mirror: Pick<Mirror, 'commitPages'>;
  readonly clock: Pick<Clock, 'turnEnd'>;
  readonly onCommit: (reports: readonly CommitReport[]) => void;
}

/** Pages that are stored at a time, and that one transaction takes. */
const MAX_PAGES = 8;

/**
 * Commits pages in their order. Those that come in the same turn share a transaction; none waits for an answer that is still
 * on its way. Once pages could not be committed none behind them is: their positions and proofs say that the ones before
 * are stored.
 */
export function pageBatch({ mirror, clock, onCommit }: BatchParts): PageBatch {
  let failure: { readonly error: unknown } | undefined;
  let open = 0;
  let last: Promise<unknown> = Promise.resolve();

  const commit = inBatches({
    clock,
    async work(pages: readonly PageCommit[]) {
      open -= pages.length;
      if (failure) throw failure.error;
      try {
        onCommit(await mirror.commitPages(pages));
      } catch (error) {
        failure = { error };
        throw error;
      }
      return [];
    },
  });
  const settle = async () => void (await last);

  return {
    settle,
    async add(page) {
      if (failure) throw failure.error;
      open += 1;
      last = commit(page);
      // Whoever adds or settles next is told of a failure.
      last.catch(() => undefined);
      if (open >= MAX_PAGES) await settle();
    },
  };
}
