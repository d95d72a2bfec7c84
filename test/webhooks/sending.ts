import { MacroError } from '../../src/errors.ts';
import type { Mirror } from '../../src/mirror/api/mirror.ts';
import type { NewSubscription, Outbox } from '../../src/mirror/api/outbox.ts';
import type { Post, Posted, PostRequest } from '../../src/platform/platform.ts';
import { DELIVERY_POLICY } from '../../src/webhooks/send/deliver.ts';
import { createSender, type Sender } from '../../src/webhooks/send/sender.ts';
import { page, SERVICE } from '../mirror/support.ts';
import { settle, type TestClock } from '../support/clock.ts';
import { testPlatform } from '../support/platform.ts';
import { freshMirror } from '../support/service.ts';
import { SECRET } from './vector.ts';

/** 2026-10-14T12:30:03Z, when the test vector was signed. */
export const NOW = 1_791_981_003_000;
const FEED = { origin: SERVICE, endpoint: 'announcements_changes', scope: {} };

/** What a destination does with a post, by its host; a promise that never ends is one that hangs. */
export type Destination = (request: PostRequest, nth: number) => Posted | Promise<Posted>;

export const answers =
  (status: number, headers: Record<string, string> = {}): Destination =>
  () => ({ status, headers: new Headers(headers) });

/** Nobody listens there. */
export const refusesConnections: Destination = async () => {
  throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
};

/** Takes the post and never answers, as long as whoever posts has patience. */
export const hangs =
  (clock: Pick<TestClock, 'sleep'>): Destination =>
  async ({ totalTime, signal }) => {
    await clock.sleep(totalTime, signal);
    throw Object.assign(new Error('No answer in time'), { name: 'TimeoutError' });
  };

export interface Sent {
  /** Seconds since the start. */
  readonly at: number;
  readonly host: string;
  readonly event: string;
  readonly request: PostRequest;
}

/** A mirror, a clock that moves by hand, and destinations that are scripted; subscriptions are named after their hosts. */
export async function sendingWorld(destinations: Readonly<Record<string, Destination>>) {
  const at = testPlatform({ now: NOW, sleeping: 'waits' });
  const { clock } = at;
  const mirror = await freshMirror(at.platform);
  // As a server has it: what is written there is news to the connection that reads.
  const { outbox } = await freshMirror(at.platform);
  const names = new Map<string, readonly string[]>();
  const sent: Sent[] = [];
  const told: string[] = [];
  const post: Post = async (request) => {
    const { host } = request.url;
    const event = request.headers['X-SVC-Event-ID'] ?? '';
    sent.push({ at: (clock.now() - NOW) / 1000, host, event, request });
    const destination = destinations[host] ?? refusesConnections;
    return destination(request, sent.filter((one) => one.host === host).length);
  };
  const sender = (through: Outbox = outbox): Sender =>
    createSender({
      outbox: through,
      post,
      clock,
      journal: mirror.journal,
      look: () => mirror.look(),
      secrets: { read: async () => SECRET },
      guard: { resolve: async (host) => names.get(host) ?? ['93.184.215.14'], allowLocal: false },
      random: { ...at.platform.random, number: () => 0.5 },
      policy: DELIVERY_POLICY,
      headerPrefix: 'X-SVC',
      synthetic: false,
      failed: (text) => void told.push(text),
    });
  return {
    ...{ at, clock, mirror, outbox, names, sent, told, sender },
    subscribe: (host: string, changes: Partial<NewSubscription> = {}) => subscribe(outbox, host, changes),
    arrive: (...events: readonly string[]) => arrive(mirror, events),
    /** Moves the clock in steps of a look, so that everything happens when it is due. */
    async pass(seconds: number) {
      for (let left = seconds * 4; left > 0; left -= 1) {
        await clock.advance(250);
        await untilQuiet(() => `${sent.length} ${mirror.state?.()}`);
      }
    },
    times: (host: string) => sent.filter((one) => one.host === host).map((one) => one.at),
    states: async (host: string) =>
      (await outbox.deliveries({ owner: 'desk', since: 0, limit: 100, subscription: idOf(host) })).map(
        ({ status, attempts, lastError }) => [status, attempts, lastError],
      ),
    books: (host: string) => outbox.subscription(idOf(host)),
  };
}

export const idOf = (host: string): string => `sub_${host.split('.')[0]}`;

async function subscribe(outbox: Outbox, host: string, changes: Partial<NewSubscription>): Promise<void> {
  const wish = { currencies: undefined, indicators: undefined, description: undefined, createdAt: NOW, ...changes };
  await outbox.addSubscription({ id: idOf(host), owner: 'desk', url: `https://${host}/in`, ...wish }, 100);
}

/** Lets everything happen that needs no time to pass: a few turns without a post and without a commit. */
async function untilQuiet(count: () => string): Promise<void> {
  for (let quiet = 0, before = count(); quiet < 3; before = count()) {
    await settle();
    quiet = count() === before ? quiet + 1 : 0;
  }
}

/** The events become known, as if a sync or a receiver had brought them. */
async function arrive(mirror: Mirror, events: readonly string[]): Promise<void> {
  const rows = events.map((id) => {
    const [currency, ...rest] = id.split('_');
    const release = Number(rest.pop());
    const latest = '{"date":"2026-09-30","val":3.2,"announcement_datetime":"2026-10-14T12:30:00Z"}';
    return `{"event_id":"${id}","currency":"${currency}","indicator":"${rest.join('_')}","records_written":1,"timestamp":${release + 2},"release_timestamp":${release},"latest_announcement":${latest}}`;
  });
  await mirror.commitPage(page(rows, { series: FEED, arrived: { via: 'local' }, at: NOW }));
}

/** An outbox of which some operations find the mirror locked, so many times. */
export function lockedFor(outbox: Outbox, operation: 'settle' | 'enqueue' | 'due', times: number): Outbox {
  let left = times;
  const locked = new MacroError('mirror', 'The mirror is locked by another program.', { code: 'mirror_locked' });
  const guarded = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    if (name !== operation || left === 0) return work();
    left -= 1;
    throw locked;
  };
  return {
    ...outbox,
    settle: (attempts) => guarded('settle', () => outbox.settle(attempts)),
    enqueue: (...queued) => guarded('enqueue', () => outbox.enqueue(...queued)),
    due: () => guarded('due', () => outbox.due()),
  };
}
