import { type Finding, MacroError } from '../../errors.ts';
import type { Endpoint } from '../endpoint.ts';
import type { AsOf } from '../time/moments.ts';
import { dateOf, parseInstant } from '../time/time.ts';
import { meaningOf, nearestSlug } from '../words/everyday.ts';
import { nearest } from '../words/nearest.ts';
import { COMMODITIES } from '../words/words.ts';
import { notAmong, type RawArgs } from './param.ts';
import type { Args, ArgValue, Param, ParamPart } from './params.ts';

export interface ReadOptions {
  /** `strict` refuses words outside a table, as the service; `liberal` only notes them, since the tables age. */
  readonly mode: 'strict' | 'liberal';
  /** Milliseconds. */
  readonly now: number;
  /** Tells that a word outside the tables is stored by the mirror, and so is legal after all. */
  readonly holds?: (param: string, value: string) => boolean;
}

export interface ReadArgs {
  readonly args: Args;
  /** Names in the query, synonyms resolved. */
  readonly given: ReadonlySet<string>;
  /** Sentences about words: how they were read, and which ones our tables do not know. */
  readonly notes: readonly string[];
  /** The words that our tables do not know. Where there is an answer, these are legal after all. */
  readonly unknown: readonly ParamPart[];
}

/** Silent synonyms of query names. See docs/interface.md#words-and-aliases. */
const SYNONYMS: Readonly<Record<string, string>> = { start: 'start_date', end: 'end_date' };

interface ReadOptionsAt extends ReadOptions {
  /** The moment of the past that the question is put at; undefined for a question about now. */
  readonly asOf: AsOf | undefined;
}

/** Arguments, and the moment that the mirror is read at. */
interface ReadArgsAt extends ReadArgs {
  readonly asOf: AsOf | undefined;
}

/** Reads raw arguments: an unknown path word first, then all findings. @throws MacroError: `notFound`, `usage`. */
export function readParams(endpoint: Endpoint, raw: RawArgs, options: ReadOptions): ReadArgs {
  const now = momentNamed(endpoint, raw, options.now);
  const today = dateOf(now);
  const args: Record<string, ArgValue | undefined> = {};
  const findings: Finding[] = [];
  const notes: string[] = [];
  const unknown: ParamPart[] = [];
  const read = (place: 'path' | 'query', name: string, param: Param, text: string | undefined) => {
    if (text === undefined) {
      args[name] = param.fallback?.(today, { now, args });
      if (param.required) findings.push({ loc: [place, name], msg: 'Field required', type: 'missing', input: null });
      return;
    }
    const meant = options.mode === 'liberal' ? meaningIn(param, text, args) : undefined;
    if (meant !== undefined) notes.push(`${text.trim()} is read as ${meant}.`);
    const decoded = param.decode(meant ?? text);
    if ('fault' in decoded) {
      if (options.mode === 'strict' && place === 'path' && param.member?.unknown === 404 && !param.member.formed)
        throw unknownWord({ name, word: text, member: param.member }, args);
      findings.push({ loc: [place, name], input: text, ...decoded.fault });
      return;
    }
    args[name] = decoded.value;
    let known: Args = args;
    for (const part of partsOf(name, param, decoded.value)) {
      const { word, member } = part;
      known = { ...known, [part.name]: word };
      if (member.set.includes(word) || options.holds?.(part.name, word)) continue;
      if (options.mode === 'liberal' || member.unknown === 'noted') unknown.push(part);
      else if (member.unknown === 404) throw unknownWord(part, known);
      else findings.push({ loc: [place, name], input: text, ...notAmong(member.set).fault });
    }
  };
  for (const [name, param] of Object.entries(endpoint.at)) read('path', name, param, raw.path[name]);
  const query = withSynonyms(endpoint, raw.query);
  for (const [name, param] of Object.entries(endpoint.query)) read('query', name, param, query[name]);
  const given = new Set(Object.keys(query).filter((name) => query[name] !== undefined));
  for (const check of endpoint.checks ?? []) {
    const finding = check({ args, given, now: Math.floor(options.now / 1000) });
    if (finding) findings.push(finding);
  }
  if (findings.length > 0) throw invalid(endpoint, findings);
  return { args: resolvePage(args), given, notes: [...notes, ...unknown.map((part) => unknownNote(part))], unknown };
}

