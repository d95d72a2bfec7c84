import type { Client } from '../client/client.ts';
import type { SyncStrategy } from '../contract/mapping.ts';
import { MacroError } from '../errors.ts';
import type { Mirror } from '../mirror/mirror.ts';
import type { Clock } from '../platform/platform.ts';
import { accessOf } from '../source/write-through.ts';
import { feedOf, followersOf, impliedFeeds } from './feeds.ts';
import { planSync } from './plan/plan.ts';
import type { PlanTime, SeriesState } from './plan/state.ts';
import { type PlannedRequest, type Step, stageOf } from './plan/step.ts';
import type { SyncReport } from './report.ts';
import { createLedger, GOES_ON, type RunLedger } from './run-ledger.ts';
import { type Asker, readFollows, readStates, unfollowed } from './states.ts';
import { syncCursor } from './strategies/cursor.ts';
import { syncHistory } from './strategies/history.ts';
import { syncPages } from './strategies/pages.ts';
import { syncSequence } from './strategies/sequence.ts';
import { syncSingle } from './strategies/single.ts';
import { syncSpans } from './strategies/spans.ts';
import { type SyncTarget, targetName } from './target.ts';
import type { Pages, Strategy, Work } from './work.ts';

const STRATEGIES: Readonly<Record<SyncStrategy['kind'], Strategy>> = {
  document: syncSingle,
  snapshot: syncSingle,
  window: syncSingle,
  history: syncHistory,
  pages: syncPages,
  sequence: syncSequence,
  spans: syncSpans,
  cursor: syncCursor,
};

export interface SyncProgress {
  readonly name: string;
  /** Position of this series in the run, from 1. */
  readonly index: number;
  readonly of: number;
  readonly seen: number;
  readonly total: number | undefined;
}

export interface SyncOptions extends Omit<PlanTime, 'now'> {
  readonly client: Client;
  readonly mirror: Mirror;
  readonly clock: Clock;
  readonly targets: readonly SyncTarget[];
  readonly onProgress?: (progress: SyncProgress) => void;
  readonly signal?: AbortSignal;
}

/** What a run of these targets would ask for, without asking. */
export async function planTargets(
  options: Pick<SyncOptions, 'clock' | 'targets' | 'maxAge' | 'check'> & Known,
): Promise<readonly PlannedRequest[]> {
  return planStates(options, await statesOf(options));
}

/**
 * Brings every target up to date. Walk: plan; read the feeds, which may name series; plan again what they named; then stage
 * by stage every head, every gap, every backfill, the newest years of all series first. A series that fails is reported and
 * the others go on, unless its error would meet them all. What is committed stays: the next run continues from there.
 */
export async function runSync(options: SyncOptions): Promise<SyncReport> {
  const ledger = createLedger(options);
  const states = await statesOf(options);
  const feeds = (await planStates(options, states)).filter((step) => stageOf(step) === 0);
  const unread = new Set(feeds.map(({ target }) => target.endpoint.id));
  for (const step of feeds)
    await ledger.attempt(step, async (work) => {
      await readFeed(options, work, step);
      unread.delete(step.target.endpoint.id);
    });
  const told = await readFollows(options.mirror, states);
  const known = told.map((state) =>
    unread.has(feedOf(state.target.endpoint)?.endpoint ?? '') ? unfollowed(state) : state,
  );
  const rest = (await planStates(options, known)).filter((step) => stageOf(step) > 0);
  ledger.expect(rest);
  const begun = new Map<SyncTarget, Pages>();
  for (const step of rest) if (stageOf(step) < 3) await ledger.attempt(step, (work) => advance(work, step, begun));
  const last = rest.filter((step) => stageOf(step) === 3);
  await backfill(ledger, last, begun);
  return ledger.report();
}

/** Who would be asked, and what is held; nothing while there is no mirror. */
interface Known {
  readonly client: Asker;
  readonly mirror: Mirror | undefined;
}

async function statesOf(options: Pick<SyncOptions, 'targets'> & Known): Promise<readonly SeriesState[]> {
  const { mirror, client, targets } = options;
  return readStates(mirror, client, [...impliedFeeds(targets), ...targets]);
}

async function planStates(
  options: Pick<SyncOptions, 'clock' | 'targets' | 'maxAge' | 'check'>,
  states: readonly SeriesState[],
): Promise<readonly PlannedRequest[]> {
  const { clock, targets, maxAge, check } = options;
  const time = { now: clock.now(), ...(maxAge !== undefined && { maxAge }), ...(check && { check }) };
  const planned = await planSync(states, time);
  const wanted = new Set(targets);
  return planned.map((step) => (wanted.has(step.target) ? step : { ...step, implied: true }));
}

function pagesOf(work: Work, step: Step) {
  const kind = step.target.endpoint.mirror?.sync.kind;
  if (kind === undefined)
    throw new MacroError('usage', `${targetName(step.target)} is not kept in a mirror.`, {
      hint: 'Ask it with --live.',
    });
  return STRATEGIES[kind](work, step);
}

async function drain(pages: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of pages);
}

/** Makes a step; where the backfill goes on from its newest page, that page only. */
async function advance(work: Work, step: Step, begun: Map<SyncTarget, Pages>): Promise<void> {
  const pages = pagesOf(work, step);
  if (!step.firstPage || step.target.endpoint.mirror?.sync.kind !== 'history') return drain(pages);
  if (!(await pages.next()).done) begun.set(step.target, pages);
}

/** Reads a feed to its end; what it did not name of the series that follow it is then known to be as it was. */
async function readFeed({ mirror, client }: SyncOptions, work: Work, step: Step): Promise<void> {
  await drain(pagesOf(work, step));
  const { until } = work.feed;
  if (until === undefined) return;
  for (const endpoint of followersOf(step.target.endpoint))
    await mirror.confirmFollowed(endpoint.id, accessOf(endpoint, client.access), until);
}

/** Pages of whichever series has come least far back, so that the newest years of all are there first. */
async function backfill(
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

interface Backfill {
  readonly step: Step;
  /** Year that is reached. */
  year: string;
  pages: Pages | undefined;
}
