import type { Journal } from '../mirror/journal.ts';
import type { ClaimedDelivery, Outbox, Subscription } from '../mirror/outbox.ts';
import type { Clock, Random } from '../platform/platform.ts';
import { type DeliverParts, deliver } from './deliver.ts';
import { type DeliveryPolicy, isPassing, judgeAttempt } from './delivery-policy.ts';
import { createLanes } from './lanes.ts';
import { oweNews } from './owe.ts';
import type { SigningSecrets } from './signing-secrets.ts';
import { DELIVERIES_KEPT } from './subscriptions.ts';

/** Milliseconds between two looks at what came and what is due. */
const LOOK = 250;
/** Longer than any attempt: what is claimed for so long and not settled belonged to a program that died. */
const LEASE = 30_000;
/** What is under way when the program ends has so long. */
const GRACE = 3_000;
const HOUR = 3_600_000;

export interface SenderParts extends DeliverParts {
  readonly outbox: Outbox;
  readonly journal: Pick<Journal, 'events'>;
  /** Changes with the mirror. */
  readonly version: () => number;
  readonly secrets: Pick<SigningSecrets, 'read'>;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
  readonly random: Random;
  readonly policy: DeliveryPolicy;
  /** Told once as long as the same goes wrong. */
  readonly failed: (text: string) => void;
}

export interface Sender {
  /** Somebody wants to be delivered to. */
  wake(): void;
  /** Takes up nothing more, gives what is under way some seconds, and gives the rest back. */
  close(): Promise<void>;
}

/**
 * Delivers what the journal brings to those who subscribed. Walk of a look: events that came are owed to whom they concern;
 * of what is due, each destination gets what its lane lets through; an attempt that ends is noted and takes up the next one.
 * All that lasts is in the mirror: what dies with the program is taken up by the next one. Nothing runs while nobody
 * is subscribed.
 */
export function createSender(parts: SenderParts): Sender {
  const { outbox, clock } = parts;
  const holder = Buffer.from(parts.random.bytes(8)).toString('hex');
  const lanes = createLanes();
  const underWay = new Set<Promise<void>>();
  const stopping = new AbortController();
  const cutting = new AbortController();
  const tell = oncePerKind(parts.failed);
  let seen: number | undefined;
  let isWanted = false;
  let isCalled = false;
  let pruned = Number.NEGATIVE_INFINITY;
  let running: Promise<void> | undefined;

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      isCalled = false;
      if (!(await lookOrTell()) && !isCalled) return;
      await clock.sleep(LOOK, stopping.signal);
    }
  }

  /** False when there is nothing to look for any more. */
  async function lookOrTell(): Promise<boolean> {
    try {
      const isNeeded = await look();
      tell('look', undefined);
      return isNeeded;
    } catch (error) {
      // The mirror is locked, or worse: the next look tries again.
      tell('look', `webhooks wait: ${messageOf(error)}`);
      return true;
    }
  }

  async function look(): Promise<boolean> {
    const version = parts.version();
    const now = clock.now();
    if (version !== seen) isWanted = await oweNews(parts, now);
    seen = version;
    if (now - pruned >= HOUR) {
      await outbox.forgetDeliveries(now - DELIVERIES_KEPT);
      pruned = now;
    }
    for (const { subscription, at } of await outbox.due()) if (at <= now) await takeUp(subscription);
    return isWanted || underWay.size > 0;
  }

  /** Begins as many deliveries to a subscription as may be under way. */
  async function takeUp(id: string): Promise<void> {
    const now = clock.now();
    const parallel = lanes.parallel(id, now);
    if (stopping.signal.aborted || parallel === 0) return;
    const secret = readSecret(id);
    const subscription = secret === undefined ? undefined : await outbox.subscription(id);
    if (secret === undefined || subscription?.status !== 'active') return;
    const claim = { subscription: id, holder, now, until: now + LEASE, parallel };
    for (const claimed of await outbox.claim(claim)) begin(subscription, secret, claimed);
  }

  function readSecret(id: string): string | undefined {
    try {
      const secret = parts.secrets.read(id);
      tell(id, secret === undefined ? `webhooks to ${id} wait: another machine has its signing secret` : undefined);
      return secret;
    } catch (error) {
      tell(id, `webhooks to ${id} wait: ${messageOf(error)}`);
      return undefined;
    }
  }

  function begin(subscription: Subscription, secret: string, claimed: ClaimedDelivery): void {
    lanes.begin(subscription.id);
    const work = attempt(subscription, secret, claimed)
      .catch((error: unknown) => {
        lanes.end(subscription.id, clock.now(), true);
        if (!cutting.signal.aborted) parts.failed(`a webhook could not be sent: ${messageOf(error)}`);
      })
      .finally(() => underWay.delete(work));
    underWay.add(work);
  }

  async function attempt({ id, url }: Subscription, secret: string, claimed: ClaimedDelivery): Promise<void> {
    const now = Math.floor(clock.now() / 1000);
    const { id: delivery, event, body } = claimed;
    const met = await deliver({ url, secret, delivery, event, body, now, signal: cutting.signal }, parts);
    const at = clock.now();
    const tried = { attempt: claimed.attempts + 1, at, random: parts.random.number() };
    const result = judgeAttempt(met, tried, parts.policy);
    const status = 'status' in met ? met.status : undefined;
    await settled({ delivery, holder, at, status, result, limits: parts.policy.limits });
    lanes.end(id, at, isPassing(met));
    if (!isPassing(met)) await takeUp(id).catch(() => undefined);
  }

  /** What is not noted is posted again, so a locked mirror is waited for as long as the claim holds. */
  async function settled(done: Parameters<Outbox['settle']>[0]): Promise<void> {
    for (;;) {
      try {
        return await outbox.settle(done);
      } catch (error) {
        if (clock.now() - done.at > LEASE) throw error;
        await clock.sleep(LOOK, cutting.signal);
      }
    }
  }

  function wake(): void {
    isCalled = true;
    seen = undefined;
    if (running || stopping.signal.aborted) return;
    running = run()
      .catch((error: unknown) => stopping.signal.aborted || parts.failed(messageOf(error)))
      .then(() => {
        running = undefined;
        if (isCalled) wake();
      });
  }

  return {
    wake,
    async close() {
      stopping.abort();
      await running;
      const waited = new AbortController();
      const late = clock.sleep(GRACE, waited.signal).catch(() => undefined);
      await Promise.race([Promise.allSettled(underWay), late]);
      waited.abort();
      cutting.abort();
      await Promise.allSettled(underWay);
      await outbox.release(holder, clock.now()).catch(() => undefined);
    },
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Tells each kind of trouble when it begins, and again after it was over. */
function oncePerKind(tell: (text: string) => void): (kind: string, text: string | undefined) => void {
  const told = new Map<string, string>();
  return (kind, text) => {
    if (text === undefined) return void told.delete(kind);
    if (told.get(kind) !== text) tell(text);
    told.set(kind, text);
  };
}
