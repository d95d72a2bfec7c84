import type { Endpoint } from '../../contract/endpoint.ts';
import { MAIN_CURRENCIES } from '../../contract/words/words.ts';
import { endpointsByWord } from './endpoints-by-word.ts';

type Selection = readonly string[];

/**
 * Short ways to say what a mirror should keep, as the words of query commands: a currency alone is everything of it, two
 * currencies are their reference rates; everything else is what it is.
 */
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
  // What no endpoint knows as a currency is not a short way of saying anything: left as it is, it is refused as typed.
  if (!codes.every((word) => isCurrency(word, endpoints))) return [selection];
  if (codes.length === 1) return ofCurrency(base, endpoints);
  return codes.length === 2 ? [['fx', ...codes]] : [selection];
}

/** True for a code that any endpoint has among its currencies. */
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

/** All that a mirror can keep without being told more: every currency, every group of one word, the euro's pairs. */
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
