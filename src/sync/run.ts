import type { Mirror } from '../mirror/api/mirror.ts';
import { backfill } from './backfill.ts';
import { feedOf, impliedFeeds } from './feeds.ts';
import { advance, readFeed } from './make-step.ts';
import { planSync } from './plan/plan.ts';
import type { SeriesState } from './plan/state.ts';
import { type PlannedRequest, phaseOf, type Step } from './plan/step.ts';
import type { SyncReport } from './report.ts';
import { retryFailed } from './retry-failed.ts';
import { createLedger, type RunLedger } from './run-ledger.ts';
import { inOrderOfNeed } from './series/order.ts';
import { type Asker, readFollowStates, readStates, withoutFollowers } from './series/states.ts';
import type { SyncTarget } from './series/target.ts';
import { newestServiceDay } from './service-day.ts';
import type { SyncOptions } from './sync-options.ts';
import type { Pages } from './work.ts';

type Planning = Pick<SyncOptions, 'clock' | 'targets' | 'maxAge' | 'check'> & Known;

/** What a run of these targets would ask for, without asking. */
export async function planTargets(options: Planning): Promise<readonly PlannedRequest[]> {
  return (await surveyTargets(options)).planned;
}

/** The same, with what the mirror knows of each target. */
export async function surveyTargets(options: Planning): Promise<{
  readonly states: readonly SeriesState[];
  readonly planned: readonly PlannedRequest[];
}> {
  const states = await statesOf(options);
  return { states, planned: await planStates(options, states) };
}

/**
 * Brings every target up to date. Steps: plan; read the feeds, which may name series; plan again what they named; then stage
 * by stage every head, every gap, every backfill, the newest years of all series first; at last what failed once more. A
 * series that fails is reported and the others go on, unless its error would meet them all. One that is not answered goes
 * on beside the others. What is committed stays: the next run continues from there.
 */
export async function runSync(options: SyncOptions): Promise<SyncReport> {
  const ledger = createLedger(options);
  try {
    const states = await statesOf(options);
    const unread = await readFeeds(options, ledger, states);
    const rest = (await planStates(options, await followed(options, states, unread))).filter(isAfterFeeds);
    ledger.expect(rest, 'whole');
    const begun = new Map<SyncTarget, Pages>();
    for (const step of rest) if (phaseOf(step) < 3) await ledger.attempt(step, (work) => advance(work, step, begun));
    const last = rest.filter((step) => phaseOf(step) === 3);
    await backfill(ledger, last, begun);
    const { mirror, client, clock } = options;
    const planAgain = async (target: SyncTarget) =>
      planStates(options, await followed(options, await readStates(mirror, client, [target]), unread));
    await retryFailed(ledger, clock, planAgain);
    // A run that ended early has series whose first page was all that they have.
    if (ledger.isOver() && ledger.report().end?.kind !== 'mirror')
      for (const target of ledger.headsOnly())
        if ((await planAgain(target)).every((step) => phaseOf(step) < 2)) ledger.beginAgain(target, []);
  } finally {
    await ledger.close();
  }
  return ledger.report();
}

const isAfterFeeds = (step: Step) => phaseOf(step) > 0;

/** Reads the feeds; gives those that were not read to their end. */
async function readFeeds(
  options: SyncOptions,
  ledger: RunLedger,
  states: readonly SeriesState[],
): Promise<ReadonlySet<string>> {
  const feeds = (await planStates(options, states)).filter((step) => !isAfterFeeds(step));
  const unread = new Set(feeds.map(({ target }) => target.endpoint.id));
  ledger.expect(feeds.filter(({ implied }) => !implied));
  for (const step of feeds)
    await ledger.attempt(step, async (work) => {
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

/** Who would be asked, and what is stored; nothing while there is no mirror. */
interface Known {
  readonly client: Asker;
  readonly mirror: Mirror | undefined;
}

async function statesOf(options: Pick<SyncOptions, 'targets'> & Known): Promise<readonly SeriesState[]> {
  const { mirror, client, targets } = options;
  return inOrderOfNeed(mirror, await readStates(mirror, client, [...impliedFeeds(targets), ...targets]));
}

async function planStates(
  options: Pick<SyncOptions, 'clock' | 'targets' | 'maxAge' | 'check'> & Pick<Known, 'mirror'>,
  states: readonly SeriesState[],
): Promise<readonly PlannedRequest[]> {
  const { clock, targets, maxAge, check, mirror } = options;
  const today = mirror && (await newestServiceDay(mirror));
  const time = {
    now: clock.now(),
    ...(today !== undefined && { today }),
    ...(maxAge !== undefined && { maxAge }),
    ...(check && { check }),
  };
  const planned = await planSync(states, time);
  const selected = new Set(targets);
  return planned.map((step) => (selected.has(step.target) ? step : { ...step, implied: true }));
}
