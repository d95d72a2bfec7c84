import type { Endpoint } from '../../contract/endpoint.ts';
import type { Param } from '../../contract/params/param.ts';
import type { Args } from '../../contract/params/params.ts';
import { readParams } from '../../contract/params/read-params.ts';
import { MacroError } from '../../errors.ts';

/** Arguments as a program gives them, by the names of the interface. */
export type GivenArguments = Readonly<Record<string, unknown>>;

/** A question as it was read. */
export interface ReadQuestion {
  /** All arguments, those with defaults included. */
  readonly args: Args;
  /**
   * What was given. A service fills in the rest: its clock says which day is today, and may be another one than ours. Arguments
   * that are posted stand in a body whole.
   */
  readonly sent: Args;
  /** Sentences about words that our tables do not know. */
  readonly notes: readonly string[];
}

/**
 * Reads the arguments of a call as those of a URL are read, so that every face has the same rules. Words that our tables do
 * not know are left to whoever answers.
 *
 * @throws MacroError of kind `usage` for a name that the endpoint does not have, and for an illegal value.
 */
export function readArguments(endpoint: Endpoint, given: GivenArguments, now: number): ReadQuestion {
  const { at, query } = endpoint;
  const strange = Object.keys(given).filter((name) => !Object.hasOwn(at, name) && !Object.hasOwn(query, name));
  if (strange.length > 0)
    throw new MacroError('usage', `${endpoint.id} has no argument ${strange.join(', ')}.`, {
      hint: `Legal arguments: ${[...Object.keys(at), ...Object.keys(query)].join(', ') || 'none'}.`,
    });
  const rawOf = (params: Readonly<Record<string, Param>>) =>
    Object.fromEntries(
      Object.entries(params).flatMap(([name, param]) => {
        const value = given[name];
        return value === undefined || value === null ? [] : [[name, textOf(value, param)]];
      }),
    );
  const raw = { path: rawOf(at), query: rawOf(query) };
  const { args, notes } = readParams(endpoint, raw, { mode: 'liberal', now });
  // A page number was turned into an offset, which counts in pages of this limit.
  const pages = raw.query.page === undefined ? [] : ['limit', 'offset'];
  const named = new Set([...Object.keys(raw.path), ...Object.keys(raw.query), ...pages]);
  const sent = Object.fromEntries(Object.entries(args).filter(([name]) => named.has(name)));
  return { args, sent: endpoint.post ? args : sent, notes };
}

function textOf(value: unknown, param: Param): string {
  if (Array.isArray(value)) return value.map((one) => textOf(one, param)).join(',');
  if (!(value instanceof Date)) return String(value);
  return param.kind === 'date' ? value.toISOString().slice(0, 10) : value.toISOString();
}
