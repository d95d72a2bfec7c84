import type { Finding } from '../../errors.ts';
import type { JsonObject } from '../json/json.ts';
import { addDays, isoSeconds } from '../time/time.ts';

/** The value of a parameter after reading: lists keep their order, dates stay `YYYY-MM-DD`, instants become Unix seconds. */
export type ArgValue = string | number | boolean | readonly string[];
export type Args = Readonly<Record<string, ArgValue | undefined>>;

/** Why a raw value was refused, in the words of the service's validation list. */
export interface Fault {
  readonly type: string;
  readonly msg: string;
  readonly ctx?: Readonly<Record<string, string | number>>;
}

export type Decoded<T> = { readonly value: T } | { readonly fault: Fault };

/** A table of known words. The tables age, so only `serve` refuses other words. */
export interface Membership {
  readonly set: readonly string[];
  /** The answer of `serve` to an unknown word: a finding (422), "no such thing" (404), or a note for a filter. */
  readonly unknown: 404 | 422 | 'noted';
  /** A word that is not even of the right form is a finding (422), whatever an unknown one is. */
  readonly formed?: true;
  readonly noun: 'currency' | 'indicator';
}

/** A word inside of a list, with the table that it should stand in. */
export interface ParamPart {
  /** The kind of the word: the name that it would have as a path argument. */
  readonly name: string;
  readonly word: string;
  readonly member: Membership;
}

/** A question while it is being read. */
export interface ParamReading {
  /** Milliseconds. */
  readonly now: number;
  /** Arguments read so far, in the order of the contract. */
  readonly args: Args;
}

export interface Param<T extends ArgValue = ArgValue, Given extends boolean = boolean> {
  readonly kind: string;
  readonly doc: string;
  /** JSON Schema of the value as it stands in a URL. */
  readonly schema: JsonObject;
  /** Closed choices, for completion and did-you-mean. */
  readonly words: readonly string[];
  readonly member?: Membership;
  /** The words of a list that stand in tables. */
  parts?(value: T): readonly ParamPart[];
  /** True when the reader always finds a value: it is required or has a default. */
  readonly given: Given;
  readonly required: boolean;
  /** The default on a given UTC date (`YYYY-MM-DD`), or of a question that is just being read. */
  readonly fallback?: (today: string, reading?: ParamReading) => T;
  /** True when the default moves with the date. */
  readonly fromToday?: boolean;
  decode(raw: string): Decoded<T>;
}

export type Params = Readonly<Record<string, Param>>;

/** The typed arguments of a set of parameters. */
export type ArgsOf<P extends Params> = {
  readonly [K in keyof P]: P[K] extends Param<infer T, infer Given> ? (Given extends true ? T : T | undefined) : never;
};
/**
 * The effect of a parameter outside of scope, window and paging on an answer. `adds`: members over the same rows, not
 * stored; `selects`: rows, with `column` by comparison; `orders`: rows; `changes`: values, not stored. `mirrored`: the
 * mirror can compute them.
 */
export type Effect =
  | { readonly does: 'adds'; readonly rows: readonly string[]; readonly beside: readonly string[] }
  | { readonly does: 'selects'; readonly column?: string }
  | { readonly does: 'orders' }
  | { readonly does: 'changes'; readonly mirrored: boolean };

/** The input of a rule over several arguments. */
interface CheckContext {
  readonly args: Args;
  /** Names of the query parameters that somebody gave; the others have their defaults. */
  readonly given: ReadonlySet<string>;
  /** Unix seconds. */
  readonly now: number;
}

/** A rule over several arguments, or over one and the clock: what it finds wrong. */
export type Check = (context: CheckContext) => Finding | undefined;

/** The same parameter, not required: its value may be undefined. */
export function optional<T extends ArgValue>(param: Param<T, true>): Param<T, false> {
  return { ...param, given: false, required: false };
}

export function withDefault<T extends ArgValue>(param: Param<T, true>, value: T): Param<T, true> {
  return { ...param, required: false, fallback: () => value, schema: { ...param.schema, default: value } };
}

