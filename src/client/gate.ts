import { MacroError } from '../errors.ts';
import type { Clock } from '../platform/platform.ts';
import type { QuotaGate } from './client.ts';
import { retryAfterOf } from './retry.ts';
import { waitText } from './text.ts';

/** Longest window of the service is a month: a longer reset is a wrong clock, not a budget. */
const LONGEST_RESET = 32 * 86_400;

export interface GateOptions {
  readonly clock: Clock;
  /** Milliseconds that a request may wait for room; default 5 s. */
  readonly maxWait?: number;
  /** Header prefix of the service; default `X-SVC`. */
  readonly headerPrefix?: string;
}

/**
 * A gate that lives as long as the program and knows only what answers have said: the requests left in the current
 * window and when it ends. It assumes no limit by itself.
 */
export function createQuotaGate(options: GateOptions): QuotaGate {
  const { clock, maxWait = 5000, headerPrefix = 'X-SVC' } = options;
  /** What is left until `until`; undefined while no answer has said anything. */
  let room: { left: number; until: number; window: string } | undefined;

  const waitNeeded = () => {
    if (room && clock.now() >= room.until) room = undefined;
    return room && room.left <= 0 ? room.until - clock.now() : 0;
  };

  return {
    async admit(signal) {
      // Others may have taken the room while this request slept.
      for (let wait = waitNeeded(); wait > 0; wait = waitNeeded()) {
        if (wait > maxWait) throw spent(room?.window ?? '', wait);
        await clock.sleep(wait, signal);
      }
      if (room) room.left -= 1;
    },
    observe(status, headers) {
      if (isEdgeHit(headers, headerPrefix)) {
        if (room) room.left += 1;
        return;
      }
      const told = readRoom(status, headers, clock.now());
      if (!told) return;
      // Inside one window answers arrive in any order: the smallest rest is the newest.
      const same = room && Math.abs(room.until - told.until) < 2000;
      room = same && room ? { ...told, left: Math.min(told.left, room.left) } : told;
    },
  };
}

/** True for an answer of the edge cache, which costs no quota. Wire facts, section 7. */
export function isEdgeHit(headers: Headers, headerPrefix: string): boolean {
  return headers.get(`${headerPrefix}-Edge-Cache`)?.trim().toUpperCase().startsWith('HIT') ?? false;
}

function readRoom(status: number, headers: Headers, now: number) {
  const reset = wholeNumber(headers.get('ratelimit-reset'));
  const seconds = status === 429 ? (retryAfterOf(headers, now) ?? reset) : reset;
  if (seconds === undefined || seconds > LONGEST_RESET) return undefined;
  const left = status === 429 ? 0 : wholeNumber(headers.get('ratelimit-remaining'));
  if (left === undefined) return undefined;
  const window = (headers.get('x-ratelimit-window') ?? '').trim().toLowerCase();
  return { left, until: now + seconds * 1000, window: /^[a-z]{1,20}$/.test(window) ? window : '' };
}

function wholeNumber(text: string | null): number | undefined {
  return text !== null && /^\s*\d{1,12}\s*$/.test(text) ? Number(text) : undefined;
}

function spent(window: string, wait: number): MacroError {
  const seconds = Math.ceil(wait / 1000);
  const budget = window === '' ? 'The request budget' : `The request budget of this ${window}`;
  return new MacroError('quota', `${budget} is used up; it frees in ${waitText(seconds)}.`, {
    code: 'rate_limit_exceeded',
    retryAfter: seconds,
    hint: 'Wait until then and run it again; with --offline the mirror answers.',
  });
}
