// Asks the service for many callers: equal work is done once, and a service that fails is left alone for a while.
import { MacroError } from '../../errors.ts';
import type { Mirror } from '../../mirror/api/mirror.ts';
import type { Clock } from '../../platform/platform.ts';
import { isForeign } from '../live.ts';
import type { CacheOutcome, Question, Reply } from '../source.ts';

export interface ServiceAsks {
  /** Seconds until the service is asked again; five where it may be asked now. */
  restOfPause(): number;
  /** Does work under a name once at a time: whoever comes meanwhile shares it. */
  once<T>(name: string, work: () => Promise<T>): Promise<{ readonly done: T; readonly cached: CacheOutcome }>;
  /** Refuses data of another kind than the mirror: unstored data was not compared yet. */
  refuseOtherKind(reply: Pick<Reply, 'synthetic'>): Promise<void>;
}

export interface ServiceAsking {
  readonly mirror: Pick<Mirror, 'stamp'>;
  readonly clock: Pick<Clock, 'now'>;
  /** Called once with the reason why the service is left alone for a while. */
  readonly onFailure: ((error: MacroError) => void) | undefined;
}

/** Milliseconds for which a service that did not answer is not asked again. */
const PAUSE = 5000;

/** The same where the service asks for more: it may have meant something else. See docs/interface.md. */
export const MAX_PAUSE = 60_000;

/** Makes the one place that asks. @throws MacroError of kind `mirror` for data that do not belong into this mirror. */
export function createServiceAsks({ mirror, clock, onFailure }: ServiceAsking): ServiceAsks {
  const underWay = new Map<string, Promise<unknown>>();
  let failing: { readonly error: MacroError; readonly until: number } | undefined;

  async function attempt<T>(work: () => Promise<T>): Promise<T> {
    if (failing && clock.now() < failing.until) throw failing.error;
    try {
      const done = await work();
      failing = undefined;
      return done;
    } catch (error) {
      const until = error instanceof MacroError ? untilOf(error, clock.now()) : undefined;
      if (!(error instanceof MacroError) || until === undefined) throw error;
      if (failing === undefined || failing.until <= clock.now()) onFailure?.(error);
      failing = { error: isForeign(error) ? foreignData(error) : error, until };
      throw failing.error;
    }
  }

  return {
    restOfPause() {
      const rest = (failing?.until ?? 0) - clock.now();
      return Math.ceil(Math.min(rest > 0 ? rest : PAUSE, MAX_PAUSE) / 1000);
    },
    async once<T>(name: string, work: () => Promise<T>) {
      const shared = underWay.get(name);
      // A name stands for one kind of work.
      if (shared) return { done: (await shared) as T, cached: { is: 'collapsed' } };
      const asking = attempt(work).finally(() => underWay.delete(name));
      underWay.set(name, asking);
      return { done: await asking, cached: { is: 'miss' } };
    },
    async refuseOtherKind({ synthetic }) {
      const { nature } = await mirror.stamp();
      if (nature === undefined || (nature === 'synthetic') === synthetic) return;
      throw new MacroError('mirror', `The mirror has ${nature} data, and the service sent other data.`, {
        code: 'mirror_nature',
        hint: 'Keep it in a mirror of its own: --mirror FILE.',
      });
    },
  };
}

/** Equal questions have equal names, whatever the order of their arguments. */
export function nameOfQuestion({ endpoint, args }: Question): string {
  const set = Object.entries(args).filter(([, value]) => value !== undefined);
  return JSON.stringify([endpoint.id, set.sort(([a], [b]) => (a < b ? -1 : 1))]);
}

const UNREACHABLE: ReadonlySet<number> = new Set([502, 503, 504]);

/** Until when a service is not asked again after a failure; undefined where another question may succeed. */
function untilOf(error: MacroError, now: number): number | undefined {
  if (isForeign(error)) return Number.POSITIVE_INFINITY;
  const { kind, status, retryAfter = 0 } = error;
  if (kind !== 'upstream' || (status !== undefined && !UNREACHABLE.has(status))) return undefined;
  return now + Math.max(PAUSE, Math.min(MAX_PAUSE, retryAfter * 1000));
}

/** Callers must not see the cause, which may name the file and its content. */
function foreignData(cause: MacroError): MacroError {
  return new MacroError('upstream', 'The service sent data that does not belong into this mirror.', { cause });
}
