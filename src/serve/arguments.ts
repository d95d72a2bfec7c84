import type { Endpoint } from '../contract/endpoint.ts';
import type { Args } from '../contract/params.ts';
import { type RawArgs, readParams } from '../contract/read-params.ts';
import { MacroError } from '../errors.ts';
import type { ServerParts } from './options.ts';

/** `now` is in milliseconds. */
export type ReadArguments = (endpoint: Endpoint, raw: RawArgs, now: number) => Args | Promise<Args>;

/** Words of a kind that the mirror holds for an endpoint, as of a version of the mirror. */
interface HeldWords {
  readonly version: number;
  readonly words: ReadonlySet<string>;
}

/**
 * Makes the strict reader of arguments. Walk: the tables of the contract decide; only when they refuse does the mirror
 * get a say, since a word that it holds is legal after all. So an ordinary request never reads the list of series.
 */
export function createArgumentReader(mirror: ServerParts['mirror']): ReadArguments {
  const held = new Map<string, HeldWords>();
  const wordsOf = async (endpoint: Endpoint, source: NonNullable<ServerParts['mirror']>): Promise<HeldWords> => {
    const version = source.version();
    const known = held.get(endpoint.id);
    if (known?.version === version) return known;
    const series = await source.find({ endpoint: endpoint.id, scope: {} });
    const words = new Set<string>();
    for (const { scope } of series)
      for (const [name, value] of Object.entries(scope)) words.add(`${nounOf(endpoint, name)} ${value}`);
    const fresh = { version, words };
    held.set(endpoint.id, fresh);
    return fresh;
  };
  return (endpoint, raw, now) => {
    try {
      return readParams(endpoint, raw, { mode: 'strict', now }).args;
    } catch (error) {
      if (!mirror || !endpoint.mirror || !(error instanceof MacroError)) throw error;
      return wordsOf(endpoint, mirror).then(({ words }) => {
        const holds = (name: string, value: string) => words.has(`${nounOf(endpoint, name)} ${value}`);
        return readParams(endpoint, raw, { mode: 'strict', now, holds }).args;
      });
    }
  };
}

/** A currency that is held as a quote is as good a base: what is held counts for every argument of its kind. */
function nounOf(endpoint: Endpoint, name: string): string {
  return (endpoint.at[name] ?? endpoint.query[name])?.member?.noun ?? name;
}

/** The arguments of a URL as they stand there. Of a repeated parameter the last one wins. */
export function queryOf(url: string): Readonly<Record<string, string>> {
  const mark = url.indexOf('?');
  return mark < 0 ? {} : Object.fromEntries(new URLSearchParams(url.slice(mark + 1)));
}
