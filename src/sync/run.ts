import { dateOf } from '../contract/time/time.ts';
import { MacroError } from '../errors.ts';
import type { Mirror, RunEnd, SyncLock } from '../mirror/api/mirror.ts';
import { SYNC_RUNNING } from '../mirror/rules/failures.ts';
import type { Clock } from '../platform/platform.ts';
import { accessOf } from '../source/stored/answer-commit.ts';
import { feedOf, followersOf, impliedFeeds } from './feeds.ts';
import { planSync } from './plan/plan.ts';
import { type PlannedRequest, phaseOf, type SeriesState, type Step } from './plan/step.ts';
import type { SyncReport } from './report.ts';
import { createRunState, GOES_ON, type RunState } from './run-state.ts';
import { type SyncTarget, targetName } from './series/select.ts';
import { type Asker, foreseenStates, readFollowStates, readStates, withoutFollowers } from './series/states.ts';
import { pagesOf } from './strategies.ts';
import type { Pages, SyncOptions, Work } from './work.ts';

type Planning = Pick<SyncOptions, 'clock' | 'targets' | 'maxAge' | 'check' | 'full'> & Known;

/** Events that are looked at: they come nearly in the order of their time. */
const NEWEST = 100;

interface Backfill {
  readonly step: Step;
  /** Year that is reached. */
  year: string;
  pages: Pages | undefined;
}

/** Milliseconds that all tries at the end of a run take together without an answer. */
const BUDGET_MS = 30_000;

/** Milliseconds between two looks at a lock that another sync has. */
const LOCK_LOOK_MS = 500;

/** Runs that are looked at for series that failed. */
const RUNS = 200;

interface SessionOptions {
  readonly mirror: Mirror;
  readonly clock: Clock;
  /** Who runs it, for whoever finds the lock taken. */
  readonly holder: string;
  /** The selections of the run, as typed. */
  readonly words: string;
  /** How long a sync of another program is waited for; not at all when left out. */
  readonly wait?: LockWait;
}

interface LockWait {
  /** Milliseconds. */
  readonly patience: number;
  readonly signal: AbortSignal;
  /** Called once, when the wait begins. */
  readonly onWait: (why: MacroError) => Promise<void>;
}

/** The requests of a run of these targets, without sending them, and the facts of the mirror about each. */
export async function surveyTargets(options: Planning): Promise<{
  readonly states: readonly SeriesState[];
  readonly planned: readonly PlannedRequest[];
}> {
  const states = await foreseenStates(await statesOf(options));
  return { states, planned: await planStates(options, states) };
}

/**
 * Updates targets: plan, feeds, series named by feeds, then heads, gaps and backfills, and failures once more. Failed
 * or slow series do not delay others; the next run continues.
 */
export async function runSync(options: SyncOptions): Promise<SyncReport> {
  const state = createRunState(options);
  try {
    const states = await statesOf(options);
    const planned = await planStates(options, states);
    const feeds = planned.filter((step) => !isAfterFeeds(step));
    const unread = await readFeeds(state, feeds);
    const again = feeds.length === 0 ? planned : await planStates(options, await followed(options, states, unread));
    const rest = again.filter(isAfterFeeds);
    state.expect(rest, 'whole');
    const begun = new Map<SyncTarget, Pages>();
    for (const step of rest) if (phaseOf(step) < 3) await state.attempt(step, (work) => advance(work, step, begun));
    const last = rest.filter((step) => phaseOf(step) === 3);
    await backfill(state, last, begun);
    const { mirror, client, clock } = options;
    const planAgain = async (target: SyncTarget) =>
      planStates(options, await followed(options, await readStates(mirror, client, [target]), unread));
    for (const target of state.replaced()) await bringOne(state, target, await planAgain(target));
    await retryFailed(state, clock, planAgain);
    // A run that ended early has series whose first page was all that they have.
    if (state.isOver() && state.report().end?.kind !== 'mirror')
      for (const target of state.headsOnly())
        if ((await planAgain(target)).every((step) => phaseOf(step) < 2)) state.beginAgain(target, []);
  } finally {
    await state.close();
  }
  return state.report();
}

