import type { Endpoint } from '../../contract/endpoint.ts';
import type { Param, ParamPart } from '../../contract/params/params.ts';
import { type ReadArgs, readParamsAt } from '../../contract/params/read-params.ts';
import type { AsOf } from '../../contract/time/moments.ts';
import { dateOf } from '../../contract/time/time.ts';
import { nearest } from '../../contract/words/nearest.ts';
import { MAIN_CURRENCIES } from '../../contract/words/words.ts';
import { MacroError } from '../../errors.ts';
import type { SourceMode } from '../../source/choose-source.ts';
import type { Question } from '../../source/source.ts';
import type { Call } from '../commands/command.ts';
import { canBePast, MOMENT } from '../commands/endpoint-commands.ts';
import { isDrawn } from '../print/format.ts';
import { inOptionWords } from './findings.ts';
import { readDateWord, readMomentWord, readPast } from './moments.ts';
import { isOn, manyOption, optionName, readCount, readDuration, textOption } from './options.ts';

export interface ParsedQuestion {
  readonly question: Question;
  /** Requested rows, if that is not simply one page of the service. */
  readonly rows: QuestionOptions;
  readonly mode: SourceMode;
  /** Seconds. */
  readonly maxAge: number | undefined;
  /** The moment of the past that the question is put at. */
  readonly asOf: AsOf | undefined;
  /** The source that is to answer alone. */
  readonly origin?: string | undefined;
  /** Sentences about words: how they were read, and which ones the tables do not know. */
  readonly notes: readonly string[];
  /** The words of the latter. */
  readonly unknown: readonly ParamPart[];
}

export type QuestionOptions =
  | { readonly kind: 'page' }
  | { readonly kind: 'all' }
  /** So many rows after so many; the answer is cut when its route knows no paging. */
  | { readonly kind: 'some'; readonly limit: number | undefined; readonly offset: number };

/** Reads a command line into a question. Everything that is wrong with it is found here, before any request. */
export function readQuestion(
  endpoint: Endpoint,
  call: Call,
  context: { now: number; siblings: readonly string[]; whole?: boolean; screen?: number | undefined },
): ParsedQuestion {
  const { options } = call;
  const path = readWords(endpoint, call.words, context.siblings);
  const past = canBePast(endpoint) ? readPast(endpoint, options, context.now) : undefined;
  // A question of the past is put on its day: windows end there, and words like today mean it.
  const now = past?.asOf?.at ?? context.now;
  const query: Record<string, string | undefined> = {};
  for (const [name, param] of Object.entries(endpoint.query)) {
    const text = textOption(options, optionName(name));
    if (text === undefined || (past && MOMENT.has(name))) continue;
    query[name] = name === CURSOR ? readMomentWord(text, now) : readValue(param, text, now);
  }
  for (const [name, value] of Object.entries(endpoint.cli?.fill?.(query, dateOf(now)) ?? {})) query[name] ??= value;
  Object.assign(query, past?.query);
  const { whole = false, screen } = context;
  const rows = readRows(endpoint, call, { query, whole: whole && isWhole(endpoint), screen });
  const readAt = (at: typeof path) =>
    readParamsAt(endpoint, { path: at, query }, { mode: 'liberal', now, asOf: past?.asOf });
  const { args, given, notes, unknown, asOf } = inOptionWords(
    endpoint,
    () => readAt(path),
    () => otherWayAround(endpoint, path, readAt),
  );
  const extra = readExtra(endpoint, call);
  const question: Question = { endpoint, args, given, ...(Object.keys(extra).length > 0 && { extra }) };
  const maxAge = textOption(options, 'max-age');
  return {
    question,
    rows,
    mode: readMode(call),
    maxAge: maxAge === undefined ? undefined : readDuration(maxAge, '--max-age'),
    asOf,
    origin: textOption(options, 'origin'),
    notes,
    unknown,
  };
}

/** Both words of a command the other way around, where these are legal. */
function otherWayAround(endpoint: Endpoint, path: Paths, read: (path: Paths) => ReadArgs): string | undefined {
  const [first, second, ...more] = Object.keys(endpoint.at);
  if (first === undefined || second === undefined || more.length > 0) return undefined;
  const swapped = { [first]: path[second] ?? '', [second]: path[first] ?? '' };
  try {
    if (read(swapped).unknown.length > 0) return undefined;
  } catch (error) {
    if (error instanceof MacroError) return undefined;
    throw error;
  }
  return Object.values(swapped).join(' ');
}

type Paths = Readonly<Record<string, string>>;

/** Takes a moment as well as a cursor, and no cursor is spelled like a word for one. */
const CURSOR = 'since';

/** Dates may be words like today or -90d, times also now or -6h, in lists as well. */
function readValue({ kind }: Param, text: string, now: number): string {
  if (kind === 'date') return readDateWord(text, dateOf(now));
  if (kind === 'instant') return readMomentWord(text, now);
  if (kind !== 'instants') return text;
  return text
    .split(',')
    .map((item) => readMomentWord(item, now))
    .join(',');
}

