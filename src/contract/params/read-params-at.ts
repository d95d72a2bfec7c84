import type { Endpoint } from '../endpoint.ts';
import type { AsOf } from '../time/as-of.ts';
import type { RawArgs } from './param.ts';
import type { Args } from './params.ts';
import { type ReadArgs, type ReadOptions, readParams } from './read-params.ts';

export interface ReadOptionsAt extends ReadOptions {
  /** The moment of the past that the question is put at; undefined for a question about now. */
  readonly asOf: AsOf | undefined;
}

/** Arguments, and the moment that the mirror is read at. */
export interface ReadArgsAt extends ReadArgs {
  readonly asOf: AsOf | undefined;
}

/**
 * Reads the raw arguments of a question that may be put at a moment of the past. Such a question is put on the day of its
 * moment: windows that nobody gave end there. An endpoint that has parameters for the moment is told by them.
 *
 * @throws MacroError of kind `notFound` or `usage`.
 */
export function readParamsAt(endpoint: Endpoint, raw: RawArgs, { asOf, now, ...options }: ReadOptionsAt): ReadArgsAt {
  if (!asOf) return { ...readParams(endpoint, raw, { ...options, now }), asOf };
  const query = { ...raw.query, ...momentQuery(endpoint, asOf) };
  const { args, ...read } = readParams(endpoint, { ...raw, query }, { ...options, now: asOf.at });
  return { ...read, args: withAvailability(endpoint, args, asOf), asOf: momentOfReading(endpoint, asOf) };
}

/** True where the endpoint is told the moment of a question; a schedule of a moment has its own in any case. */
export function takesMoment({ query }: Endpoint): boolean {
  return query.as_of !== undefined && !query.as_of.required;
}

/** The moment as the endpoint's own parameters: what this mirror held is no choice of the interface. */
function momentQuery(endpoint: Endpoint, { at, by }: AsOf): RawArgs['query'] {
  return {
    ...(takesMoment(endpoint) && { as_of: String(Math.floor(at / 1000)) }),
    ...(endpoint.query.availability && by === 'captured' && { availability: by }),
  };
}

/** The arguments of a question to this mirror name whose knowledge counts, where the interface has no word for it. */
function withAvailability({ query }: Endpoint, args: Args, { by }: AsOf): Args {
  return by === 'mirrored' && query.as_of && query.availability ? { ...args, availability: by } : args;
}

/**
 * The moment that the mirror is read at. Forecasts are chosen by when they were made, which their own `as_of` does: only
 * what the service or this mirror had of them is a matter of reading.
 */
function momentOfReading(endpoint: Endpoint, asOf: AsOf): AsOf | undefined {
  return takesMoment(endpoint) && !endpoint.query.availability && asOf.by === 'public' ? undefined : asOf;
}
