import { freshFor } from '../contract/endpoint.ts';
import { ENDPOINTS } from '../endpoints/index.ts';
import type { Mirror } from '../mirror/api/mirror.ts';
import type { Clock } from '../platform/platform.ts';
import { seriesOfQuestion } from '../source/question.ts';
import { feedOf } from './feeds.ts';
import type { PlannedRequest } from './plan/step.ts';
import { planTargets } from './run.ts';
import { expandWords } from './series/expand.ts';
import type { Asker } from './series/states.ts';
import { type SyncTarget, targetName } from './series/target.ts';

export interface OverviewOptions {
  readonly mirror: Mirror | undefined;
  readonly asker: Asker;
  readonly clock: Clock;
  /** Milliseconds after which a series is stale; as long as its answers stay fresh when left out. */
  readonly maxAge?: number;
}

/** How one selection stands in the mirror. */
export interface SelectionState {
  readonly selection: string;
  readonly targets: readonly SyncTarget[];
  /** How many of its series the mirror holds. */
  readonly held: number;
  /** When the one that was confirmed longest ago was, in milliseconds; undefined while none is stored. */
  readonly checkedAt: number | undefined;
  /** How many of its series a run would ask for now. */
  readonly due: number;
  /** How many of its series were confirmed longer ago than they may be. */
  readonly stale: number;
  /** Stretches of history that are not proven yet. */
  readonly gaps: number;
}

/** A feed is asked anew at any time; it counts as stale after this long. */
const FEED_AGE_MS = 3_600_000;

/** Reads how a selection stands, as the plan of a run sees it. Nobody is contacted. */
export async function overviewOf(selection: string, options: OverviewOptions): Promise<SelectionState> {
  const { mirror, asker, clock } = options;
  const { targets, catalogues } = await expandWords([selection], { endpoints: ENDPOINTS, mirror, now: clock.now() });
  const all = [...catalogues, ...targets];
  const planned = await planTargets({ clock, mirror, client: asker, targets: all });
  const now = clock.now();
  const times = await Promise.all(all.map((target) => checkedAt(mirror, target)));
  const checks = times.filter((at) => at !== undefined);
  const names = new Set(all.map(targetName));
  const own = planned.filter(({ target }) => names.has(targetName(target)));
  const due = new Set(own.map(({ target }) => targetName(target)));
  // Of what a feed announces no step of its own is planned before the feed has been read.
  all.forEach((target, i) => {
    if (feedOf(target.endpoint) && now - (times[i] ?? 0) > freshFor(target.endpoint, now) * 1000)
      due.add(targetName(target));
  });
  const isStale = ({ endpoint }: SyncTarget, i: number) => {
    const most = options.maxAge ?? (freshFor(endpoint, now) * 1000 || FEED_AGE_MS);
    return times[i] !== undefined && now - times[i] > most;
  };
  return {
    selection,
    targets: all,
    held: checks.length,
    checkedAt: checks.length > 0 ? Math.min(...checks) : undefined,
    due: due.size,
    stale: all.filter(isStale).length,
    gaps: own.filter(isGap).length,
  };
}

const isGap = ({ reason }: PlannedRequest) => reason === 'gap' || reason === 'backfill';

async function checkedAt(mirror: Mirror | undefined, { endpoint, args }: SyncTarget): Promise<number | undefined> {
  const stored = (await mirror?.find(seriesOfQuestion(endpoint, args))) ?? [];
  return stored.length > 0 ? Math.max(...stored.map((series) => series.checkedAt)) : undefined;
}