function readMode({ options }: Call): SourceMode {
  const [live, offline] = [isOn(options, 'live'), isOn(options, 'offline')];
  if (offline && manyOption(options, 'param').length > 0)
    throw new MacroError('usage', '--param is for the service and cannot be answered --offline.', {
      hint: 'Leave out --offline or --param.',
    });
  if (live) return 'live';
  return offline ? 'offline' : 'auto';
}

/** Lists of the newest releases have the length that the service gives them; everything else has an end. */
function isWhole({ paging, mirror }: Endpoint): boolean {
  return paging.kind !== 'offset' || mirror !== undefined;
}

/** The default rows of a page that are as many as the screen has room for; fewer are a choice of the endpoint. */
const MIN_FITTED = 20;
const MIN_ROWS = 10;

/** Rows that fit above the block of the words that a question adds; undefined where a page has its own length. */
function fittingRows(
  { paging, mirror, query: params }: Endpoint,
  query: Readonly<Record<string, string | undefined>>,
  screen: number,
) {
  // A feed begins with its oldest rows.
  if (paging.kind !== 'offset' || paging.size < MIN_FITTED) return undefined;
  const blocks = Object.entries(mirror?.effects ?? {}).map(([name, { does }]) => {
    const text = does === 'adds' ? query[name] : undefined;
    const words = text === 'all' ? params[name]?.words : text?.split(',');
    return words ? words.length + BLOCK_HEAD : 0;
  });
  return Math.min(paging.max, Math.max(MIN_ROWS, screen - Math.max(0, ...blocks)));
}

/** An empty line and a title. */
const BLOCK_HEAD = 2;

/** Sets limit and offset of the question, and the number of all requested rows. */
function readRows(
  endpoint: Endpoint,
  { options }: Call,
  { query, whole, screen }: { query: Record<string, string | undefined>; whole: boolean; screen: number | undefined },
): QuestionOptions {
  const { paging } = endpoint;
  const limit = readCount(options, 'limit', 1);
  const page = readCount(options, 'page', 1);
  const skipped = readCount(options, 'offset', 0);
  const fitting = screen === undefined ? undefined : fittingRows(endpoint, query, screen);
  if (isOn(options, 'all')) {
    if (limit !== undefined || page !== undefined || skipped !== undefined)
      throw new MacroError('usage', '--all and --limit, --offset or --page exclude each other.', {
        hint: 'Leave out --all, or the others.',
      });
    if (paging.kind !== 'none') query.limit = String(paging.max);
    return { kind: 'all' };
  }
  if (paging.kind !== 'none' && paging.kind !== 'offset' && (page ?? skipped) !== undefined)
    throw new MacroError('usage', `${endpoint.id} is read by cursor and knows no --offset and no --page.`, {
      hint: `Continue with ${paging.kind === 'cursor' ? '--since' : 'the cursor of the last answer'}, or take --all.`,
    });
  if (limit === undefined && page === undefined && skipped === undefined) {
    const drawn = isDrawn({ chart: isOn(options, 'chart'), file: textOption(options, 'output') });
    if (drawn) Object.assign(query, endpoint.cli?.drawn?.(query));
    // A line or a file over a part of the window would pass for the window.
    else if (!whole) {
      if (fitting !== undefined) query.limit = String(fitting);
      return { kind: 'page' };
    }
    if (paging.kind !== 'none') query.limit = String(paging.max);
    return { kind: 'some', limit: undefined, offset: 0 };
  }
  const size = limit ?? fitting ?? (paging.kind === 'none' ? undefined : paging.size);
  const offset = page === undefined ? (skipped ?? 0) : (page - 1) * (size ?? 0);
  if (paging.kind === 'none') return { kind: 'some', limit, offset };
  query.limit = String(Math.min(size ?? paging.size, paging.max));
  if (paging.kind === 'offset') query.offset = String(offset);
  // A page is as long as the limit that was typed, which may be longer than the service's: its own number would mislead.
  delete query.page;
  return size !== undefined && size <= paging.max ? { kind: 'page' } : { kind: 'some', limit: size, offset };
}

const KEY_PARAMETERS = new Set(['api_key', 'apikey', 'key', 'token', 'access_token']);

function readExtra(endpoint: Endpoint, { options }: Call): Readonly<Record<string, string>> {
  const extra: Record<string, string> = {};
  for (const pair of manyOption(options, 'param')) {
    const at = pair.indexOf('=');
    const name = pair.slice(0, Math.max(at, 0)).trim();
    if (name === '' || !/^[\w.[\]-]{1,64}$/.test(name))
      throw new MacroError('usage', '--param is written name=value.', { hint: 'For example: --param frequency=qoq' });
    if (KEY_PARAMETERS.has(name.toLowerCase()))
      throw new MacroError('usage', 'A key never travels in a URL.', {
        hint: 'Keep it with macro auth login, or in MACRO_API_KEY.',
      });
    if (endpoint.query[name])
      throw new MacroError('usage', `This tool knows the parameter ${name}.`, { hint: `Write --${optionName(name)}.` });
    extra[name] = pair.slice(at + 1);
  }
  return extra;
}

