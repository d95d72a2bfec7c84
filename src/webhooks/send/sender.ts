import { MacroError } from '../../errors.ts';
import type { Journal } from '../../mirror/api/journal.ts';
import type { MirrorState } from '../../mirror/api/mirror.ts';
import type { Attempt, ClaimedDelivery, Outbox } from '../../mirror/api/outbox.ts';
import { type RetryPolicy, retrying } from '../../mirror/rules/failures.ts';
import { inBatches } from '../../mirror/rules/in-batches.ts';
import { closeGently } from '../../platform/listening.ts';
import type { Clock, Random } from '../../platform/platform.ts';
import type { SigningSecrets } from '../signing-secrets.ts';
import { type DeliverParts, type DeliveryPolicy, deliverParcel, isTransientAttempt, judgeAttempt } from './deliver.ts';
import { enqueueEvents } from './enqueue.ts';
import { DELIVERIES_KEPT } from './subscriptions.ts';

/** Milliseconds between two checks for new events and due deliveries. */
const LOOK_INTERVAL_MS = 250;
/** Above the time of any attempt: a delivery claimed for so long and not settled belonged to a program that died. */
const LEASE = 30_000;
const HOUR = 3_600_000;

interface SenderParts extends DeliverParts {
  readonly outbox: Outbox;
  readonly journal: Pick<Journal, 'events'>;
  /** Changes with the mirror. */
  readonly look: () => Promise<MirrorState>;
  readonly secrets: Pick<SigningSecrets, 'read'>;
  readonly clock: Pick<Clock, 'now' | 'sleep' | 'turnEnd'>;
  readonly random: Random;
  readonly policy: DeliveryPolicy;
  /** Shown once as long as the same goes wrong. */
  readonly failed: (text: string) => void;
}

export interface Sender {
  start(): void;
  /** Takes no more deliveries, gives running ones some seconds, and gives the rest back. */
  close(): Promise<void>;
}

/** Parallel posts to one subscription, to live and to dead destinations. See docs/interface-events.md#webhook-deliveries. */
const PARALLEL = 4;
const ANSWERING = 256;
const FAILING = 64;

/** Milliseconds between two attempts at a destination that does not answer. */
const PAUSE = 1_000;

interface Lane {
  underWay: number;
  /** Its last attempt failed in a way that passes: so will the next ones, most likely. */
  isFailing: boolean;
  notBefore: number;
}

/** Who may be posted to now. A failing destination has slots of its own, one delivery at a time, until it answers. */
interface DestinationLimiter {
  /** How many posts to a subscription may be under way at `now`. */
  parallel(subscription: string, now: number): number;
  begin(subscription: string): void;
  end(subscription: string, at: number, failed: boolean): void;
  readonly underWay: number;
}

/** Milliseconds between two tries at a mirror that is locked. */
const LOCKED_PAUSE = 250;

interface DeliveryLogParts {
  readonly outbox: Pick<Outbox, 'settle'>;
  readonly clock: Pick<Clock, 'now' | 'sleep' | 'turnEnd'>;
  /** Milliseconds for which a finished attempt keeps its claim. */
  readonly patience: number;
  readonly signal: AbortSignal;
}

const PATIENCE: RetryPolicy = { pause: 100, longest: 5_000 };

/**
 * Delivers new events to subscribers by lanes. Everything is stored in the mirror for the next program; without
 * subscribers it only looks for changes by another server.
 */
