import { pagesOf } from './make-step.ts';
import type { Step } from './plan/step.ts';
import { GOES_ON, type RunLedger } from './run-ledger.ts';
import type { SyncTarget } from './series/target.ts';
import type { Pages } from './work.ts';

interface Backfill {
  readonly step: Step;
  /** Year that is reached. */
  year: string;
  pages: Pages | undefined;
}

/** Pages of whichever series has come least far back, so that the newest years of all are there first. */
export async function backfill(
  ledger: RunLedger,
  steps: readonly Step[],
  begun: ReadonlyMap<SyncTarget, Pages>,
): Promise<void> {
  const open = steps.map((step): Backfill => ({ step, year: '9999', pages: begun.get(step.target) }));
  while (!ledger.isOver()) {
    const next = leastFarBack(open);
    if (!next) return;
    const isDone = await ledger.attempt(next.step, async (work) => {
      next.pages ??= pagesOf(work, next.step);
      while (leastFarBack(open) === next) {
        const page = await next.pages.next();
        if (page.done) return undefined;
        next.year = page.value?.slice(0, 4) ?? next.year;
      }
      return GOES_ON;
    });
    if (isDone) open.splice(open.indexOf(next), 1);
  }
}

function leastFarBack(open: readonly Backfill[]): Backfill | undefined {
  let least: Backfill | undefined;
  for (const one of open) if (!least || one.year > least.year) least = one;
  return least;
}
