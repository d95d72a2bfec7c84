import { freshFor } from '../contract/endpoint.ts';
import { ENDPOINTS } from '../endpoints/index.ts';
import type { Mirror } from '../mirror/api/mirror.ts';
import type { Clock } from '../platform/platform.ts';
import { feedOf } from './feeds.ts';
import { isKeyMissing, type PlannedRequest } from './plan/step.ts';
import { surveyTargets } from './run.ts';
import { expandWords, type SyncTarget, targetName } from './series/select.ts';
import type { Asker } from './series/states.ts';

export interface OverviewOptions {
  readonly mirror: Mirror | undefined;
  readonly asker: Asker;
  readonly clock: Clock;
  /** Milliseconds after which a series is stale; as long as its answers stay fresh when left out. */
  readonly maxAge?: number | undefined;
}

/** How one selection stands in the mirror. */
export interface SelectionState {
  readonly selection: string;
  readonly targets: readonly SyncTarget[];
  /** How many series it means. */
  readonly series: number;
  /** How many of its series the mirror holds. */
  readonly storedCount: number;
  /** The oldest confirmation among its series, in milliseconds; undefined while none is stored. */
  readonly checkedAt: number | undefined;
  /** The oldest full read, or full check, among its series, in milliseconds; undefined where there was none. */
  readonly wholeAt: number | undefined;
  /** When the first of its series stops being fresh, in milliseconds; undefined while none is stored. */
  readonly freshUntil: number | undefined;
  /** How many of its series a run would ask for now. */
  readonly due: number;
  /** How many of its series were confirmed longer ago than they may be. */
  readonly stale: number;
  /** Ranges of history that are not covered yet. */
  readonly gaps: number;
  /** How many of its series the service gives to the holder of a key alone, while there is none. */
  readonly locked: number;
  /** How many of its series the service gives for the last 90 days alone, because there is no key. */
  readonly recent: number;
}

/** A feed is asked anew at any time; it counts as stale after this long. */
const FEED_AGE_MS = 3_600_000;

interface Selected {
  readonly selection: string;
  readonly targets: readonly SyncTarget[];
}

/** States of selections, as one plan without a request: each series and shared fact is read once. */
export async function overviewsOf(
  selections: readonly string[],
  options: OverviewOptions,
): Promise<readonly SelectionState[]> {
  const { mirror, asker, clock } = options;
  const named = new Map<string, SyncTarget>();
  const selected: Selected[] = [];
  for (const selection of selections) {
    const targets = await targetsOf(selection, options);
    selected.push({ selection, targets: targets.map((target) => onlyOne(named, target)) });
  }
  const surveyed = await surveyTargets({ clock, mirror, client: asker, targets: [...named.values()] });
  const statusOf = seriesStatus(surveyed, options);
  return selected.map(({ selection, targets }) => {
    const series = targets.map(statusOf);
    const checks = series.flatMap(({ checkedAt }) => checkedAt ?? []);
    const ends = series.flatMap(({ freshUntil }) => freshUntil ?? []);
    const wholes = series.flatMap(({ wholeAt }) => wholeAt ?? []);
    return {
      selection,
      targets,
      series: targets.length,
      storedCount: checks.length,
      checkedAt: checks.length > 0 ? Math.min(...checks) : undefined,
      wholeAt: wholes.length > 0 ? Math.min(...wholes) : undefined,
      freshUntil: ends.length > 0 ? Math.min(...ends) : undefined,
      due: series.filter(({ isDue }) => isDue).length,
      stale: series.filter(({ isStale }) => isStale).length,
      gaps: series.reduce((sum, { gaps }) => sum + gaps, 0),
      locked: series.filter(({ isLocked }) => isLocked).length,
      recent: series.filter(({ isLocked, isRecent }) => isRecent && !isLocked).length,
    };
  });
}

/** The target of this name that came first: selections may share series. */
function onlyOne(named: Map<string, SyncTarget>, target: SyncTarget): SyncTarget {
  const name = targetName(target);
  const first = named.get(name) ?? target;
  named.set(name, first);
  return first;
}

async function targetsOf(selection: string, { mirror, clock }: OverviewOptions): Promise<readonly SyncTarget[]> {
  const words = [selection];
  const { targets, catalogues } = await expandWords(words, { endpoints: ENDPOINTS, mirror, now: clock.now() });
  return [...catalogues, ...targets];
}

/** Makes what tells how one series stands. */
function seriesStatus(
  { states, planned }: Awaited<ReturnType<typeof surveyTargets>>,
  { asker, clock, maxAge }: OverviewOptions,
) {
  const now = clock.now();
  const times = new Map(states.map(({ target, checkedAt, check }) => [target, { checkedAt, wholeAt: check?.wholeAt }]));
  const due = new Set(planned.map(({ target }) => target));
  const locked = new Set(states.filter(isKeyMissing).map(({ target }) => target));
  const gaps = new Map<SyncTarget, number>();
  for (const { target } of planned.filter(isGap)) gaps.set(target, (gaps.get(target) ?? 0) + 1);
  return (target: SyncTarget) => {
    const { endpoint } = target;
    const { checkedAt, wholeAt } = times.get(target) ?? {};
    const fresh = freshFor(endpoint, now) * 1000;
    // Series that a feed announces get no step of their own before the feed has been read.
    const isOld = feedOf(endpoint) !== undefined && now - (checkedAt ?? 0) > fresh;
    return {
      checkedAt,
      wholeAt,
      freshUntil: checkedAt !== undefined && fresh > 0 ? checkedAt + fresh : undefined,
      isDue: isOld || due.has(target),
      isStale: checkedAt !== undefined && now - checkedAt > (maxAge ?? (fresh || FEED_AGE_MS)),
      gaps: gaps.get(target) ?? 0,
      isLocked: locked.has(target),
      isRecent: asker.service !== '' && asker.access === 'keyless' && endpoint.access.window === true,
    };
  };
}

const isGap = ({ reason }: PlannedRequest) => reason === 'gap' || reason === 'backfill';
