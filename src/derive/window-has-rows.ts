import type { PageView } from '../contract/hooks.ts';
import { isCovered } from '../contract/time/coverage.ts';
import { BEGINNING, dateOf } from '../contract/time/time.ts';

interface WindowArgs {
  readonly start_date?: string | undefined;
  readonly end_date?: string | undefined;
}

/** Whether the asked window has a row; undefined where none is stored and one may exist. */
export async function hasRows<A extends WindowArgs>(view: PageView<A>): Promise<boolean | undefined> {
  if ((await view.window()).length > 0) return true;
  const { args, coverage, now } = view;
  const today = dateOf(now * 1000);
  const { start_date: from = BEGINNING, end_date: to = today } = args;
  return isCovered(coverage, { from, to: to < today ? to : today }) ? false : undefined;
}
