import { type Endpoint, unmetDemand } from '../../contract/endpoint.ts';
import type { Args } from '../../contract/params/params.ts';
import { readParams } from '../../contract/params/read-params.ts';
import { nearest } from '../../contract/words/nearest.ts';
import { MAIN_CURRENCIES } from '../../contract/words/words.ts';
import announcements from '../../endpoints/announcements/series.ts';
import catalogue from '../../endpoints/catalogue/catalogue.ts';
import { MacroError } from '../../errors.ts';
import type { Mirror } from '../../mirror/api/mirror.ts';

export interface SelectOptions {
  readonly endpoints: readonly Endpoint[];
  /** Milliseconds. */
  readonly now: number;
  /** Slugs that exist for a currency, asked when a selection leaves the indicator out. */
  readonly indicatorsOf: (currency: string) => Promise<readonly string[]>;
  /** Hears of words that our tables do not know: the tables age, so the service decides. */
  readonly onNote?: (note: string) => void;
}

/** The meaning of words, as far as the mirror knows. */
export interface Expanded {
  readonly targets: readonly SyncTarget[];
  /** Catalogues that tell which indicators a currency has: asked first, as the words leave the indicator out. */
  readonly catalogues: readonly SyncTarget[];
  /** Currencies of which no catalogue is stored: their indicators are not among the targets. */
  readonly unknown: readonly string[];
  /** Sentences about words that our tables do not know. */
  readonly notes: readonly string[];
}

type Selection = readonly string[];

/** One series to keep: an endpoint and the arguments that name the series. */
export interface SyncTarget {
  readonly endpoint: Endpoint;
  readonly args: Args;
  /** When the catalogue came that does not list it, in milliseconds: the series itself is asked whether it is there. */
  readonly unlistedAt?: number;
}

/**
 * Reads the words of a selection as those of commands: `fx eur usd`, `announcements usd`, `cot`; a currency is
 * everything of it, two are rates, `name=value` another series. Commas separate; a series is taken once.
 */
export async function selectTargets(words: readonly string[], options: SelectOptions): Promise<readonly SyncTarget[]> {
  const selections = words
    .join(' ')
    .split(',')
    .map((part) => part.trim().split(/\s+/).filter(Boolean))
    .filter((part) => part.length > 0);
  const targets = new Map<string, SyncTarget>();
  for (const selection of selections)
    for (const spelled of spellOut(selection, options.endpoints))
      for (const target of await selectOne(spelled, options)) targets.set(targetName(target), target);
  return [...targets.values()];
}

async function selectOne(typed: readonly string[], options: SelectOptions): Promise<SyncTarget[]> {
  const words = typed.filter((word) => !word.includes('='));
  const lower = words.map((word) => word.toLowerCase());
  const endpoint = longestMatch(lower, options.endpoints);
  if (!endpoint) throw unknownWords(words, options.endpoints);
  const given = splitPair(endpoint, words.slice(endpoint.cli?.words.length ?? 0));
  const names = Object.keys(endpoint.at);
  if (given.length > names.length) throw unknownWords(words, options.endpoints);
  const missing = names.slice(given.length).filter((name) => endpoint.at[name]?.required);
  const settings = settingsIn(typed, endpoint);
  const bind = (values: readonly string[], listed?: string): SyncTarget[] => {
    return (endpoint.mirror?.variants ?? [{}]).map((variant) => {
      const args = scopeArgs(endpoint, names, { ...options, values, listed, variant, settings });
      const target = { endpoint, args: { ...args, ...variant } };
      refuseUnmet(target);
      return target;
    });
  };
  if (missing.length === 0) return bind(given);
  if (missing.length === 1 && missing[0] === 'indicator' && given[0] !== undefined) {
    const slugs = await options.indicatorsOf(given[0].toUpperCase());
    return slugs.flatMap((slug) => bind([...given, slug], slug));
  }
  const [name, ...others] = missing;
  const choices = name === undefined ? [] : wordsFor(endpoint, name);
  if (others.length === 0 && choices.length > 0) return choices.flatMap((word) => bind([...given, word]));
  throw new MacroError('usage', `'${typed.join(' ')}' leaves out ${missing.join(' and ')}.`, {
    hint: formOf(endpoint),
  });
}

