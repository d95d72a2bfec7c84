import type { QuotaReport } from '../../../src/client/quota/rate-headers.ts';

/** Lengths in milliseconds; written down apart from the program's. */
const FIXED: Readonly<Record<string, number>> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

export interface Rule {
  readonly window: 'minute' | 'hour' | 'day' | 'month';
  readonly limit: number;
}

export interface Limiter {
  /** A request that arrives at a moment of the service's clock; undefined when it is refused. */
  arrive(at: number): QuotaReport;
  /** It is answered: its place at the same time is free. */
  leave(): void;
  readonly refused: number;
  /** Requests let through, by window and its start. */
  readonly used: ReadonlyMap<string, number>;
}

/** A service that counts exactly, as docs/interface-access.md#rate-limits says: fixed windows on UTC boundaries. */
export function exactLimiter(rules: readonly Rule[], concurrency = Number.POSITIVE_INFINITY): Limiter {
  const used = new Map<string, number>();
  let running = 0;
  let refused = 0;
  const keyOf = ({ window }: Rule, at: number) => `${window} ${startOf(window, at)}`;
  const leftIn = (rule: Rule, at: number) => rule.limit - (used.get(keyOf(rule, at)) ?? 0);
  return {
    used,
    get refused() {
      return refused;
    },
    arrive(at) {
      const second = Math.floor(at / 1000) * 1000;
      const secondsLeft = ({ window }: Rule) => (endOf(window, second) - second) / 1000;
      const spent = rules.filter((rule) => leftIn(rule, at) <= 0).sort((a, b) => secondsLeft(b) - secondsLeft(a))[0];
      const isFull = running >= concurrency;
      const isRefused = spent !== undefined || isFull;
      if (isRefused) refused += 1;
      else for (const rule of rules) used.set(keyOf(rule, at), (used.get(keyOf(rule, at)) ?? 0) + 1);
      running += 1;
      const [primary] = rules;
      if (!primary) throw new Error('A limiter needs a rule');
      const tightest = [...rules].sort((a, b) => leftIn(a, at) / a.limit - leftIn(b, at) / b.limit)[0] ?? primary;
      const wait = spent ? secondsLeft(spent) : 1;
      const named = spent
        ? { name: spent.window, limit: spent.limit, left: 0 }
        : isFull
          ? ({ name: 'concurrency', limit: concurrency, left: 0 } as const)
          : { name: tightest.window, limit: tightest.limit, left: leftIn(tightest, at) };
      return {
        isRefused,
        policy: rules.map((rule) => ({
          limit: rule.limit,
          seconds: rule.window === 'month' ? secondsLeft(rule) : (FIXED[rule.window] ?? 0) / 1000,
        })),
        primary: { limit: primary.limit, left: leftIn(primary, at) },
        resets: isRefused ? wait : secondsLeft(primary),
        tightest: named,
        retryAfter: isRefused ? wait : undefined,
      };
    },
    leave() {
      running -= 1;
    },
  };
}

function startOf(window: Rule['window'], at: number): number {
  const length = FIXED[window];
  if (length !== undefined) return at - (at % length);
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
}

function endOf(window: Rule['window'], at: number): number {
  const length = FIXED[window];
  if (length !== undefined) return startOf(window, at) + length;
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}
