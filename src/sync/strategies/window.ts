import { addDays, dateOf } from '../../contract/time.ts';
import { commitOf } from '../../source/write-through.ts';
import { askChanged, commit, received, type Work } from '../work.ts';

/** Days before today that a schedule is asked again: releases move and are confirmed until after their day. */
const LOOKBACK_DAYS = 7;

/** One request gives an open-ended window; a row inside of it that is not listed any more has been called off. */
export async function syncWindow(work: Work): Promise<void> {
  const { target, clock } = work;
  const from = target.endpoint.mirror?.window?.from ?? 'start_date';
  const args = { ...target.args, [from]: addDays(dateOf(clock.now()), -LOOKBACK_DAYS) };
  const reply = await askChanged(work, args);
  if (reply) await commit(work, commitOf(received(work, args, reply)));
  work.onPage({ seen: 1, total: 1 });
}
