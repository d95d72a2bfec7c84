import type { Finding } from '../errors.ts';
import type { Args } from './param.ts';

/** What a rule over several arguments gets to see. */
export interface CheckContext {
  readonly args: Args;
  /** Names of the query parameters that somebody gave; the others have their defaults. */
  readonly given: ReadonlySet<string>;
  /** Unix seconds. */
  readonly now: number;
}

/** A rule over several arguments, or over one and the clock: what it finds wrong. */
export type Check = (context: CheckContext) => Finding | undefined;

/** A window that starts in the future with no end given is empty, not wrong. Wire facts, section 16. */
export const datesInOrder: Check = ({ args, given }) => {
  const { start_date: start, end_date: end } = args;
  if (typeof start !== 'string' || typeof end !== 'string' || start <= end || !given.has('end_date')) return undefined;
  return wrong(['query', 'start_date'], start, 'start_date must not be after end_date');
};

export const baseDiffersFromQuote: Check = ({ args }) =>
  args.base !== undefined && args.base === args.quote
    ? wrong(['path', 'quote'], args.quote, 'base and quote must differ')
    : undefined;

/** A finding in the words of the service's list. */
export function wrong(loc: Finding['loc'], input: unknown, rule: string): Finding {
  return { loc, msg: `Value error, ${rule}`, type: 'value_error', input: String(input) };
}