/** When default windows end: at the moment that the arguments name, else now. A later moment than now ends none. */
function momentNamed(endpoint: Endpoint, { query }: RawArgs, now: number): number {
  const { as_of: text } = query;
  const moment = takesMoment(endpoint) && text !== undefined ? parseInstant(text.trim()) : undefined;
  return moment === undefined ? now : Math.min(now, moment * 1000);
}

/** The meaning of an everyday word as this argument. */
function meaningIn({ member }: Param, text: string, { currency }: Args): string | undefined {
  return member && meaningOf(text, { noun: member.noun, set: member.set, currency });
}

/** The words of a value that stand in tables: the value itself, or what a list is made of. */
function partsOf(name: string, param: Param, value: ArgValue): readonly ParamPart[] {
  if (param.parts) return param.parts(value);
  return param.member && typeof value === 'string' ? [{ name, word: value, member: param.member }] : [];
}

/** Names in a query that mean nothing to an endpoint. A key that stands there has been read before. */
export function ignoredNames(endpoint: Pick<Endpoint, 'query'>, query: RawArgs['query']): readonly string[] {
  const isKnown = (name: string) => name === 'api_key' || endpoint.query[name] !== undefined;
  return Object.keys(query).filter((name) => !isKnown(name) && !isKnown(SYNONYMS[name] ?? name));
}

function withSynonyms(endpoint: Endpoint, query: RawArgs['query']): RawArgs['query'] {
  const named: Record<string, string | undefined> = { ...query };
  for (const [alias, name] of Object.entries(SYNONYMS))
    if (endpoint.query[name] && !endpoint.query[alias] && named[name] === undefined) named[name] = query[alias];
  return named;
}

/** `page` beats `offset`: readers after this one see `offset` only. */
function resolvePage(args: Args): Args {
  const { page, ...rest } = args;
  if (typeof page !== 'number' || typeof rest.limit !== 'number') return rest;
  return { ...rest, offset: (page - 1) * rest.limit };
}

/** The sentence about an unknown word; `stored` are the words of its kind that a mirror has, which may answer alone. */
export function unknownNote({ word, member }: ParamPart, stored: readonly string[] = [], isAlone = false): string {
  const set = [...new Set([...member.set, ...stored])];
  const close = nearestMember(word, { ...member, set });
  const isCurrency = member.noun === 'currency';
  const known = `${word} is none of the ${set.length} ${isCurrency ? 'currencies' : 'indicators'} known for this route`;
  if (close) return `${known}. Did you mean ${close}?`;
  if (!isCurrency && COMMODITIES.includes(word)) return `${known}. macro commodities ${word} asks for the commodity.`;
  if (!isCurrency) return `${known}. macro search ${word.toLowerCase()} lists similar names.`;
  const [where, words] = isAlone && stored.length > 0 ? ['The mirror has', stored.toSorted()] : ['Known are', set];
  return `${known}. ${where} ${words.join(', ')}.`;
}

/** The 404 of a word that does not exist; `known` are the words read before it. */
function unknownWord({ word, member }: ParamPart, known: Args): MacroError {
  if (member.noun === 'currency')
    return new MacroError('notFound', `Unsupported currency: ${word.toUpperCase()}`, {
      code: 'unknown_currency',
      status: 404,
      ...suggestion(word.toUpperCase(), member.set),
    });
  const where = typeof known.currency === 'string' ? ` for ${known.currency}` : '';
  const close = nearestMember(word.toLowerCase(), member, known.currency);
  const hint = close ? ` Did you mean '${close}'?` : '';
  return new MacroError('notFound', `Unknown indicator '${word.toLowerCase()}'${where}.${hint}`, {
    code: 'unknown_indicator',
    status: 404,
    ...(close && { extra: { suggestions: [close] } }),
  });
}

