import { MacroError, retold } from '../../errors.ts';
import type { Clock, Platform } from '../../platform/platform.ts';
import { waitText } from '../text.ts';

/** At most four tries, `Retry-After` honoured up to a minute by default. See docs/interface-access.md#retries. */
const TRIES = 4;
const LONGEST_WAIT = 60;
const FIRST_PAUSE = 250;

const TRANSIENT: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);
/** Codes of failures without an answer that another try cannot mend. */
const FINAL: ReadonlySet<string> = new Set(['certificate', 'proxy_refused', 'redirect_refused']);

export interface Wait {
  readonly ms: number;
  /** The reason of the wait, as one sentence. */
  readonly reason: string;
}

interface RetryOptions {
  readonly platform: Pick<Platform, 'clock' | 'random'>;
  readonly signal: AbortSignal | undefined;
  /** The shared limits of all tries. */
  readonly time: TimeBudget;
  readonly onWait: ((wait: Wait) => void) | undefined;
  /** Seconds that a refusal for the budget may ask for, and no other one more. */
  readonly longestWait?: number | undefined;
}

/** The time that one request has for all its tries. */
export interface TimeBudget {
  /** Milliseconds left; none or less when it is spent. */
  left(): number;
  /** Waits without spending any: for quota, or because the service asked for it. */
  waiting<T>(wait: () => Promise<T>): Promise<T>;
}

/** The time between two tries. Times are milliseconds. */
interface PauseAsk {
  /** Failures in a row up to this pause. */
  readonly failures: number;
  /** Least wait; it doubles with each failure. */
  readonly first: number;
  /** The request of a refusal. */
  readonly retryAfter: number | undefined;
  /** In [0, 1). */
  readonly random: number;
}

const MAX_PAUSE_MS = 60_000;
/** Whoever asks for less would be asked in a loop. */
const SHORTEST = 250;

/** Runs `attempt` until it succeeds, fails for good, has been tried four times, or its time is spent. */
export async function withRetries<T>(attempt: () => Promise<T>, options: RetryOptions): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof MacroError) || !isTransient(error)) throw error;
      if ((error.retryAfter ?? 0) > longestFor(error, options)) throw asksToWait(error);
      if (tried === TRIES) throw retold(error, triedText(tried));
      const ms = pauseBefore({
        failures: tried - 1,
        first: FIRST_PAUSE,
        retryAfter: (error.retryAfter ?? 0) * 1000,
        random: options.platform.random.number(),
      });
      const sleep = () => options.platform.clock.sleep(ms, options.signal);
      if (error.retryAfter === undefined && ms >= options.time.left()) throw retold(error, triedText(tried));
      options.onWait?.({ ms, reason: error.message });
      await (error.retryAfter === undefined ? sleep() : options.time.waiting(sleep));
    }
  }
}

function longestFor({ status }: MacroError, { longestWait = LONGEST_WAIT }: RetryOptions): number {
  return status === 429 ? longestWait : Math.min(longestWait, LONGEST_WAIT);
}

function isTransient(error: MacroError): boolean {
  // Waiting does not bring the missing rows of another mirror.
  if (error.kind === 'incomplete') return false;
  if (error.status !== undefined) return TRANSIENT.has(error.status);
  // The time of all tries was up.
  return isUnanswered(error) && error.code !== 'timeout';
}

function triedText(tried: number): string {
  return tried === 1 ? 'Tried once.' : `Tried ${tried} times.`;
}

/** Nothing was answered, which may be another time. */
export function isUnanswered({ kind, code }: MacroError): boolean {
  return kind === 'upstream' && !FINAL.has(code ?? '');
}

function asksToWait(error: MacroError): MacroError {
  return retold(error, `The service asks to wait ${waitText(error.retryAfter ?? 0)}.`);
}

export function createTimeBudget(clock: Pick<Clock, 'now'>, ms: number): TimeBudget {
  let end = clock.now() + ms;
  return {
    // A clock that is set back gives no request more than it had.
    left: () => Math.min(ms, Math.ceil(end - clock.now())),
    async waiting(wait) {
      const from = clock.now();
      try {
        return await wait();
      } finally {
        end += Math.max(0, clock.now() - from);
      }
    },
  };
}

/** Milliseconds until the next try: doubled up to a minute, spread over the upper half, never sooner than asked. */
export function pauseBefore({ failures, first, retryAfter = 0, random }: PauseAsk): number {
  const least = Math.min(Math.max(first, SHORTEST), MAX_PAUSE_MS);
  const most = Math.min(least * 2 ** Math.min(failures + 1, 16), MAX_PAUSE_MS);
  const from = Math.max(least, most / 2);
  return Math.max(Math.round(from + random * (most - from)), retryAfter);
}