function formOf({ cli, at }: Endpoint): string {
  return `Its words are: ${[...(cli?.words ?? []), ...Object.keys(at).map((name) => name.toUpperCase())].join(' ')}`;
}

/** Tells findings about parameters as faults of a selection. @throws MacroError of kind `usage`. */
function inSelection<T>(endpoint: Endpoint, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const [finding] = error instanceof MacroError ? error.findings : [];
    if (!finding) throw error;
    const message = `'${finding.input ?? ''}' is no ${finding.loc.at(-1)} of ${endpoint.cli?.words.join(' ') ?? endpoint.id}.`;
    throw new MacroError('usage', message, { code: 'bad_arguments', hint: formOf(endpoint) });
  }
}

/** Every word that a path argument knows, for a group that is named without it. A pair has to be named. */
function wordsFor({ at }: Endpoint, name: string): readonly string[] {
  if (name !== 'currency' && name !== 'indicator' && name !== 'factor') return [];
  return at[name]?.member?.set ?? at[name]?.words ?? [];
}

function longestMatch(words: readonly string[], endpoints: readonly Endpoint[]): Endpoint | undefined {
  const [first = ''] = words;
  const matches = endpointsByWord(first, endpoints).filter(
    ({ cli, mirror }) => cli && mirror && cli.words.every((word, i) => words[i] === word),
  );
  const longest = Math.max(0, ...matches.map(({ cli }) => cli?.words.length ?? 0));
  const meant = matches.filter(({ cli }) => cli?.words.length === longest);
  // Endpoints with the same words differ in the number of words after them.
  return meant.find(({ at }) => Object.keys(at).length === words.length - longest) ?? meant[0];
}

/** Words like `frequency=qoq` name another series of the same endpoint. */
function settingsIn(words: readonly string[], { id, query, mirror }: Endpoint): Readonly<Record<string, string>> {
  const settings = words
    .filter((word) => word.includes('='))
    .map((word): [string, string] => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]);
  const legal = (mirror?.scope ?? []).filter((name) => query[name]);
  const stranger = settings.find(([name]) => !legal.includes(name));
  if (stranger)
    throw new MacroError('usage', `${stranger[0]} does not tell one series of ${id} from another.`, {
      hint: legal.length > 0 ? `Legal words: ${legal.join(', ')}.` : 'Leave it out.',
    });
  return Object.fromEntries(settings);
}

function refuseUnmet({ endpoint, args }: SyncTarget): void {
  const unmet = unmetDemand(endpoint, args);
  if (!unmet) return;
  const words = [...(endpoint.cli?.words ?? []), ...Object.keys(endpoint.at).map((name) => args[name])].join(' ');
  const missing = endpoint.demands?.map(({ param }) => `${param}=...`).join(' ');
  throw new MacroError('usage', unmet.message, { hint: `Its words are: ${words.toLowerCase()} ${missing}` });
}

/** `eur/usd` and `eurusd` are two words. */
function splitPair(endpoint: Endpoint, words: readonly string[]): readonly string[] {
  const [only] = words;
  const isPair = 'base' in endpoint.at && 'quote' in endpoint.at;
  if (!isPair || words.length !== 1 || only === undefined) return words;
  const match = /^([a-z]{3})[/-]?([a-z]{3})$/i.exec(only);
  return match?.[1] !== undefined && match[2] !== undefined ? [match[1], match[2]] : words;
}

/** Arguments that name the series: the path, and every other parameter at its default. */
function scopeArgs(
  endpoint: Endpoint,
  names: readonly string[],
  given: Pick<SelectOptions, 'now' | 'onNote'> & {
    readonly values: readonly string[];
    /** A word that a catalogue of the service lists. */
    readonly listed: string | undefined;
    readonly variant: Args;
    readonly settings: Readonly<Record<string, string>>;
  },
): Args {
  const path = Object.fromEntries(given.values.map((value, i) => [names[i] ?? '', value]));
  const query = { ...momentsOf(endpoint, given.now), ...wordsOf(given.variant), ...given.settings };
  const holds = (_: string, word: string) => word === given.listed;
  const { args, notes } = inSelection(endpoint, () =>
    readParams(endpoint, { path, query }, { mode: 'liberal', now: given.now, holds }),
  );
  for (const note of notes) given.onNote?.(note);
  const window = endpoint.mirror?.window;
  return { ...args, ...(window && { [window.from]: undefined, [window.to]: undefined }) };
}

