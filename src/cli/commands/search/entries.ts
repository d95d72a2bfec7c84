import { CURRENCY_ALIASES, SLUG_ALIASES } from '../../../contract/words/aliases.ts';
import {
  CALENDAR_CURRENCIES,
  COT_CURRENCIES,
  CURVE_CURRENCIES,
  FACTOR_CURRENCIES,
  MAIN_CURRENCIES,
  PRESS_CURRENCIES,
} from '../../../contract/words/currencies.ts';
import { COMMODITIES, INDICATORS } from '../../../contract/words/indicators.ts';
import { usageOf } from '../../messages/help.ts';
import { type CommandSpec, headingOf } from '../command.ts';
import type { SearchEntry } from './entry.ts';
import type { MirroredEntry } from './held.ts';

/** Everything that can be found: the tables of the contract, what the catalogues of the mirror add, and the commands. */
export function searchEntries(
  held: readonly MirroredEntry[],
  commands: readonly CommandSpec[],
): readonly SearchEntry[] {
  const bySlug = Map.groupBy(held, ({ slug }) => slug);
  const slugs = new Set([...INDICATORS, ...bySlug.keys()]);
  // A commodity has a command of its own, whatever catalogue lists it.
  for (const slug of COMMODITIES) if (!bySlug.has(slug) && !SHARED.has(slug)) slugs.delete(slug);
  return [
    ...[...slugs].map((slug) => indicatorEntry(slug, bySlug.get(slug) ?? [])),
    ...COMMODITIES.map(commodityEntry),
    ...CURRENCIES.map(currencyEntry),
    ...commands.map(commandEntry),
    ...commands.flatMap(valueEntries),
  ];
}

/** Every code of any table. */
export const CURRENCIES: readonly string[] = [
  ...new Set([
    ...MAIN_CURRENCIES,
    ...CALENDAR_CURRENCIES,
    ...CURVE_CURRENCIES,
    ...PRESS_CURRENCIES,
    ...FACTOR_CURRENCIES,
    ...COT_CURRENCIES,
  ]),
].sort();

/** Slugs that the specification lists as indicators and as commodities. */
const SHARED = new Set(COMMODITIES.filter((slug) => INDICATORS.includes(slug)));

function indicatorEntry(slug: string, held: readonly MirroredEntry[]): SearchEntry {
  const currencies = [...new Set(held.map(({ currency }) => currency))].sort();
  const named = held.find(({ currency }) => currency === 'USD') ?? held[0];
  return {
    kind: 'indicator',
    word: slug,
    name: named?.name ?? null,
    aliases: [...new Set([...(SLUG_ALIASES[slug] ?? []), ...held.flatMap(({ aliases }) => aliases)])],
    currencies,
    about: held.map(({ about }) => about).join(' '),
    command: (chosenCurrency) => {
      const known = chosenCurrency !== undefined && (currencies.length === 0 || currencies.includes(chosenCurrency));
      const code = known
        ? chosenCurrency
        : (currencies.find((currency) => currency === 'USD') ?? currencies[0] ?? 'USD');
      return `announcements ${code.toLowerCase()} ${slug}`;
    },
  };
}

function commodityEntry(slug: string): SearchEntry {
  return {
    kind: 'commodity',
    word: slug,
    name: null,
    aliases: SLUG_ALIASES[slug] ?? [],
    currencies: [],
    about: 'commodity price',
    command: () => `commodities ${slug}`,
  };
}

function currencyEntry(code: string): SearchEntry {
  const lower = code.toLowerCase();
  const tables: readonly (readonly [readonly string[], string])[] = [
    [MAIN_CURRENCIES, `catalogue ${lower}`],
    [CALENDAR_CURRENCIES, `calendar ${lower}`],
    [CURVE_CURRENCIES, `curve ${lower}`],
    [PRESS_CURRENCIES, `press ${lower}`],
  ];
  const command = tables.find(([set]) => set.includes(code))?.[1] ?? `cot ${lower}`;
  return {
    kind: 'currency',
    word: code,
    name: nameOf(code),
    aliases: CURRENCY_ALIASES[code] ?? [],
    currencies: [],
    about: '',
    command: () => command,
  };
}

/** The English name of a code; null for one that is no currency. */
function nameOf(code: string): string | null {
  if (!/^[A-Z]{3}$/.test(code)) return null;
  const name = new Intl.DisplayNames('en', { type: 'currency', fallback: 'none' }).of(code);
  return name ?? null;
}

function commandEntry(spec: CommandSpec): SearchEntry {
  const command = formOf(spec);
  return {
    kind: 'command',
    word: spec.path.join(' '),
    name: spec.summary,
    aliases: [],
    currencies: [],
    about: spec.options.map(({ name }) => name).join(' '),
    command: () => command,
  };
}

/** Listed values of words and options, such as the sessions of a day, as far as they are no codes and no slugs. */
function valueEntries(spec: CommandSpec): readonly SearchEntry[] {
  const inWords = spec.words.flatMap(({ name, doc, words = [] }) =>
    words.map((word) => valueEntry(word, doc, formOf(spec).replace(new RegExp(`\\[?${name.toUpperCase()}\\]?`), word))),
  );
  const inOptions = spec.options
    .filter((option) => headingOf(option) === 'Options')
    .flatMap(({ name, doc, words = [] }) =>
      words.map((word) => valueEntry(word, doc, `${formOf(spec)} --${name} ${word}`)),
    );
  return [...inWords, ...inOptions].filter(({ word }) => !TABLED.has(word.toLowerCase()));
}

const TABLED: ReadonlySet<string> = new Set(
  [...CURRENCIES, ...INDICATORS, ...COMMODITIES, 'true', 'false', 'all'].map((word) => word.toLowerCase()),
);

function valueEntry(word: string, doc: string, command: string): SearchEntry {
  return { kind: 'value', word, name: doc, aliases: [], currencies: [], about: '', command: () => command };
}

function formOf(spec: CommandSpec): string {
  return [...spec.path, usageOf(spec).replace(/ ?\[options\]$/, '')].join(' ').trim();
}