/** The same parameter with a default that follows from the moment or from arguments before it; `told` says which. */
export function movingDefault<T extends ArgValue>(
  param: Param<T, true>,
  message: string,
  read: (reading: ParamReading) => T,
): Param<T, true> {
  const start = (today: string): ParamReading => ({ now: Date.parse(today) || 0, args: {} });
  return {
    ...param,
    doc: `${param.doc}; default ${message}`,
    required: false,
    fromToday: true,
    fallback: (today, reading = start(today)) => read(reading),
  };
}

/** A date parameter whose default is so many days before today (UTC); after it when negative. */
export function daysAgo(param: Param<string, true>, days: number): Param<string, true> {
  const doc = `${param.doc}; default ${days === 0 ? 'today' : days < 0 ? `${-days} days ahead` : `${days} days ago`}`;
  return { ...param, doc, required: false, fromToday: true, fallback: (today) => addDays(today, -days) };
}

/** Arguments as they were typed or sent, before any reading. */
export interface RawArgs {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | undefined>>;
}

/** A finding of a decoder, by the words of the service. */
export const fault = (type: string, msg: string, ctx?: Fault['ctx']): { readonly fault: Fault } => ({
  fault: { type, msg, ...(ctx && { ctx }) },
});

/** The finding of a word outside of a list. */
export function notAmong(words: readonly string[]): { readonly fault: Fault } {
  const expected = words.map((word) => `'${word}'`).join(', ');
  return fault('enum', `Input should be ${expected}`, { expected });
}

/** The finding of a text of another length or form; undefined where it fits. */
export function textFault(
  text: string,
  { min, max, pattern }: { readonly min?: unknown; readonly max?: unknown; readonly pattern?: RegExp | undefined },
): { readonly fault: Fault } | undefined {
  if (typeof min === 'number' && text.length < min)
    return fault('string_too_short', `String should have at least ${min} ${min === 1 ? 'character' : 'characters'}`, {
      min_length: min,
    });
  if (typeof max === 'number' && text.length > max)
    return fault('string_too_long', `String should have at most ${max} characters`, { max_length: max });
  if (!pattern || pattern.test(text)) return undefined;
  const { source } = pattern;
  return fault('string_pattern_mismatch', `String should match pattern '${source}'`, { pattern: source });
}

/** The finding of a number outside of its bounds; undefined where it lies within. */
export function boundsFault(
  value: number,
  { min, max }: { readonly min?: unknown; readonly max?: unknown },
): { readonly fault: Fault } | undefined {
  if (typeof min === 'number' && value < min)
    return fault('greater_than_equal', `Input should be greater than or equal to ${min}`, { ge: min });
  if (typeof max === 'number' && value > max)
    return fault('less_than_equal', `Input should be less than or equal to ${max}`, { le: max });
  return undefined;
}

interface Kind<T extends ArgValue> {
  readonly kind: string;
  readonly schema: JsonObject;
  readonly words?: readonly string[];
  readonly member?: Membership;
  readonly decode: (raw: string) => Decoded<T>;
}

/** A parameter of a kind, required until `optional` or `withDefault` says otherwise. */
export function required<T extends ArgValue>(doc: string, kind: Kind<T>): Param<T, true> {
  return { words: [], ...kind, doc, given: true, required: true };
}

export function adds(members: { readonly rows?: readonly string[]; readonly beside?: readonly string[] }): Effect {
  return { does: 'adds', rows: members.rows ?? [], beside: members.beside ?? [] };
}

/** Rows with the asked value in a column. */
export const selectsBy = (column: string): Effect => ({ does: 'selects', column });

/** Rows that only the endpoint's hooks can pick. */
export const selects: Effect = { does: 'selects' };
export const orders: Effect = { does: 'orders' };
export const changes: Effect = { does: 'changes', mirrored: true };

/** Other values that only the service can tell. */
export const changesAtService: Effect = { does: 'changes', mirrored: false };

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

/** The state at an instant exists for the past only. */
export const knownByNow: Check = ({ args, now }) =>
  typeof args.as_of === 'number' && args.as_of > now
    ? wrong(['query', 'as_of'], isoSeconds(args.as_of), 'as_of must not be in the future')
    : undefined;

/** A finding in the words of the service's list. */
export function wrong(loc: Finding['loc'], input: unknown, rule: string): Finding {
  return { loc, msg: `Value error, ${rule}`, type: 'value_error', input: String(input) };
}