const HOUR = 3_600_000;

/** A moment that must be named is the hour's beginning, so that the runs of one hour ask for one state. */
function momentsOf(endpoint: Endpoint, now: number): Readonly<Record<string, string>> {
  const names = Object.keys(endpoint.query).filter((name) => {
    const param = endpoint.query[name];
    return param?.kind === 'instant' && param.required;
  });
  return Object.fromEntries(names.map((name) => [name, String((Math.floor(now / HOUR) * HOUR) / 1000)]));
}

/** A variant may give what a question has to have. */
function wordsOf(variant: Args): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(variant).map(([name, value]) => [name, String(value)]));
}

function unknownWords(words: readonly string[], endpoints: readonly Endpoint[]): MacroError {
  const known = endpoints.filter(({ cli, mirror }) => cli && mirror).map(({ cli }) => cli?.words.join(' '));
  const [first = ''] = words;
  const currencies = endpoints.flatMap(({ at }) => at.currency?.member?.set ?? []).map((code) => code.toLowerCase());
  const close = nearest(first, [...known.flatMap((text) => text ?? []), ...currencies]);
  const guess = close === undefined || close === first.toLowerCase() ? '' : `Did you mean ${close}? `;
  return new MacroError('usage', `'${words.join(' ')}' names nothing that a mirror keeps.`, {
    hint: `${guess}Start with one of: ${[...new Set(known)].join(', ')}.`,
  });
}

/** Reads words into targets with the catalogues in the mirror. Nobody is contacted. */
export async function expandWords(
  words: readonly string[],
  { endpoints, mirror, now }: { endpoints: readonly Endpoint[]; mirror: Mirror | undefined; now: number },
): Promise<Expanded> {
  const requested = new Map<string, Listed>();
  const indicatorsOf = async (currency: string) => {
    const listed = requested.get(currency) ?? (await listedIn(mirror, currency));
    requested.set(currency, listed);
    return [...listed.slugs, ...listed.others];
  };
  const notes = new Set<string>();
  const onNote = (note: string) => void notes.add(note);
  const selected = await selectTargets(words, { endpoints, now, indicatorsOf, onNote });
  const targets = selected.map((target) => {
    const { slugs = [], checkedAt } = requested.get(String(target.args.currency)) ?? {};
    const isListed = checkedAt === undefined || slugs.includes(String(target.args.indicator ?? slugs[0]));
    return isListed ? target : { ...target, unlistedAt: checkedAt };
  });
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
    unknown: currencies.filter((currency) => requested.get(currency)?.checkedAt === undefined),
    notes: [...notes],
  };
}

async function catalogueOf(currency: string, endpoints: readonly Endpoint[], now: number): Promise<SyncTarget> {
  const options = { endpoints, now, indicatorsOf: async () => [] };
  const [target] = await selectTargets(['catalogue', currency], options);
  return target ?? { endpoint: catalogue, args: { currency } };
}

/** The listed series of a currency in a catalogue, and unlisted ones. */
interface Listed {
  readonly slugs: readonly string[];
  /** Indicators that are stored from a service and not listed: a catalogue lists what can be asked, not what exists. */
  readonly others: readonly string[];
  /** When the service last gave it, in milliseconds; undefined while none is stored. */
  readonly checkedAt: number | undefined;
}

async function listedIn(mirror: Mirror | undefined, currency: string): Promise<Listed> {
  const find = async (endpoint: string) => (await mirror?.find({ endpoint, scope: { currency } })) ?? [];
  const stored = (await find(catalogue.id)).filter(isOfService);
  const rows = await Promise.all(stored.map(async (series) => (await mirror?.rows(series, {})) ?? []));
  const slugs = [...new Set(rows.flat().map(({ key }) => String(key[0])))];
  const histories = (await find(announcements.id)).filter(isOfService);
  const known = histories.flatMap(({ scope }) => (Object.keys(scope).length === 2 ? (scope.indicator ?? []) : []));
  const others = [...new Set(known)].filter((slug) => !slugs.includes(slug));
  const checkedAt = slugs.length === 0 ? undefined : Math.max(...stored.map((series) => series.checkedAt));
  return { slugs, others: checkedAt === undefined ? [] : others, checkedAt };
}