export function createSender(parts: SenderParts): Sender {
  const { outbox, clock } = parts;
  const holder = Buffer.from(parts.random.bytes(8)).toString('hex');
  const limiters = createDestinationLimiter();
  const underWay = new Set<Promise<void>>();
  const freed = new Set<string>();
  const stopping = new AbortController();
  const cutting = new AbortController();
  const tell = oncePerKind(parts.failed);
  const note = openDeliveryLog({ outbox, clock, patience: LEASE, signal: cutting.signal });
  let seen: MirrorState | undefined;
  let isWanted = false;
  let pruned = Number.NEGATIVE_INFINITY;
  let running: Promise<void> | undefined;

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      await lookOrTell();
      await clock.sleep(LOOK_INTERVAL_MS, stopping.signal);
    }
  }

  async function lookOrTell(): Promise<void> {
    try {
      await look();
      tell('look', undefined);
    } catch (error) {
      // The mirror is locked, or worse: the next check tries again.
      tell('look', `webhooks wait: ${messageOf(error)}`);
    }
  }

  async function look(): Promise<void> {
    const state = await parts.look();
    const now = clock.now();
    if (state !== seen) isWanted = await enqueueEvents(parts, { now, signal: stopping.signal });
    seen = state;
    if (now - pruned >= HOUR) {
      await outbox.forgetDeliveries(now - DELIVERIES_KEPT);
      pruned = now;
    }
    if (!isWanted) return;
    const due = (await outbox.due(now)).filter(({ at }) => at <= now);
    await takeUp(due.map(({ subscription }) => subscription));
  }

  /** Begins as many deliveries to these subscriptions as may be under way. */
  async function takeUp(ids: readonly string[]): Promise<void> {
    if (stopping.signal.aborted) return;
    const now = clock.now();
    const free = ids
      .map((subscription) => ({ subscription, parallel: limiters.parallel(subscription, now) }))
      .filter(({ parallel }) => parallel > 0);
    if (free.length === 0) return;
    const claimed = await outbox.claim({ destinations: free, holder, now, until: now + LEASE });
    // Deliveries claimed during the stop are given back with the rest.
    if (stopping.signal.aborted) return;
    for (const one of claimed) begin(one);
  }

  /** Without it nothing is posted, and the delivery waits until its claim has run out. */
  async function readSecret(id: string): Promise<string> {
    const secret = await parts.secrets.read(id);
    if (secret !== undefined) return secret;
    throw new MacroError('mirror', 'There is no signing secret for it on this machine.', { code: 'no_signing_secret' });
  }

  function begin(claimed: ClaimedDelivery): void {
    const { subscription } = claimed;
    limiters.begin(subscription);
    const work = attempt(claimed).then(
      () => tell(subscription, undefined),
      (error: unknown) => {
        limiters.end(subscription, clock.now(), true);
        if (!cutting.signal.aborted) tell(subscription, `webhooks to ${subscription} wait: ${messageOf(error)}`);
      },
    );
    awaitAtEnd(work);
  }

  function awaitAtEnd(work: Promise<void>): void {
    const awaited = work.finally(() => underWay.delete(awaited));
    underWay.add(awaited);
  }

  async function attempt(claimed: ClaimedDelivery): Promise<void> {
    const { id: delivery, subscription, url, event, body, attempts } = claimed;
    const now = Math.floor(clock.now() / 1000);
    const secret = () => readSecret(subscription);
    const met = await deliverParcel({ url, secret, delivery, event, body, now, signal: cutting.signal }, parts);
    const at = clock.now();
    const result = judgeAttempt(met, { attempt: attempts + 1, at, random: parts.random.number() }, parts.policy);
    const status = 'status' in met ? met.status : undefined;
    await note({ delivery, holder, at, status, result, limits: parts.policy.limits });
    limiters.end(subscription, at, isTransientAttempt(met));
    if (!isTransientAttempt(met)) goOn(subscription);
  }

  /** Takes up further deliveries of a subscription; calls of one turn share one look-up. */
  function goOn(subscription: string): void {
    const isFirst = freed.size === 0;
    freed.add(subscription);
    if (!isFirst) return;
    const work = Promise.resolve().then(() => {
      const ids = [...freed];
      freed.clear();
      return takeUp(ids);
    });
    // The next check takes it up again.
    awaitAtEnd(work.catch(() => undefined));
  }

  return {
    start() {
      running ??= run().catch((error: unknown) => {
        if (!stopping.signal.aborted) parts.failed(messageOf(error));
      });
    },
    async close() {
      stopping.abort();
      await running;
      const ended = async () => {
        while (underWay.size > 0) await Promise.allSettled(underWay);
      };
      await closeGently({ close: ended, cut: () => cutting.abort() }, clock);
      await outbox.release(holder, clock.now()).catch(() => undefined);
    },
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Tells each kind of trouble when it begins, and again after it was over. */
function oncePerKind(tell: (text: string) => void): (kind: string, text: string | undefined) => void {
  const reported = new Map<string, string>();
  return (kind, text) => {
    if (text === undefined) return void reported.delete(kind);
    if (reported.get(kind) !== text) tell(text);
    reported.set(kind, text);
  };
}

export function createDestinationLimiter(): DestinationLimiter {
  const limiters = new Map<string, Lane>();
  let answering = 0;
  let failing = 0;
  const count = (lane: Lane, by: number) => {
    lane.underWay += by;
    if (lane.isFailing) failing += by;
    else answering += by;
  };
  return {
    get underWay() {
      return answering + failing;
    },
    parallel(subscription, now) {
      const lane = limiters.get(subscription) ?? { underWay: 0, isFailing: false, notBefore: 0 };
      // A clock that was set back would make the pause longer than it is.
      if (now < lane.notBefore && lane.notBefore - now <= PAUSE) return 0;
      if (lane.isFailing) return failing < FAILING ? 1 : lane.underWay;
      return Math.min(PARALLEL, lane.underWay + ANSWERING - answering);
    },
    begin(subscription) {
      const lane = limiters.get(subscription) ?? { underWay: 0, isFailing: false, notBefore: 0 };
      limiters.set(subscription, lane);
      count(lane, 1);
    },
    end(subscription, at, failed) {
      const lane = limiters.get(subscription);
      if (!lane) return;
      count(lane, -1);
      const left = lane.underWay;
      count(lane, -left);
      lane.isFailing = failed;
      count(lane, left);
      if (failed) lane.notBefore = at + PAUSE;
      else lane.notBefore = 0;
      // A destination that answers needs no record.
      if (lane.underWay === 0 && !failed) limiters.delete(subscription);
    },
  };
}

/** Records ended attempts, waiting for a locked mirror as long as claims hold; unrecorded ones are made again. */
export function openDeliveryLog({
  outbox,
  clock,
  patience,
  signal,
}: DeliveryLogParts): (attempt: Attempt) => Promise<void> {
  return inBatches<Attempt, undefined>({
    clock,
    async work(attempts) {
      await retrying(clock, () => outbox.settle(attempts), { pause: LOCKED_PAUSE, longest: patience, signal });
      return [];
    },
  });
}

/** An outbox that waits for a locked mirror; the engine itself would block the server. */
export function retryingOutbox(outbox: Outbox, clock: Pick<Clock, 'now' | 'sleep'>): Outbox {
  const patiently = <T>(work: () => Promise<T>): Promise<T> => retrying(clock, work, PATIENCE);
  return {
    addSubscription: (subscription, most) => patiently(() => outbox.addSubscription(subscription, most)),
    subscriptions: (owner) => patiently(() => outbox.subscriptions(owner)),
    subscription: (id) => patiently(() => outbox.subscription(id)),
    changeSubscription: (id, change, at) => patiently(() => outbox.changeSubscription(id, change, at)),
    removeSubscription: (id) => patiently(() => outbox.removeSubscription(id)),
    deliveries: (ask) => patiently(() => outbox.deliveries(ask)),
    position: () => patiently(() => outbox.position()),
    enqueue: (...queued) => patiently(() => outbox.enqueue(...queued)),
    due: (now) => patiently(() => outbox.due(now)),
    backlog: (now) => patiently(() => outbox.backlog(now)),
    claim: (claim) => patiently(() => outbox.claim(claim)),
    settle: (attempts) => patiently(() => outbox.settle(attempts)),
    release: (holder, at) => patiently(() => outbox.release(holder, at)),
    forgetDeliveries: (before) => patiently(() => outbox.forgetDeliveries(before)),
  };
}
