import { type ErrorKind, MacroError } from '../errors.ts';
import type { Mirror } from '../mirror/api/mirror.ts';
import type { CommitReport, PageCommit } from '../mirror/api/page-commit.ts';
import { inBatches } from '../mirror/rules/in-batches.ts';
import type { Clock } from '../platform/platform.ts';

/** Pages of one series on their way into the mirror. */
export interface PageBatch {
  /** Takes a page. Throws the error of an earlier page of the series, if one failed. */
  add(page: PageCommit): Promise<void>;
  /** Resolves when all that were added are committed. */
  settle(): Promise<void>;
}

/** The pages of all series of a run on their way into the mirror. */
export interface PageBatches {
  /** Begins with a series. `onCommit` is called with the report of each page that is committed. */
  open(onCommit: (report: CommitReport) => void): PageBatch;
  /** Resolves when nothing is on its way any more, whatever became of it. */
  settle(): Promise<void>;
}

export interface BatchParts {
  readonly mirror: Pick<Mirror, 'commitPages'>;
  readonly clock: Pick<Clock, 'turnEnd'>;
}

/** Pages of a run that are stored at a time, and that one transaction takes. */
const MAX_PAGES = 16;

/** Errors that the next page would meet as well. */
const OF_ALL: ReadonlySet<ErrorKind> = new Set(['mirror', 'busy']);

interface Waiting {
  readonly page: PageCommit;
  readonly series: Batched;
}

/** The state of a series whose pages are batched. */
interface Batched {
  failure?: { readonly error: unknown };
}

/**
 * Commits pages in order, those of a turn in one transaction. Behind a page that failed nothing of its series is
 * committed: later positions say that it is stored.
 */
export function pageBatches({ mirror, clock }: BatchParts): PageBatches {
  let open = 0;
  let newest: Promise<unknown> = Promise.resolve();

  const commit = inBatches({
    clock,
    async work(batch: readonly Waiting[]) {
      for (const { series } of batch) requireWhole(series);
      try {
        return await mirror.commitPages(batch.map(({ page }) => page));
      } catch (error) {
        const [only] = batch;
        if (only && batch.length === 1) only.series.failure = { error };
        throw error;
      }
    },
    isOfOne: (error) => !(error instanceof MacroError && OF_ALL.has(error.kind)),
  });

  const settle = () => newest.then(...WHATEVER);

  return {
    settle,
    open(onCommit) {
      const series: Batched = {};
      let last: Promise<unknown> = Promise.resolve();
      return {
        settle: async () => void (await last),
        async add(page) {
          requireWhole(series);
          open += 1;
          last = commit({ page, series }).then(
            (report) => {
              open -= 1;
              if (report) onCommit(report);
            },
            (error) => {
              open -= 1;
              series.failure ??= { error };
              throw error;
            },
          );
          newest = last;
          // The next caller that adds or settles gets the failure.
          last.catch(() => undefined);
          if (open < MAX_PAGES) return;
          await settle();
          requireWhole(series);
        },
      };
    },
  };
}

const nothing = () => undefined;
const WHATEVER = [nothing, nothing] as const;

/** @throws the error of an earlier page of the series, if one failed */
function requireWhole({ failure }: Batched): void {
  if (failure) throw failure.error;
}
