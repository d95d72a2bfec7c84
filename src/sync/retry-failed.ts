import type { Clock } from '../platform/platform.ts';
import { advance, drain, pagesOf, readFeed } from './make-step.ts';
import { phaseOf, type Step } from './plan/step.ts';
import type { RunLedger } from './run-ledger.ts';
import type { SyncTarget } from './series/target.ts';
import type { Pages } from './work.ts';

/** Milliseconds that all tries at the end of a run take together without an answer. */
const BUDGET_MS = 30_000;

/**
 * Tries the series once more that failed, and goes on with those that were slow, when all others are done. A series that is
 * answered by now is brought to its end, however long that takes; the others get one budget together.
 */
export async function retryFailed(
  ledger: RunLedger,
  clock: Pick<Clock, 'now' | 'alarm'>,
  plan: (target: SyncTarget) => Promise<readonly Step[]>,
): Promise<void> {
  const targets = ledger.unfinished();
  if (targets.length === 0 || ledger.isOver()) return;
  const done = new AbortController();
  // What is waited for already has had a part of its time: the run ends no later than that request would.
  const begun = ledger.awaitedSince() ?? clock.now();
  const budget = clock.alarm(Math.max(0, begun + BUDGET_MS - clock.now()), done.signal);
  budget.then(ledger.giveUp, () => undefined);
  try {
    for (const target of targets) {
      if (ledger.isOver()) return;
      const stages = await ledger.stagesLeft(target);
      if (stages.size > 0) await bringOne(ledger, target, stepsAgain(await plan(target), stages));
    }
  } finally {
    done.abort();
  }
}

/** The steps that are to be made again: a head that this run has brought is not among them. */
function stepsAgain(planned: readonly Step[], stages: ReadonlySet<number>): readonly Step[] {
  return planned.filter((step) => phaseOf(step) > 1 || stages.has(phaseOf(step)));
}

async function bringOne(ledger: RunLedger, target: SyncTarget, steps: readonly Step[]): Promise<void> {
  // Nothing of what failed was made: without a step for it the failure stands.
  if (steps.length === 0) return;
  const begun = new Map<SyncTarget, Pages>();
  ledger.beginAgain(target, steps);
  for (const step of steps)
    await ledger.attempt(step, (work) => {
      if (phaseOf(step) === 0) return readFeed(work, step);
      if (phaseOf(step) < 3) return advance(work, step, begun);
      return drain(begun.get(step.target) ?? pagesOf(work, step));
    });
}