/** Files have indicators of their own, which no service knows. */
const isOfService = ({ origin }: { readonly origin: string }): boolean => !origin.startsWith('import:');

/** Short selections as words of commands: a currency is everything of it, two are their rates. */
export function spellOut(selection: Selection, endpoints: readonly Endpoint[]): readonly Selection[] {
  const words = selection.filter((word) => !word.includes('='));
  const lower = words.map((word) => word.toLowerCase());
  const [first = ''] = lower;
  const isWord = endpointsByWord(first, endpoints).length > 0;
  if (isWord || words.length !== selection.length) return [selection];
  const code = /^([a-z]{3})(?:[/-]?([a-z]{3}))?$/.exec(first);
  if (!code) return [selection];
  const [, base = '', quote] = code;
  const codes = [base, quote, ...lower.slice(1)].filter((word) => word !== undefined);
  // A word that no endpoint knows as a currency is left as typed, so that the refusal names it.
  if (!codes.every((word) => isCurrency(word, endpoints))) return [selection];
  if (codes.length === 1) return ofCurrency(base, endpoints);
  return codes.length === 2 ? [['fx', ...codes]] : [selection];
}

function isCurrency(word: string, endpoints: readonly Endpoint[]): boolean {
  return endpoints.some(({ at }) => Object.values(at).some(({ member }) => member?.set.includes(word.toUpperCase())));
}

/** Path arguments of which a catalogue or a table knows all words. */
const LISTED: ReadonlySet<string> = new Set(['indicator', 'factor']);

/** Every group that has something of a currency, in the words of its command. */
function ofCurrency(code: string, endpoints: readonly Endpoint[]): readonly Selection[] {
  return endpoints.filter(isPlain).flatMap(({ at, cli, mirror }) => {
    const [name, ...rest] = Object.keys(at);
    const isListed = rest.every((other) => LISTED.has(other)) && (rest.length === 0 || mirror?.sync.kind === 'history');
    const known = name === 'currency' && at.currency?.member?.set.includes(code.toUpperCase());
    const isMeant = !endpoints.some((other) => other.at !== at && sharesWords(other, cli) && pathLength(other) === 1);
    return known && isListed && isMeant && cli ? [[...cli.words, code.toLowerCase()]] : [];
  });
}

const pathLength = ({ at }: Endpoint) => Object.keys(at).length;

/** Another endpoint of the same words would be meant when the second path argument is left out. */
function sharesWords({ cli }: Endpoint, own: Endpoint['cli']): boolean {
  return cli !== undefined && cli.words.join(' ') === own?.words.join(' ');
}

/** The selections that a mirror can store without more words: every currency, one-word group and euro pair. */
export function ofEverything(endpoints: readonly Endpoint[]): readonly Selection[] {
  const groups = endpoints
    .filter(isPlain)
    .filter(({ at }) => Object.keys(at).every((name) => name === 'indicator'))
    .flatMap(({ cli }) => (cli ? [cli.words] : []));
  const pairs = MAIN_CURRENCIES.filter((code) => code !== 'EUR').map((code) => ['fx', 'eur', code.toLowerCase()]);
  return [...groups, ...pairs, ...MAIN_CURRENCIES.flatMap((code) => ofCurrency(code, endpoints))];
}

/** A command that needs nothing but its path words. */
function isPlain({ cli, mirror, query, demands = [] }: Endpoint): boolean {
  const asks = Object.values(query).some((param) => param.required);
  return cli !== undefined && mirror !== undefined && !asks && demands.length === 0;
}

/** Endpoints whose commands begin with a word, in their order. */
function endpointsByWord(word: string, endpoints: readonly Endpoint[]): readonly Endpoint[] {
  return endpoints.filter(({ cli }) => cli?.words[0] === word);
}

/** The words a person would type for a target, for progress and reports. */
export function targetName({ endpoint, args }: SyncTarget): string {
  const words = endpoint.cli?.words ?? [endpoint.id];
  const path = Object.keys(endpoint.at).map((name) => args[name]);
  const options = (endpoint.mirror?.scope ?? []).flatMap((name) => {
    const value = args[name];
    const param = endpoint.query[name];
    if (!param || value === undefined || value === param.fallback?.('')) return [];
    return [`--${name.replaceAll('_', '-')}`, value];
  });
  return [...words, ...path, ...options].join(' ').toLowerCase();
}
