import type { Endpoint } from '../contract/endpoint.ts';
import type { RawArgs } from '../contract/params/param.ts';
import type { Args } from '../contract/params/params.ts';
import { type ReadArgs, readParams } from '../contract/params/read-params.ts';
import { MacroError } from '../errors.ts';
import type { Mirror, MirrorState } from '../mirror/api/mirror.ts';
import type { StoredSeries } from '../mirror/api/series.ts';

/** `now` is in milliseconds. */
export type ReadArguments = (endpoint: Endpoint, raw: RawArgs, now: number) => ReadArgs | Promise<ReadArgs>;

/** Tells which words there are. */
type Words = Pick<Mirror, 'look' | 'find'>;

/** Words of a kind that the mirror holds for an endpoint, in a state of the mirror. */
interface HeldWords {
  readonly state: MirrorState;
  readonly words: ReadonlySet<string>;
}

/**
 * Reads arguments strictly by the contract's tables; only for refused words the mirror's series are read. Where a service is
 * asked, it says itself which indicators it has.
 */
export function createArgumentReader(mirror: Words | undefined, asksService = false): ReadArguments {
  const cached = new Map<string, HeldWords>();
  const wordsOf = async (endpoint: Endpoint, source: Words): Promise<HeldWords> => {
    const state = await source.look();
    const known = cached.get(endpoint.id);
    if (known?.state === state) return known;
    const series = await source.find({ endpoint: endpoint.id, scope: {} });
    const fresh = { state, words: wordsIn(endpoint, series) };
    cached.set(endpoint.id, fresh);
    return fresh;
  };
  const wordsFor = async (endpoint: Endpoint, raw: RawArgs, at: Asking): Promise<ReadonlySet<string> | undefined> => {
    const keeper = endpoint.sameAs?.endpoint ?? endpoint;
    if (keeper.mirror) return (await wordsOf(keeper, at.source)).words;
    if (!keeper.compose) return undefined;
    const args = readLiberally(endpoint, raw, at.now);
    const refs = args ? keeper.compose.reads(args) : [];
    return wordsIn(endpoint, (await Promise.all(refs.map((ref) => at.source.find(ref)))).flat());
  };
  return (endpoint, raw, now) => {
    try {
      return readParams(endpoint, raw, { mode: 'strict', now });
    } catch (error) {
      if (!mirror || !(error instanceof MacroError)) throw error;
      return wordsFor(endpoint, raw, { source: mirror, now }).then((words) => {
        if (!words) throw error;
        const holds = (name: string, value: string) => {
          const noun = nounOf(endpoint, name);
          return words.has(`${noun} ${value}`) || (asksService && noun === 'indicator');
        };
        return readParams(endpoint, raw, { mode: 'strict', now, holds });
      });
    }
  };
}

/** The question with its unknown words: it names the series of others that its answer is made of. */
function readLiberally(endpoint: Endpoint, raw: RawArgs, now: number): Args | undefined {
  try {
    return readParams(endpoint, raw, { mode: 'liberal', now }).args;
  } catch (error) {
    if (error instanceof MacroError) return undefined;
    throw error;
  }
}

interface Asking {
  readonly source: Words;
  /** Milliseconds. */
  readonly now: number;
}

function wordsIn(endpoint: Endpoint, series: readonly StoredSeries[]): ReadonlySet<string> {
  const words = new Set<string>();
  for (const { scope } of series)
    for (const [name, value] of Object.entries(scope)) words.add(`${nounOf(endpoint, name)} ${value}`);
  return words;
}

/** Arguments share the stored words of their kind: a currency stored as a quote is also accepted as a base. */
function nounOf(endpoint: Endpoint, name: string): string {
  return (endpoint.at[name] ?? endpoint.query[name])?.member?.noun ?? name;
}

/** The arguments of a URL as they stand there. The last value of a repeated parameter wins. */
export function queryTextOf(url: string): Readonly<Record<string, string>> {
  const mark = url.indexOf('?');
  return mark < 0 ? {} : Object.fromEntries(new URLSearchParams(url.slice(mark + 1)));
}
