import { openAccount, type Priority } from '../../../src/client/quota/account.ts';
import { type Granted, reserve, settleReservation } from '../../../src/client/quota/reservations.ts';
import { seededRandom } from '../../support/platform.ts';
import { exactLimiter, type Limiter, type Rule } from './exact-limiter.ts';

export interface World {
  readonly rules: readonly Rule[];
  readonly concurrency?: number;
  readonly processes: number;
  readonly priority?: Priority;
  /** Milliseconds of our clock. */
  readonly start: number;
  readonly end: number;
  /** How far the service's clock is ahead of ours, in milliseconds. */
  readonly skew: number;
  /** Milliseconds that our clock loses in a second. */
  readonly drift?: number;
  /** Longest time on the way and at the service, in milliseconds each. */
  readonly latency: number;
  /** Share of answers that get lost on their way back. */
  readonly lost?: number;
  /** Share of requests that an edge cache answers. */
  readonly edge?: number;
  /** Share of requests whose process dies before the answer. */
  readonly crashed?: number;
  /** Milliseconds between two requests of somebody else who shares the key. */
  readonly others?: number;
  readonly seed: number;
}

export interface Served extends Pick<Limiter, 'used'> {
  /** Requests of these processes that were refused. */
  readonly refused: number;
}

interface Event {
  readonly at: number;
  readonly run: () => void;
}

/**
 * Processes that send as fast as one account lets them, against a service that counts exactly. Time is simulated: what
 * happens is a queue of events by our clock.
 */
export function simulate(world: World): Served {
  const { rules, concurrency, processes, start, end, skew, drift = 0, latency, seed, priority = 'interactive' } = world;
  const { lost = 0, edge = 0, crashed = 0, others } = world;
  const isKeyless = rules[0]?.window === 'day';
  // Without a key only the day is counted.
  let refused = 0;
  // Before the first answer nobody can know the limits, so nothing befalls that one.
  let isHeard = false;
  const limiter = exactLimiter(rules, isKeyless ? undefined : concurrency);
  let account = openAccount(isKeyless ? 'keyless' : 'key:0123456789ab', start);
  const random = seededRandom(seed);
  const queue = eventQueue();
  const delay = () => 1 + random.number() * latency;
  const serviceTime = (at: number) => at + skew + ((at - start) / 1000) * drift;
  const ask = (pid: number, now: number) => {
    if (now >= end) return;
    const reserved = reserve(account, { route: 'GET /v1/x', priority, pid, now, lease: 60_000 });
    account = reserved.account;
    const { granted, blocked } = reserved.decision;
    if (granted) send(pid, granted, now);
    else later(Math.max(now + 50, blocked.until ?? now + 50), (at) => ask(pid, at));
  };
  const send = (pid: number, granted: Granted, now: number) => {
    if (random.number() < edge)
      return later(now + delay(), (at) => {
        account = settleReservation(account, granted, { kind: 'free' }, at);
        ask(pid, at);
      });
    later(now + delay(), (arrival) => {
      const told = limiter.arrive(serviceTime(arrival));
      if (told.isRefused) refused += 1;
      later(arrival + delay(), (left) => {
        limiter.leave();
        // A new process takes the place of one that died; nobody tells the account.
        if (isHeard && random.number() < crashed) return ask(pid, left);
        const isGone = isHeard && random.number() < lost;
        isHeard = true;
        later(left + delay(), (answered) => {
          const outcome = isGone ? ({ kind: 'lost' } as const) : ({ kind: 'told', report: told } as const);
          account = settleReservation(account, granted, outcome, answered);
          ask(pid, answered);
        });
      });
    });
  };
  const later = (at: number, run: (at: number) => void) => queue.push({ at, run: () => run(at) });
  const askElsewhere = (now: number, pause: number): void => {
    if (now >= end) return;
    limiter.arrive(serviceTime(now));
    limiter.leave();
    later(now + random.number() * 2 * pause, (at) => askElsewhere(at, pause));
  };
  if (others !== undefined) askElsewhere(start, others);
  for (let pid = 1; pid <= processes; pid += 1) later(start + random.number() * latency, (at) => ask(pid, at));
  for (let event = queue.pop(); event; event = queue.pop()) event.run();
  return { used: limiter.used, refused };
}

/** The earliest event first (a binary heap). */
function eventQueue(): { push(event: Event): void; pop(): Event | undefined } {
  const heap: Event[] = [];
  const at = (index: number) => heap[index]?.at ?? Number.POSITIVE_INFINITY;
  const swap = (a: number, b: number) => {
    const [one, other] = [heap[a], heap[b]];
    if (one && other) [heap[a], heap[b]] = [other, one];
  };
  return {
    push(event) {
      heap.push(event);
      for (let i = heap.length - 1, up = (i - 1) >> 1; i > 0 && at(i) < at(up); i = up, up = (i - 1) >> 1) swap(i, up);
    },
    pop() {
      const first = heap[0];
      const last = heap.pop();
      if (heap.length === 0 || !last) return first;
      heap[0] = last;
      for (let i = 0; ; ) {
        const child = at(2 * i + 1) <= at(2 * i + 2) ? 2 * i + 1 : 2 * i + 2;
        if (at(child) >= at(i)) break;
        swap(i, child);
        i = child;
      }
      return first;
    },
  };
}
