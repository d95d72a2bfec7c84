import { type Endpoint, unmetDemand } from '../../contract/endpoint.ts';
import type { Args } from '../../contract/params/params.ts';
import { readParams } from '../../contract/params/read-params.ts';
import { nearest } from '../../contract/words/nearest.ts';
import { MacroError } from '../../errors.ts';
import { endpointsByWord } from './endpoints-by-word.ts';
import { type SyncTarget, targetName } from './target.ts';
import { spellOut } from './words.ts';

export interface SelectOptions {
  readonly endpoints: readonly Endpoint[];
  /** Milliseconds. */
  readonly now: number;
  /** Slugs that exist for a currency, asked when a selection leaves the indicator out. */
  readonly indicatorsOf: (currency: string) => Promise<readonly string[]>;
  /** Hears of words that our tables do not know: the tables age, so the service decides. */
  readonly onNote?: (note: string) => void;
}

/**
 * Reads the words of a selection, those of the query command: `fx eur usd`, `announcements usd inflation`,
 * `announcements usd` (every indicator that the catalogue lists), `calendar usd`, `sentiment`, `cot` (every currency); a
 * currency alone is everything of it, two are their reference rates; `name=value` behind them names another series of the
 * same endpoint. Several selections are separated by commas; a series is taken once.
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
    hint: `Its words are: ${[...(endpoint.cli?.words ?? []), ...names.map((name) => name.toUpperCase())].join(' ')}`,
  });
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
  // Endpoints that share their words are told apart by the number of words behind.
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
      hint: legal.length > 0 ? `What does: ${legal.join(', ')}.` : 'Leave it out.',
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
  const { args, notes } = readParams(endpoint, { path, query }, { mode: 'liberal', now: given.now, holds });
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
