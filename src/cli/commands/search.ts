import { type Json, objectIn, readJson } from '../../contract/json/json.ts';
import { nearest } from '../../contract/words/nearest.ts';
import {
  CALENDAR_CURRENCIES,
  COMMODITIES,
  COT_CURRENCIES,
  CURRENCY_ALIASES,
  CURVE_CURRENCIES,
  FACTOR_CURRENCIES,
  INDICATORS,
  MAIN_CURRENCIES,
  PRESS_CURRENCIES,
  SLUG_ALIASES,
} from '../../contract/words/words.ts';
import announcements from '../../endpoints/announcements/series.ts';
import catalogue from '../../endpoints/catalogue/catalogue.ts';
import type { Mirror } from '../../mirror/api/mirror.ts';
import { type App, screenRows } from '../app/app.ts';
import { readCount } from '../parse/options.ts';
import { wrongWords } from '../parse/question.ts';
import { usageOf } from '../print/help.ts';
import { type Call, type CommandDeclaration, type CommandSpec, headingOf } from './command.ts';
import { LISTING } from './common-options.ts';
import { commandsUnder } from './tree.ts';

/** Looks things up by what they are called. */
export default [
  {
    path: ['search'],
    summary: 'Find indicators, currencies, commodities and commands by name; works offline',
    words: `words...: words to find`,
    options: [`--limit N: rows at most; default 20`, LISTING],
    examples: ['search cpi', 'search policy rate eur --format json'],
    rows: 'kind indicator|commodity|currency|command|value, word text, name text?, currencies text?, command text',
    run: search,
  },
] satisfies readonly CommandDeclaration[];

const SPARE = ['kind', 'currencies', 'name'] as const;
const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 1000;

/** An entry with its words taken apart, so that they are taken apart once. */
type Read = ReturnType<typeof readEntry>;

/** Shorter words are parts of too many others. */
const SHORTEST_PART = 4;
const SHORTEST_TYPO = 4;
interface SearchEntry {
  readonly kind: 'indicator' | 'commodity' | 'currency' | 'command' | 'value';
  readonly word: string;
  readonly name: string | null;
  readonly aliases: readonly string[];
  /** Currencies whose catalogue lists it; codes. */
  readonly currencies: readonly string[];
  /** Further words that lead to it, but less. */
  readonly about: string;
  /** Words after `macro`. `currency` is a currency that the search named. */
  readonly command: (currency: string | undefined) => string;
}

/** Searches tables, mirrored catalogues and commands, without a request. @throws MacroError of kind `usage`. */
async function search(app: App, call: Call): Promise<void> {
  const { words } = call;
  if (words.every((word) => word.trim() === ''))
    throw wrongWords('macro search needs words to find.', 'For example: macro search cpi');
  const limit = readCount(call.options, 'limit', 1, MAX_LIMIT) ?? screenRows(app) ?? DEFAULT_LIMIT;
  const held = await app.mirrorIfAny();
  const { codes, others } = splitCodes(words);
  const entries = searchEntries(held ? await storedEntries(held.mirror) : [], await commandsUnder());
  // An entry without currencies may belong to any currency.
  const isAbout = (listed: readonly string[]) => listed.length === 0 || codes.every((code) => listed.includes(code));
  const found = rank(
    entries.filter(({ currencies }) => isAbout(currencies)),
    others,
  );
  const shown = found.slice(0, limit);
  await app.list({
    spare: SPARE,
    rows: shown.map((one) => rowOf(one, codes[0])),
    title: [words.join(' '), `${found.length} found`],
    beside: { count: shown.length, total_count: found.length },
  });
  if (found.length === 0)
    await app.note('Nothing is called that; macro catalogue usd lists the indicators of USD.', 'nothing_found');
  if (shown.length < found.length)
    await app.note(`${shown.length} of ${found.length}: --limit shows more.`, 'more_rows');
}

/** A code beside other words is the currency of the indicator; a code alone is the text to search for. */
function splitCodes(words: readonly string[]) {
  const isCode = (word: string) => CURRENCIES.includes(word.toUpperCase());
  const others = words.filter((word) => !isCode(word));
  if (others.length === 0) return { codes: [], others: words };
  return { codes: words.filter(isCode).map((word) => word.toUpperCase()), others };
}

