import { planHistorySteps } from './history.ts';
import { planPageSteps } from './pages.ts';
import { priceStep } from './price.ts';
import { planSingleStep } from './single.ts';
import { planSpanSteps } from './spans.ts';
import type { PlanTime, SeriesState } from './state.ts';
import { type PlannedRequest, phaseOf, type Step } from './step.ts';

/**
 * What a run asks for, in order. Walk: the steps of each series follow from its strategy; then, across all series, the
 * feeds come first, since they spare asking the series that they do not name, then every head, every gap, every backfill.
 * Nothing is contacted and nothing is written; the run executes this very list.
 */
export async function planSync(states: readonly SeriesState[], time: PlanTime): Promise<readonly PlannedRequest[]> {
  const planned: PlannedRequest[] = [];
  for (const state of states)
    for (const step of await planSeries(state, time)) planned.push(await priceStep(step, state));
  return planned.sort((a, b) => phaseOf(a) - phaseOf(b));
}

/** The steps of one series; none when nothing of it is due. */
async function planSeries(state: SeriesState, time: PlanTime): Promise<readonly Step[]> {
  const { target } = state;
  switch (target.endpoint.mirror?.sync.kind) {
    case 'history':
      return planHistorySteps(state, time);
    case 'spans':
      return planSpanSteps(state, time);
    case 'pages':
      return planPageSteps(state, time);
    case 'cursor':
    case 'sequence':
      return [{ target, reason: 'changes', why: state.id === undefined ? 'from now on' : 'what has happened since' }];
    default:
      return planSingleStep(state, time);
  }
}
