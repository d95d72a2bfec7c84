import { MacroError } from '../../errors.ts';
import type { Step } from '../plan/step.ts';
import { type DateWindow, uncovered } from '../plan/windows.ts';
import { currentSeries, type Pages, storedSeries, type Work } from '../work.ts';
import { keepsPosition, walkWindow } from './walk.ts';

/** A result that moves under a walk is walked again, so often. */
const RESTARTS = 3;

/**
 * One window of a history, page by page. A walk that an earlier run left open is finished from where it stopped; of a window
 * that lies behind the head only what is not proven is walked. Every page is committed with the position behind it, the
 * last one with the proof. A result that moved is walked again from its newest row.
 */
export async function* syncHistory(work: Work, step: Step): Pages {
  const window = { from: String(step.window?.from), to: String(step.window?.to) };
  if (step.resumes) return yield* walkUntilProven(work, window, step);
  const isBehind = step.reason === 'gap' || step.reason === 'backfill';
  for (const part of isBehind ? await missing(work, window) : [window]) yield* walkUntilProven(work, part, step);
}

async function* walkUntilProven(work: Work, window: DateWindow, step: Step): Pages {
  let resumed = step.resumes && (await work.mirror.paginationRun(await currentSeries(work), work.access));
  for (let attempt = 1; ; attempt += 1) {
    try {
      return yield* walkWindow(work, window, step, resumed);
    } catch (error) {
      await work.batch.settle();
      if (!(error instanceof MacroError) || error.kind !== 'incomplete') throw error;
      if (keepsPosition(step)) await work.mirror.dropWalk(await currentSeries(work), work.access);
      if (attempt === RESTARTS) throw error;
      resumed = undefined;
    }
  }
}

/** The stretches of a window that are not proven, newest first. */
async function missing(work: Work, within: DateWindow): Promise<readonly DateWindow[]> {
  const stored = await storedSeries(work);
  return uncovered(stored ? await work.mirror.proofs(stored, work.access) : [], within);
}
