import { commitOfAnswer } from '../../source/kept/write-through.ts';
import { scheduleStart } from '../plan/single.ts';
import type { Step } from '../plan/step.ts';
import { askChanged, commit, type Pages, received, type Work } from '../work.ts';

/**
 * One request gives a document, whose missing rows are gone; a snapshot, which says nothing of earlier ones; or a schedule
 * with an open end, of which a row that is not listed any more has been called off.
 */
export async function* syncSingle(work: Work, step: Step): Pages {
  const { target, clock } = work;
  const from = target.endpoint.mirror?.window?.from ?? 'start_date';
  const args = step.window ? { ...target.args, [from]: scheduleStart(clock.now()) } : target.args;
  const reply = await askChanged(work, args);
  if (reply) await commit(work, commitOfAnswer(received(work, args, reply)));
  work.onPage({ seen: 1, total: 1 });
  yield undefined;
}