function rowOf({ kind, word, name, currencies, command }: SearchEntry, currency: string | undefined) {
  return { kind, word, name, currencies: currencies.join(',') || null, command: command(currency) };
}
/** Entries with the most matching words, best first. A further word only narrows; an unknown one becomes the nearest. */
function rank(entries: readonly SearchEntry[], typed: readonly string[]): readonly SearchEntry[] {
  const words = typed.flatMap(partsOf);
  if (words.length === 0) return [];
  const read = entries.map(readEntry);
  const meant = words.map((word) => (read.some((one) => weigh(one, word) > 0) ? word : (guess(read, word) ?? word)));
  const judged = read.map((one) => {
    const weights = meant.map((word) => weigh(one, word)).filter((weight) => weight > 0);
    const sum = weights.reduce((total, weight) => total + weight, 0);
    return { entry: one.entry, hits: weights.length, score: sum + (weights.length > 0 ? phrase(one, meant) : 0) };
  });
  const most = Math.max(...judged.map(({ hits }) => hits));
  return judged
    .filter(({ hits }) => hits === most && hits > 0)
    .sort((a, b) => b.score - a.score || before(a.entry, b.entry))
    .map(({ entry }) => entry);
}

function before(a: SearchEntry, b: SearchEntry): number {
  return (
    b.currencies.length - a.currencies.length ||
    a.word.length - b.word.length ||
    (a.word < b.word ? -1 : Number(a.word > b.word))
  );
}

function readEntry(entry: SearchEntry) {
  return {
    entry,
    word: entry.word.toLowerCase(),
    wordParts: partsOf(entry.word),
    aliases: entry.aliases.map((alias) => alias.toLowerCase()),
    aliasParts: entry.aliases.flatMap(partsOf),
    nameParts: partsOf(entry.name ?? ''),
    aboutParts: new Set([...partsOf(entry.about), ...entry.currencies.map((code) => code.toLowerCase())]),
  };
}

function partsOf(text: string): readonly string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((part) => part !== '');
}

/** How strongly one word leads to an entry; 0 when it does not. */
function weigh(read: Read, word: string): number {
  const starts = (part: string) => part.startsWith(word);
  if (read.word === word) return 100;
  if (read.aliases.includes(word)) return 90;
  if (read.wordParts.includes(word)) return 70;
  if (read.word.startsWith(word)) return 60;
  if (read.aliasParts.includes(word)) return 55;
  if (read.nameParts.includes(word)) return 50;
  if ([...read.wordParts, ...read.aliasParts, ...read.nameParts].some(starts)) return 35;
  if (read.aboutParts.has(word)) return 25;
  return word.length >= SHORTEST_PART && read.word.includes(word) ? 15 : 0;
}

/** More, when all words together are what an entry is called. */
function phrase({ word, wordParts, aliases, nameParts }: Read, words: readonly string[]): number {
  const said = words.join(' ');
  if (word === said || wordParts.join(' ') === said) return 100;
  if (aliases.includes(said)) return 90;
  return nameParts.join(' ') === said ? 60 : 0;
}

function guess(read: readonly Read[], word: string): string | undefined {
  if (word.length < SHORTEST_TYPO) return undefined;
  const known = read.flatMap(({ wordParts, aliasParts, nameParts }) => [...wordParts, ...aliasParts, ...nameParts]);
  return nearest(
    word,
    [...new Set(known)].filter((part) => part.length >= SHORTEST_TYPO),
  );
}

/** Everything that can be found: the tables of the contract, what the catalogues of the mirror add, and the commands. */
function searchEntries(held: readonly MirroredEntry[], commands: readonly CommandSpec[]): readonly SearchEntry[] {
  const bySlug = Map.groupBy(held, ({ slug }) => slug);
  const slugs = new Set([...INDICATORS, ...bySlug.keys()]);
  // A commodity has a command of its own, whatever catalogue lists it.
  for (const slug of COMMODITIES) if (!bySlug.has(slug) && !SHARED.has(slug)) slugs.delete(slug);
  return [
    ...[...slugs].map((slug) => indicatorEntry(slug, bySlug.get(slug) ?? [])),
    ...COMMODITIES.map((word) => {
      const aliases = SLUG_ALIASES[word] ?? [];
      return entryOf({ kind: 'commodity', word, aliases, about: 'commodity price' }, `commodities ${word}`);
    }),
    ...CURRENCIES.map(currencyEntry),
    ...commands.map(commandEntry),
    ...commands.flatMap(valueEntries),
  ];
}

