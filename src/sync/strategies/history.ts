import { dateOf } from '../../contract/time.ts';
import { MacroError } from '../../errors.ts';
import type { Walk } from '../../mirror/mirror.ts';
import { seriesOf } from '../../source/question.ts';
import { type DateWindow, planHistory } from '../plan.ts';
import { currentSeries, type Work } from '../work.ts';
import { walkWindow } from './walk.ts';

/** A result that moves under a walk is walked again, so often. */
const RESTARTS = 3;

/**
 * Full history by closed windows, then the head. Walk: finish the window that a killed run left open; plan what is not
 * proven; walk each window page by page. Every page is committed with the position behind it, the last one with the proof.
 */
export async function syncHistory(work: Work): Promise<void> {
  const open = await openWalk(work);
  if (open) await walkUntilProven(work, { from: String(open.from), to: String(open.to) }, open);
  for (const window of await plan(work)) await walkUntilProven(work, window);
}

async function plan(work: Work): Promise<readonly DateWindow[]> {
  const { target, mirror, access, clock } = work;
  const origin = (await currentSeries(work)).origin;
  const held = (await mirror.find(seriesOf(target.endpoint, target.args))).find((series) => series.origin === origin);
  const proofs = held ? await mirror.proofs(held, access) : [];
  return planHistory({ endpoint: target.endpoint, access, proofs, today: dateOf(clock.now()) });
}

async function openWalk(work: Work): Promise<Walk | undefined> {
  return work.mirror.walk(await currentSeries(work), work.access);
}

async function walkUntilProven(work: Work, window: DateWindow, resumed?: Walk): Promise<void> {
  let from = resumed;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await walkWindow(work, window, from);
    } catch (error) {
      if (!(error instanceof MacroError) || error.kind !== 'incomplete') throw error;
      await work.mirror.dropWalk(await currentSeries(work), work.access);
      if (attempt === RESTARTS) throw error;
      from = undefined;
    }
  }
}
