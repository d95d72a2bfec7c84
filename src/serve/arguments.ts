import type { Endpoint } from '../contract/endpoint.ts';
import type { RawArgs } from '../contract/params/param.ts';
import type { Args } from '../contract/params/params.ts';
import { type ReadArgs, readParams } from '../contract/params/read-params.ts';
import { MacroError } from '../errors.ts';
import type { Mirror } from '../mirror/api/mirror.ts';
import type { StoredSeries } from '../mirror/api/series.ts';

/** `now` is in milliseconds. */
export type ReadArguments = (endpoint: Endpoint, raw: RawArgs, now: number) => ReadArgs | Promise<ReadArgs>;

/** Reads arguments strictly; refused words may be in the mirror, or a service says itself which it has. */
export function createArgumentReader(mirror: Pick<Mirror, 'find'> | undefined, asksService = false): ReadArguments {
  return (endpoint, raw, now) => {
    try {
      return readParams(endpoint, raw, { mode: 'strict', now });
    } catch (error) {
      if (!mirror || !(error instanceof MacroError)) throw error;
      return wordsFor(mirror, endpoint, readLiberally(endpoint, raw, now)).then((words) => {
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

/** The stored words of each kind; undefined for an endpoint without series. */
async function wordsFor({ find }: Pick<Mirror, 'find'>, endpoint: Endpoint, args: Args | undefined) {
  const keeper = endpoint.sameAs?.endpoint ?? endpoint;
  if (keeper.mirror) return wordsIn(keeper, await find({ endpoint: keeper.id, scope: {} }));
  if (!keeper.compose) return undefined;
  const refs = args ? keeper.compose.reads(args) : [];
  return wordsIn(endpoint, (await Promise.all(refs.map((ref) => find(ref)))).flat());
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
