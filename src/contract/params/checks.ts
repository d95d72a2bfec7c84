import type { Finding } from '../../errors.ts';
import { isoSeconds } from '../time/time.ts';
import type { Args } from './param.ts';

/** What a rule over several arguments gets to see. */
interface CheckContext {
  readonly args: Args;
  /** Names of the query parameters that somebody gave; the others have their defaults. */
  readonly given: ReadonlySet<string>;
  /** Unix seconds. */
  readonly now: number;
}

/** A rule over several arguments, or over one and the clock: what it finds wrong. */
export type Check = (context: CheckContext) => Finding | undefined;

/** A window that starts in the future with no end given is empty, not wrong. See docs/interface.md#dates-and-times. */
export const datesInOrder: Check = ({ args, given }) => {
  const { start_date: start, end_date: end } = args;
  if (typeof start !== 'string' || typeof end !== 'string' || start <= end || !given.has('end_date')) return undefined;
  return wrong(['query', 'start_date'], start, 'start_date must not be after end_date');
};

/** Like `datesInOrder`, for a route whose parameter `date` beats the window. */
export const windowInOrder: Check = (context) => (context.args.date === undefined ? datesInOrder(context) : undefined);

/** A window of instants is in order and spans so many days at most. */
export function spanWithin(days: number): Check {
  return ({ args, given }) => {
    const [start, end] = [args.start_time, args.end_time].map((time) => Date.parse(String(time)));
    if (start === undefined || end === undefined || Number.isNaN(start) || Number.isNaN(end)) return undefined;
    const loc = ['query', 'start_time'];
    if (start > end)
      return given.has('end_time') ? wrong(loc, args.start_time, 'start_time must not be after end_time') : undefined;
    return end - start > days * 86_400_000
      ? wrong(loc, args.start_time, `start_time and end_time must not be more than ${days} days apart`)
      : undefined;
  };
}

export const baseDiffersFromQuote: Check = ({ args }) =>
  args.base !== undefined && args.base === args.quote
    ? wrong(['path', 'quote'], args.quote, 'base and quote must differ')
    : undefined;

/** What was known at an instant is told of the past only. */
export const knownByNow: Check = ({ args, now }) =>
  typeof args.as_of === 'number' && args.as_of > now
    ? wrong(['query', 'as_of'], isoSeconds(args.as_of), 'as_of must not be in the future')
    : undefined;

/** A finding in the words of the service's list. */
export function wrong(loc: Finding['loc'], input: unknown, rule: string): Finding {
  return { loc, msg: `Value error, ${rule}`, type: 'value_error', input: String(input) };
}