/** Binds words to path arguments: `eur usd`, `EUR/USD` and `eurusd` are one. @throws MacroError of kind `usage`. */
export function readWords(
  endpoint: Endpoint,
  typed: readonly string[],
  siblings: readonly string[] = [],
): Readonly<Record<string, string>> {
  const names = Object.keys(endpoint.at);
  const command = (endpoint.cli?.words ?? []).join(' ');
  refuseSiblings(command, typed, siblings);
  const words = splitPair(endpoint, names, typed);
  const needed = names.filter((name) => endpoint.at[name]?.required);
  refuseMistyped(endpoint, words, siblings);
  if (names[0] === 'currency') refusePair(command, words);
  if (words.length >= needed.length && words.length <= names.length)
    return Object.fromEntries(words.map((word, i) => [names[i] ?? '', word]));
  const form = names.map((name) => (needed.includes(name) ? name.toUpperCase() : `[${name.toUpperCase()}]`)).join(' ');
  const hint = `For example: macro ${endpoint.cli?.examples[0] ?? command}`;
  if (words.length > names.length) {
    const takes = form === '' ? 'takes no words' : `takes ${form}`;
    throw wrongWords(`macro ${command} ${takes}: '${words[names.length]}' is one too many.`, hint);
  }
  const got = words.length === 0 ? '' : `; got only ${words.join(' ')}`;
  const meant = nearest(words[0] ?? '', siblings);
  throw wrongWords(`macro ${command} needs ${form}${got}.`, meant ? `Did you mean macro ${command} ${meant}?` : hint);
}

/** A pair where one currency is needed: each of the two is a question of its own. */
function refusePair(command: string, [first = '', ...rest]: readonly string[]): void {
  const [, ...pair] = /^([a-z]{3})[/-]?([a-z]{3})$/.exec(first.toLowerCase()) ?? [];
  if (pair.length !== 2 || !pair.every((code) => MAIN_CURRENCIES.includes(code.toUpperCase()))) return;
  const typed = pair.map((code) => ['macro', command, code, ...rest].join(' '));
  throw wrongWords(`macro ${command} takes one currency, and '${first}' is a pair.`, `Type: ${typed.join(' or ')}`);
}

/** A word that leads to a command of its own stands first, so anywhere else it was not meant as an argument. */
function refuseSiblings(command: string, typed: readonly string[], siblings: readonly string[]): void {
  const word = typed.find((candidate) => siblings.includes(candidate.toLowerCase()));
  if (word === undefined) return;
  const others = typed.filter((candidate) => candidate !== word).join(' ');
  throw wrongWords(
    `'${word}' is a word of its own and stands before the others.`,
    `Type: macro ${command} ${word.toLowerCase()} ${others}`,
  );
}

/** A first word that no table knows was most likely meant as a word of the command, when it is close to one. */
function refuseMistyped(
  endpoint: Endpoint,
  [first = '', ...others]: readonly string[],
  siblings: readonly string[],
): void {
  const [name = ''] = Object.keys(endpoint.at);
  const known = endpoint.at[name]?.words ?? [];
  const meant = nearest(first.toLowerCase(), siblings);
  if (others.length === 0 || meant === undefined || known.length === 0) return;
  if ([first, first.toUpperCase(), first.toLowerCase()].some((word) => known.includes(word))) return;
  const command = ['macro', ...(endpoint.cli?.words ?? []), meant, ...others].join(' ');
  throw wrongWords(`'${first}' is no legal value for ${name.toUpperCase()}.`, `Did you mean ${command}?`);
}

/** One word that stands for a pair becomes two. Without a sign between them, one of the halves has to be known. */
function splitPair(endpoint: Endpoint, names: readonly string[], words: readonly string[]): readonly string[] {
  const at = names.indexOf('base');
  if (at < 0 || names[at + 1] !== 'quote' || words.length !== names.length - 1) return words;
  const [, base, sign, quote] = /^([a-z]{3})([/-]?)([a-z]{3})$/i.exec(words[at] ?? '') ?? [];
  if (base === undefined || quote === undefined) return words;
  const known = [base, quote].some((half) => endpoint.at.base?.words.includes(half.toUpperCase()));
  return sign !== '' || known ? [...words.slice(0, at), base, quote, ...words.slice(at + 1)] : words;
}

export function wrongWords(sentence: string, hint: string): MacroError {
  return new MacroError('usage', sentence, { code: 'bad_words', hint });
}
