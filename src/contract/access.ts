import { MacroError } from '../errors.ts';

/** `public` needs no key, `usd` one for every other currency, `keyed` always one. See docs/interface-access.md#access. */
export interface Access {
  readonly class: 'public' | 'usd' | 'keyed';
  /** Keyless callers see the last 90 days only, compared with the row's `date`. */
  readonly window?: boolean;
  /** Keyless callers see a release 15 minutes after its publication, on a five-minute grid. */
  readonly delayed?: boolean;
  /** A keyless list filter (`currencies`) is narrowed to its public part instead of being refused. */
  readonly narrows?: string;
  /** The currency is known only from the stored data, so the endpoint's hook judges access. */
  readonly late?: boolean;
}

export const KEYLESS_DAYS = 90;
export const DELAY_SECONDS = 900;
export const DELAY_STEP_SECONDS = 300;

/** The currency that keyless callers may read. */
export const PUBLIC_CURRENCY = 'USD';

/** The refusal of a question without a key. `currency` where another one would have been answered. */
export function keyRequired(currency: string | undefined, subscribeUrl: string): MacroError {
  return new MacroError('auth', `This route needs an API key${currency === undefined ? '' : ` for ${currency}`}.`, {
    status: 401,
    code: 'api_key_required',
    extra: { subscribe_url: subscribeUrl },
  });
}

/** Newest release time (Unix seconds) that a keyless caller may read at `now` (Unix seconds). */
export function releaseCutoff(now: number): number {
  return Math.floor((now - DELAY_SECONDS) / DELAY_STEP_SECONDS) * DELAY_STEP_SECONDS;
}

/** The moment (Unix seconds) at which a release becomes readable without a key. */
export function readableAt(release: number): number {
  return Math.ceil(release / DELAY_STEP_SECONDS) * DELAY_STEP_SECONDS + DELAY_SECONDS;
}

/** A key shows nothing more than its absence does, wherever there is an answer without one. */
export function isSameForAll(access: Access): boolean {
  return access.class === 'public' || (access.class === 'usd' && !access.window && !access.delayed);
}

/** True when this question needs a key. `args.currency` decides on mixed routes. */
export function needsKey(access: Access, args: Readonly<Record<string, unknown>>): boolean {
  if (access.class === 'public') return false;
  if (access.class === 'keyed') return true;
  if (access.late) return false;
  if (access.narrows !== undefined) {
    const requested = args[access.narrows];
    if (!Array.isArray(requested) || requested.length === 0) return false;
    return !requested.some((code) => code === 'usd' || code === 'all' || code === 'g10');
  }
  return args.currency !== PUBLIC_CURRENCY;
}