const isAfterFeeds = (step: Step) => phaseOf(step) > 0;

/** Reads the feeds; returns the feeds that were not read to their end. */
async function readFeeds(state: RunState, feeds: readonly PlannedRequest[]): Promise<ReadonlySet<string>> {
  const unread = new Set(feeds.map(({ target }) => target.endpoint.id));
  state.expect(feeds.filter(({ implied }) => !implied));
  for (const step of feeds)
    await state.attempt(step, async (work) => {
      await readFeed(work, step);
      unread.delete(step.target.endpoint.id);
    });
  return unread;
}

/** The states as their feeds have left them. A feed that was not read says nothing of its series. */
async function followed(
  { mirror }: Pick<SyncOptions, 'mirror'>,
  states: readonly SeriesState[],
  unread: ReadonlySet<string>,
): Promise<readonly SeriesState[]> {
  return (await readFollowStates(mirror, states)).map((state) =>
    unread.has(feedOf(state.target.endpoint)?.endpoint ?? '') ? withoutFollowers(state) : state,
  );
}

/** The service to ask and the mirror; undefined while there is no mirror. */
interface Known {
  readonly client: Asker;
  readonly mirror: Mirror | undefined;
}

async function statesOf(options: Pick<SyncOptions, 'targets'> & Known): Promise<readonly SeriesState[]> {
  const { mirror, client, targets } = options;
  return inOrderOfNeed(mirror, await readStates(mirror, client, [...impliedFeeds(targets), ...targets]));
}

async function planStates(
  options: Pick<SyncOptions, 'clock' | 'targets' | 'maxAge' | 'check' | 'full'> & Pick<Known, 'mirror'>,
  states: readonly SeriesState[],
): Promise<readonly PlannedRequest[]> {
  const { clock, targets, maxAge, check, full, mirror } = options;
  const today = mirror && (await newestServiceDay(mirror));
  const planned = await planSync(states, { now: clock.now(), today, maxAge, check, full });
  const selected = new Set(targets);
  return planned.map((step) => (selected.has(step.target) ? step : { ...step, implied: true }));
}

/** The day of the newest known event: windows reach it even if this clock is behind the service's. */
async function newestServiceDay({ journal }: Pick<Mirror, 'journal'>): Promise<string | undefined> {
  const after = Math.max(0, (await journal.newest()) - NEWEST);
  const times = (await journal.events({ after, limit: NEWEST })).map(({ timestamp }) => timestamp);
  return times.length === 0 ? undefined : dateOf(Math.max(...times) * 1000);
}

