import type { Caller } from '../../contract/hooks.ts';
import { cutBody } from '../../contract/json/body.ts';
import type { Args } from '../../contract/params/params.ts';
import changes from '../../endpoints/announcements/changes.ts';
import { MacroError } from '../../errors.ts';
import type { Source } from '../../source/source.ts';
import type { StreamEvent } from './frames.ts';

/** Events from a position on, and the position behind them. */
export interface ChangesRange {
  readonly events: readonly StreamEvent[];
  readonly cursor: string;
  /** Events may be missing among them: nobody watched for all of their time, or they are not kept any more. */
  readonly isBroken: boolean;
  /** The events were generated. */
  readonly synthetic: boolean;
}

/** What a subscriber wants to hear of. */
export interface StreamFilter {
  readonly currencies: unknown;
  readonly indicators: unknown;
  readonly payload: unknown;
  /** Milliseconds; an older event is not told. */
  readonly maxAge: number | undefined;
}

/** Everything, whatever it is about: what positions are looked up in. */
export const ANYTHING: StreamFilter = {
  currencies: undefined,
  indicators: undefined,
  payload: 'compact',
  maxAge: undefined,
};

export interface ChangesAsk {
  readonly filter: StreamFilter;
  /** A cursor, or Unix seconds. */
  readonly since: string;
  readonly caller: Caller;
  /** Milliseconds. */
  readonly now: number;
  /** Events at most; all that there are when left out. */
  readonly limit?: number;
}

/** One page that holds everything: the mirror knows no page size. */
const WHOLE = 1_000_000_000;

/**
 * Reads events as the route of changes would answer them, so that stream and polling have one order, one set of rules for
 * access and delay, and one form of an event. A mirror that holds no events has none.
 */
export async function readChanges(ask: Source['ask'], question: ChangesAsk): Promise<ChangesRange> {
  const { filter, since, caller, now, limit = WHOLE } = question;
  const args: Args = {
    currencies: filter.currencies,
    indicators: filter.indicators,
    payload: filter.payload,
    since,
    limit,
  } as Args; // values that the stream's own contract has read by the same rules
  try {
    const { body, synthetic } = await ask({ endpoint: changes, args }, { caller, now });
    const { envelope, rows } = cutBody(changes.body, body);
    return {
      events: rows.map(({ value, text }) => ({ id: String(value.event_id), timestamp: Number(value.timestamp), text })),
      cursor: String(envelope.next_cursor),
      isBroken: envelope.gap === true,
      synthetic,
    };
  } catch (error) {
    if (error instanceof MacroError && error.kind === 'notFound')
      return { events: [], cursor: since, isBroken: false, synthetic: false };
    throw error;
  }
}