/** Every code of any table. */
const CURRENCIES: readonly string[] = [
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
      const listed = currencies.includes('USD') ? 'USD' : (currencies[0] ?? 'USD');
      const isKnown = currencies.length === 0 || currencies.includes(chosenCurrency ?? '');
      const code = chosenCurrency !== undefined && isKnown ? chosenCurrency : listed;
      return `announcements ${code.toLowerCase()} ${slug}`;
    },
  };
}

/** An entry of which no more is known than this. */
function entryOf(known: Pick<SearchEntry, 'kind' | 'word'> & Partial<SearchEntry>, command: string): SearchEntry {
  return { name: null, aliases: [], currencies: [], about: '', command: () => command, ...known };
}

function currencyEntry(word: string): SearchEntry {
  const code = word.toLowerCase();
  const tables: readonly (readonly [readonly string[], string])[] = [
    [MAIN_CURRENCIES, `catalogue ${code}`],
    [CALENDAR_CURRENCIES, `calendar ${code}`],
    [CURVE_CURRENCIES, `curve ${code}`],
    [PRESS_CURRENCIES, `press ${code}`],
  ];
  const command = tables.find(([set]) => set.includes(word))?.[1] ?? `cot ${code}`;
  const aliases = CURRENCY_ALIASES[word] ?? [];
  return entryOf({ kind: 'currency', word, name: nameOf(word), aliases }, command);
}

/** The English name of a code; null if it is no currency. */
function nameOf(code: string): string | null {
  if (!/^[A-Z]{3}$/.test(code)) return null;
  return new Intl.DisplayNames('en', { type: 'currency', fallback: 'none' }).of(code) ?? null;
}

function commandEntry(spec: CommandSpec): SearchEntry {
  const about = spec.options.map(({ name }) => name).join(' ');
  return entryOf({ kind: 'command', word: spec.path.join(' '), name: spec.summary, about }, formOf(spec));
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
  return entryOf({ kind: 'value', word, name: doc }, command);
}

function formOf(spec: CommandSpec): string {
  return [...spec.path, usageOf(spec).replace(/ ?\[options\]$/, '')].join(' ').trim();
}

export type MirroredEntry = ReturnType<typeof readMirrored>;

/** All entries of all catalogues of a mirror, and the imported series that no catalogue lists, in one state of it. */
export function storedEntries(mirror: Mirror): Promise<readonly MirroredEntry[]> {
  return mirror.snapshot(async (reader) => {
    const entries = new Map<string, MirroredEntry>();
    const add = (slug: string, currency: string, entry: Json) => {
      const name = `${currency} ${slug}`;
      if (!entries.has(name)) entries.set(name, readMirrored(slug, currency, entry));
    };
    for (const series of await reader.find({ endpoint: catalogue.id, scope: {} }))
      for (const { key, text } of await reader.rows(series, {}))
        add(String(key[0]), series.scope.currency ?? '', readJson(text));
    for (const { scope, origin, envelope } of await reader.find({ endpoint: announcements.id, scope: {} }))
      if (origin.startsWith('import:') && envelope)
        add(scope.indicator ?? '', scope.currency ?? '', readJson(envelope.text));
    return [...entries.values()];
  });
}

function readMirrored(slug: string, currency: string, entry: Json) {
  const members = objectIn(entry);
  const text = (value: Json | undefined) => (typeof value === 'string' ? value : undefined);
  const aliases = Array.isArray(members.aliases) ? members.aliases : [];
  const { name, source, source_local_name: local, source_series_name: series, unit, frequency } = members;
  return {
    slug,
    currency,
    name: text(name),
    aliases: aliases.filter((alias) => typeof alias === 'string'),
    /** Further words about it. */
    about: [source, local, series, unit, frequency].flatMap((value) => text(value) ?? []).join(' '),
  };
}
