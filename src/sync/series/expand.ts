import type { Endpoint } from '../../contract/endpoint.ts';
import catalogue from '../../endpoints/catalogue/catalogue.ts';
import type { Mirror } from '../../mirror/api/mirror.ts';
import { selectTargets } from './select.ts';
import type { SyncTarget } from './target.ts';

/** What words mean, as far as the mirror knows. */
export interface Expanded {
  readonly targets: readonly SyncTarget[];
  /** Catalogues that tell which indicators a currency has: asked first, as the words leave the indicator out. */
  readonly catalogues: readonly SyncTarget[];
  /** Currencies of which no catalogue is stored: their indicators are not among the targets. */
  readonly unknown: readonly string[];
  /** Sentences about words that our tables do not know. */
  readonly notes: readonly string[];
}

/** Reads words into targets with the catalogues that the mirror holds. Nobody is contacted. */
export async function expandWords(
  words: readonly string[],
  { endpoints, mirror, now }: { endpoints: readonly Endpoint[]; mirror: Mirror | undefined; now: number },
): Promise<Expanded> {
  const requested = new Map<string, readonly string[]>();
  const indicatorsOf = async (currency: string) => {
    const slugs = requested.get(currency) ?? (await heldIndicators(mirror, currency));
    requested.set(currency, slugs);
    return slugs;
  };
  const notes = new Set<string>();
  const onNote = (note: string) => void notes.add(note);
  const targets = await selectTargets(words, { endpoints, now, indicatorsOf, onNote });
  const currencies = [...requested.keys()];
  const isCatalogue = ({ endpoint, args }: SyncTarget, currency: string) =>
    endpoint.id === catalogue.id && args.currency === currency;
  const catalogues = await Promise.all(
    currencies.map(
      async (currency): Promise<SyncTarget> =>
        targets.find((target) => isCatalogue(target, currency)) ?? (await catalogueOf(currency, endpoints, now)),
    ),
  );
  return {
    targets: targets.filter((target) => !catalogues.includes(target)),
    catalogues,
    unknown: currencies.filter((currency) => requested.get(currency)?.length === 0),
    notes: [...notes],
  };
}

async function catalogueOf(currency: string, endpoints: readonly Endpoint[], now: number): Promise<SyncTarget> {
  const options = { endpoints, now, indicatorsOf: async () => [] };
  const [target] = await selectTargets(['catalogue', currency], options);
  return target ?? { endpoint: catalogue, args: { currency } };
}

async function heldIndicators(mirror: Mirror | undefined, currency: string): Promise<readonly string[]> {
  const stored = (await mirror?.find({ endpoint: catalogue.id, scope: { currency } })) ?? [];
  const rows = await Promise.all(stored.map(async (series) => (await mirror?.rows(series, {})) ?? []));
  return [...new Set(rows.flat().map(({ key }) => String(key[0])))];
}