function nearestMember(word: string, { noun, set }: ParamPart['member'], currency?: unknown): string | undefined {
  return noun === 'indicator' ? nearestSlug(word, set, currency) : nearest(word, set);
}

/** The legal word of a parameter that a typed one was most likely meant for. */
export function nearestWord(typed: string, { kind, words }: Pick<Param, 'kind' | 'words'>): string | undefined {
  return kind === 'slug' ? nearestSlug(typed, words) : nearest(typed, words);
}

function suggestion(value: string, words: readonly string[]) {
  const close = nearest(value, words);
  return close ? { hint: `Did you mean ${close}?`, extra: { suggestions: [close] } } : {};
}

function invalid(endpoint: Endpoint, findings: readonly Finding[]): MacroError {
  const message = findings.map((f) => `${f.loc.at(-1)}: ${f.msg}${f.input ? ` (got '${f.input}')` : ''}`).join('; ');
  return new MacroError('usage', `Bad argument for ${endpoint.id}: ${message}.`, {
    status: 422,
    findings,
    hint: didYouMean(endpoint, findings),
  });
}

function didYouMean(endpoint: Endpoint, findings: readonly Finding[]): string {
  for (const { loc, input } of findings) {
    const name = String(loc.at(-1));
    const param = endpoint.at[name] ?? endpoint.query[name];
    const close = input && param ? nearestWord(input, param) : undefined;
    if (close) return `Did you mean ${close}?`;
  }
  return 'See the --help of the command for the legal values.';
}

/** Reads arguments at a past moment, where default windows end. @throws MacroError of kind `notFound` or `usage`. */
export function readParamsAt(endpoint: Endpoint, raw: RawArgs, { asOf, now, ...options }: ReadOptionsAt): ReadArgsAt {
  if (!asOf) return { ...readParams(endpoint, raw, { ...options, now }), asOf };
  // The contract lets the moment win, so the answer would be of another day than the typed date.
  if (takesMoment(endpoint) && raw.query.date !== undefined)
    throw new MacroError(
      'usage',
      'A date and a moment cannot be given together: a moment shows the newest day known then.',
      {
        hint: 'Leave out --date, or --as-of.',
      },
    );
  const query = { ...raw.query, ...momentQuery(endpoint, asOf) };
  const { args, ...read } = readParams(endpoint, { ...raw, query }, { ...options, now: asOf.at });
  return { ...read, args: withAvailability(endpoint, args, asOf), asOf: momentOfReading(endpoint, asOf) };
}

/** True if the endpoint accepts the moment of a question; the schedule of a moment always has its own. */
export function takesMoment({ query }: Endpoint): boolean {
  return query.as_of !== undefined && !query.as_of.required;
}

/** The moment as the endpoint's own parameters: the interface has no choice for the mirror's own rows. */
function momentQuery(endpoint: Endpoint, { at, by }: AsOf): RawArgs['query'] {
  return {
    ...(takesMoment(endpoint) && { as_of: String(Math.floor(at / 1000)) }),
    ...(endpoint.query.availability && by === 'captured' && { availability: by }),
  };
}

/** The arguments of a question to this mirror name whose knowledge counts, where the interface has no word for it. */
function withAvailability({ query }: Endpoint, args: Args, { by }: AsOf): Args {
  return by === 'mirrored' && query.as_of && query.availability ? { ...args, availability: by } : args;
}

/** The moment at which the mirror is read; `as_of` of forecasts chooses by their own time instead. */
function momentOfReading(endpoint: Endpoint, asOf: AsOf): AsOf | undefined {
  return takesMoment(endpoint) && !endpoint.query.availability && asOf.by === 'public' ? undefined : asOf;
}