/** Pages of whichever series has come least far back, so that the newest years of all are there first. */
async function backfill(state: RunState, steps: readonly Step[], begun: ReadonlyMap<SyncTarget, Pages>): Promise<void> {
  const open = steps.map((step): Backfill => ({ step, year: '9999', pages: begun.get(step.target) }));
  while (!state.isOver()) {
    const next = leastFarBack(open);
    if (!next) return;
    const isDone = await state.attempt(next.step, async (work) => {
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

/** Tries failed series once more and continues slow ones, all others done; the unanswered share one budget. */
async function retryFailed(
  state: RunState,
  clock: Pick<Clock, 'now' | 'alarm'>,
  plan: (target: SyncTarget) => Promise<readonly Step[]>,
): Promise<void> {
  const targets = state.unfinished();
  if (targets.length === 0 || state.isOver()) return;
  const done = new AbortController();
  // A pending request has used a part of its time: the run ends no later than that request would.
  const begun = state.awaitedSince() ?? clock.now();
  const budget = clock.alarm(Math.max(0, begun + BUDGET_MS - clock.now()), done.signal);
  budget.then(state.giveUp, () => undefined);
  try {
    for (const target of targets) {
      if (state.isOver()) return;
      const stages = await state.stagesLeft(target);
      if (stages.size > 0) await bringOne(state, target, stepsAgain(await plan(target), stages));
    }
  } finally {
    done.abort();
  }
}

/** The steps that are to be made again: a head that this run has brought is not among them. */
function stepsAgain(planned: readonly Step[], stages: ReadonlySet<number>): readonly Step[] {
  return planned.filter((step) => phaseOf(step) > 1 || stages.has(phaseOf(step)));
}

async function bringOne(state: RunState, target: SyncTarget, steps: readonly Step[]): Promise<void> {
  // Nothing of what failed was made: without a step for it the failure stands.
  if (steps.length === 0) return;
  const begun = new Map<SyncTarget, Pages>();
  state.beginAgain(target, steps);
  for (const step of steps)
    await state.attempt(step, (work) => {
      if (phaseOf(step) === 0) return readFeed(work, step);
      if (phaseOf(step) < 3) return advance(work, step, begun);
      return drain(begun.get(step.target) ?? pagesOf(work, step));
    });
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
async function readFeed(work: Work, step: Step): Promise<void> {
  const { mirror, client } = work;
  await drain(pagesOf(work, step));
  const { until } = work.feed;
  if (until === undefined) return;
  for (const endpoint of followersOf(step.target.endpoint))
    await mirror.confirmFollowed(endpoint.id, accessOf(endpoint, client.access), until);
}

/** States in order: nothing stored, stored, failed before; else a run that ends early would repeat itself. */
async function inOrderOfNeed(
  mirror: Pick<Mirror, 'runs'> | undefined,
  states: readonly SeriesState[],
): Promise<readonly SeriesState[]> {
  const runs = (await mirror?.runs(RUNS)) ?? [];
  const failed = new Set(runs.flatMap((run) => run.failed));
  const isFailed = ({ target }: SeriesState) => failed.size > 0 && failed.has(targetName(target));
  const ranked = states.map((state) => ({ state, rank: isFailed(state) ? 2 : state.id === undefined ? 0 : 1 }));
  return ranked.sort((a, b) => a.rank - b.rank).map(({ state }) => state);
}

/** Does a run under the lock of its mirror and notes there how it began and ended; beside another run it is refused as `busy`. */
export async function inSession(session: SessionOptions, run: () => Promise<SyncReport>): Promise<SyncReport> {
  const { mirror, clock, holder, words } = session;
  const lock = await takeLock(session);
  try {
    const id = await mirror.startRun({ started: clock.now(), holder, words });
    const end = (outcome: Omit<RunEnd, 'ended'>) => mirror.endRun(id, { ended: clock.now(), ...outcome });
    try {
      const report = await run();
      // A mirror that ended the run may take no word of it either: then the next run notes that this one died.
      await (report.kind === 'mirror' ? end(endOf(report)).catch(() => undefined) : end(endOf(report)));
      return report;
    } catch (error) {
      await end({ outcome: 'failed', requests: 0, rows: 0, problem: sentenceOf(error) }).catch(() => undefined);
      throw error;
    }
  } finally {
    await lock.release();
  }
}

/** The lock of the mirror, once no other program has it. */
async function takeLock({ mirror, clock, wait }: SessionOptions): Promise<SyncLock> {
  const end = clock.now() + (wait?.patience ?? 0);
  for (let tries = 0; ; tries += 1) {
    try {
      return await mirror.lockSync();
    } catch (error) {
      if (!wait || !(error instanceof MacroError) || error.code !== SYNC_RUNNING || clock.now() >= end) throw error;
      if (tries === 0) await wait.onWait(error);
      await clock.sleep(LOCK_LOOK_MS, wait.signal);
    }
  }
}

function endOf({ outcome, requests, rows, series }: SyncReport): Omit<RunEnd, 'ended'> {
  const failed = series.filter((one) => one.outcome === 'failed').map(({ name }) => name);
  const problem = series.find((one) => one.outcome === outcome)?.problem ?? series.find((one) => one.problem)?.problem;
  return {
    outcome,
    requests,
    rows: rows.added + rows.revised,
    failed,
    ...(problem && { problem: [problem.message, problem.hint].filter(Boolean).join(' ') }),
  };
}

function sentenceOf(error: unknown): string {
  return error instanceof MacroError ? error.message : 'A bug ended it.';
}
