import { MIRROR_INCOMPLETE } from '../../../contract/answer-members.ts';
import type { Endpoint } from '../../../contract/endpoint.ts';
import type { JsonText } from '../../../contract/json/json.ts';
import { readParams } from '../../../contract/params/read-params.ts';
import type { Range } from '../../../contract/time/coverage.ts';
import { dateOf, dateToMs, isCalendarDate, parseInstant } from '../../../contract/time/time.ts';
import { nearest } from '../../../contract/words/nearest.ts';
import { INDICATORS, wordList } from '../../../contract/words/words.ts';
import announcements from '../../../endpoints/announcements/series.ts';
import curve from '../../../endpoints/curves/curve.ts';
import differential from '../../../endpoints/curves/differential.ts';
import forex from '../../../endpoints/fx/forex.ts';
import { endpointById, INTERFACE, MAPPINGS } from '../../../endpoints/index.ts';
import sentiment from '../../../endpoints/sentiment/sentiment.ts';
import { MacroError } from '../../../errors.ts';
import type { Mirror, MirrorReader } from '../../../mirror/api/mirror.ts';
import type { StoredSeries } from '../../../mirror/api/series.ts';
import { findAll } from '../../../source/answer/pick.ts';
import { missingOfStored, partialOf } from '../../../source/read-coverage.ts';
import type { Question } from '../../../source/source.ts';
import { type App, dataKindNote } from '../../app/app.ts';
import { inOptionWords } from '../../parse/findings.ts';
import { readDateWord } from '../../parse/moments.ts';
import { wrongWords } from '../../parse/question.ts';
import { cureOf } from '../../print/partial.ts';
import { chosenBy, nameOfRow, nameOfSeries, noneChosen } from '../../print/series.ts';
import { namesText } from '../../print/text.ts';
import type { Call, CommandDeclaration } from '../command.ts';
import { LISTING } from '../common-options.ts';
import { requireOwnMirror } from '../require.ts';
import type { AnswerLeg } from './computed.ts';
import { keysOfRow, linesOf, seriesOfAnswer } from './lineage.ts';

export default [
  {
    path: ['why'],
    summary: 'Show where a number came from: request or file, publisher, revisions; offline',
    words: `words... (<series>): CCY/INDICATOR, BASE/QUOTE or the words of a mirrored series (cot eur), then the date or the name of the row`,
    options: [`--offline [Source]: always in force: only the mirror is read`, LISTING],
    examples: ['why usd/inflation 2026-09-30', 'why cot eur 2026-11-10 --format json'],
    rows: `series text, date? date?, row? text, val? any, marks? text, fields? list, public time?, captured time?, mirrored time?,
      until? any, ambiguous? any, source? any, source_url? any, request text, how text, origin text,
      access? keyless|keyed, commit? count, text text`,
    run: why,
  },
] satisfies readonly CommandDeclaration[];

const COLUMNS = wordList('series date val marks public captured mirrored until source request how');
/** Where a row is named by more than a date, or has several numbers. */
const ROW_COLUMNS = ['series', 'row', 'val', 'marks', 'fields', ...COLUMNS.slice(4)] as const;

/** Series whose rows are read at once. */
const MAX_SERIES = 50;

/** Which row `macro why` is asked about: a row of what an answer is made of, or of stored series that words name. */
type WhyQuestion =
  | { readonly kind: 'answer'; readonly question: Question; readonly row: string }
  | {
      readonly kind: 'series';
      readonly endpoints: readonly Endpoint[];
      readonly words: readonly string[];
      readonly row: string;
    };

const EXAMPLES = 'macro why usd/inflation 2026-09-30, macro why gbp/jpy 2026-11-20, macro why cot eur 2026-11-10';

/** Prints every value of a row, its release times, publisher and origin, and those of its legs. Nobody is asked. */
async function why(app: App, call: Call): Promise<void> {
  const question = readWhy(call.words, app.platform.clock.now());
  const mirror = await requireOwnMirror(app);
  const made = question.kind === 'answer' ? await explain(app, mirror, question) : undefined;
  const texts = await mirror.snapshot(async (of) => {
    // Also of a series that the service does not mean by these words any more.
    const reader: MirrorReader = { ...of, find: (ref) => of.find(ref, 'ever') };
    const series = await seriesOf(reader, question);
    const lines: { series: number; isPlain: boolean; text: JsonText }[] = [];
    for (const stored of series)
      for (const row of rowsOf(stored, made?.legs, question.row))
        for (const key of await keysOfRow(reader, stored, row))
          for (const line of await linesOf(reader, stored, key)) lines.push({ series: stored.id, ...line });
    if (lines.length === 0) throw await absentRow(app, reader, series, question.row);
    return lines;
  });
  const facts = await dataKindNote(app, mirror);
  const count = new Set(texts.map(({ series }) => series)).size;
  await app.list({
    columns: texts.every(({ isPlain }) => isPlain) ? COLUMNS : ROW_COLUMNS,
    texts: [...(made ? [made.text] : []), ...texts.map(({ text }) => text)],
    title: [`${subjectOf(question)} on ${question.row}`, ...(count > 1 ? [`read from ${count} series`] : [])],
    facts,
  });
}

async function explain(app: App, mirror: Mirror, { question, row }: { question: Question; row: string }) {
  const { explainComputed } = await import('./computed.ts');
  return explainComputed(mirror, { question, row, now: app.platform.clock.now() });
}

/** The rows of a series that an answer is made of; a series that is no leg has none. */
function rowsOf({ scope }: StoredSeries, legs: readonly AnswerLeg[] | undefined, row: string): readonly string[] {
  const { currency, indicator } = scope;
  if (!legs || indicator === undefined) return [row];
  const own = legs.filter((leg) => leg.indicator === indicator && leg.currency === currency?.toLowerCase());
  return own.map(({ date }) => date);
}

function subjectOf(question: WhyQuestion): string {
  if (question.kind === 'series') return question.words.join(' ');
  const { args, endpoint } = question.question;
  if (endpoint.id === forex.id) return `${args.base}/${args.quote}`;
  const words = Object.keys(endpoint.at).map((name) => args[name]);
  return [...(endpoint.id === announcements.id ? [] : (endpoint.cli?.words ?? [])), ...words].join(' ');
}

async function seriesOf(reader: MirrorReader, question: WhyQuestion): Promise<readonly StoredSeries[]> {
  if (question.kind === 'answer') {
    // The series of the asked words alone has the value of the answer; those with more words, such as an index, follow.
    const words = ({ scope }: StoredSeries) => Object.keys(scope).length;
    return (await seriesOfAnswer(reader, question.question)).toSorted((a, b) => words(a) - words(b));
  }
  const { endpoints, words } = question;
  const found = await findAll(
    reader,
    endpoints.map(({ id }) => ({ endpoint: id, scope: {} })),
  );
  const chosen = found.filter(chosenBy(words));
  if (chosen.length === 0) throw endpoints.some(({ compose }) => compose) ? computed(words) : noneChosen(words);
  if (chosen.length <= MAX_SERIES) return chosen;
  throw new MacroError('usage', `'${words.join(' ')}' names ${chosen.length} series.`, {
    code: 'several_series',
    hint: `Name fewer. For example: ${chosen.slice(0, 2).map(nameOfSeries).join(', ')}.`,
  });
}

/** Why no series has a row: that part is missing from the mirror, or it is covered and has no row. */
async function absentRow(app: App, reader: MirrorReader, series: readonly StoredSeries[], row: string) {
  const now = app.platform.clock.now();
  const partOf = (stored: StoredSeries) => ({ now, range: rangeOfRow(stored, row) });
  const missingParts = (
    await Promise.all(series.map((stored) => missingOfStored(reader, stored, partOf(stored))))
  ).flat();
  const [first] = series;
  const endpoint = first && endpointById(first.endpoint);
  const partial = endpoint && partialOf({ endpoint, args: {} }, missingParts, { checkedAt: now, now });
  if (partial)
    return new MacroError('incomplete', `Missing in the mirror: ${namesOfSeries(series)} for ${row}.`, {
      code: MIRROR_INCOMPLETE,
      hint: await cureOf(app, partial),
    });
  return new MacroError(
    'notFound',
    `There is no row of ${namesOfSeries(series)} for ${row}: the mirror covers that part, and it has none.`,
    {
      code: 'no_such_row',
      hint: (first && (await rowBefore(reader, first, row))) ?? 'macro mirror status lists the stored series.',
    },
  );
}

function namesOfSeries(series: readonly StoredSeries[]): string {
  return namesText([...new Set(series.map(nameOfSeries))]);
}

/** The part of a series that the word for a row means; undefined of a row without a time. */
function rangeOfRow({ endpoint }: StoredSeries, row: string): Range | undefined {
  const { window, sync } = MAPPINGS[endpoint] ?? {};
  if (!window || sync?.kind === 'document' || sync?.kind === 'snapshot') return undefined;
  if (window.unit === 'date') return isCalendarDate(row) ? { from: row, to: row } : undefined;
  const at = parseInstant(row);
  if (at === undefined) return undefined;
  return isCalendarDate(row) ? { from: dateToMs(row) / 1000, to: dateToMs(row) / 1000 + 86_399 } : { from: at, to: at };
}

async function rowBefore(reader: MirrorReader, series: StoredSeries, row: string): Promise<string | undefined> {
  const mapping = MAPPINGS[series.endpoint];
  if (!mapping?.window || !isCalendarDate(row)) return undefined;
  const last = { limit: 1, offset: 0, reverse: mapping.order !== 'newest' };
  const [nearest] = await reader.rows(series, { to: row }, last);
  return nearest && `The row before it is that of ${nameOfRow(series, nearest.key)}.`;
}

/** Reads the words: the last names the row, the others its series. @throws MacroError of kind `notFound`. */
function readWhy(words: readonly string[], now: number): WhyQuestion {
  const parts = words
    .flatMap((word, i) => (i > 0 && i === words.length - 1 ? [word] : word.split('/')))
    .filter((word) => word !== '');
  const typed = parts.pop() ?? '';
  const date = readDateWord(typed, dateOf(now));
  const row = isCalendarDate(date) ? date : typed;
  const { endpoints, rest } = endpointsNamed(parts);
  const [endpoint] = endpoints;
  if (endpoint === undefined || endpoint.id === forex.id || endpoint.id === announcements.id)
    return { kind: 'answer', question: answerOf(pairOf(rest), { date: row, now, command: endpoint?.id }), row };
  if (EXPLAINED.has(endpoint.id) && isCalendarDate(row))
    return { kind: 'answer', question: composedOf(endpoint, rest, { row, now }), row };
  if (endpoints.some(({ mirror }) => mirror)) return { kind: 'series', endpoints, words: parts, row };
  throw computed(parts);
}

/** Computed answers that are explained, beside pairs: see `computed.ts`. */
const EXPLAINED: ReadonlySet<string> = new Set([curve.id, differential.id, sentiment.id]);

/** The question of a computed answer on a date: a curve of that date, else a window of one day. */
function composedOf(endpoint: Endpoint, rest: readonly string[], { row, now }: { row: string; now: number }): Question {
  const names = Object.keys(endpoint.at);
  const words = names.length === 2 ? pairOf(rest) : rest;
  const path = Object.fromEntries(names.map((name, i) => [name, words[i] ?? '']));
  const query = endpoint.query.date
    ? { date: row }
    : endpoint.query.start_date
      ? { start_date: row, end_date: row }
      : {};
  if (words.length !== names.length || Object.keys(query).length === 0)
    throw computed([...(endpoint.cli?.words ?? []), ...rest]);
  return {
    endpoint,
    args: inOptionWords(endpoint, () => readParams(endpoint, { path, query }, { mode: 'liberal', now })).args,
  };
}

/** The error for an answer whose rows are never stored. */
function computed(words: readonly string[]): MacroError {
  return new MacroError(
    'notFound',
    `No series of the mirror is named '${words.join(' ')}': such an answer is computed of other series, or of none.`,
    { code: 'computed', hint: `Ask about a series that it is computed of. For example: ${EXAMPLES}` },
  );
}

/** The endpoints whose command the words begin with: of `fx` and `fx reference` the longer one. */
function endpointsNamed(parts: readonly string[]): { endpoints: readonly Endpoint[]; rest: readonly string[] } {
  for (let length = parts.length; length > 0; length -= 1) {
    const command = parts.slice(0, length).join(' ').toLowerCase();
    const endpoints = INTERFACE.filter(({ cli }) => cli?.words.join(' ') === command);
    if (endpoints.length > 0) return { endpoints, rest: parts.slice(length) };
  }
  return { endpoints: [], rest: parts };
}

/** One word that stands for a pair becomes two. */
function pairOf(parts: readonly string[]): readonly string[] {
  const [only = ''] = parts;
  return parts.length === 1 && /^[a-z]{6}$/i.test(only) ? [only.slice(0, 3), only.slice(3)] : parts;
}

/** `command`: the endpoint of the command that the words begin with. */
function answerOf(
  named: readonly string[],
  { date, now, command }: { date: string; now: number; command: string | undefined },
): Question {
  if (named.length > 0 && !isCalendarDate(date))
    throw wrongWords(`'${date}' is no date: macro why ends with the date of the number.`, `For example: ${EXAMPLES}`);
  const [first, second] = named;
  if (first === undefined || second === undefined || named.length > 2 || !/^[a-z]{3}$/i.test(first))
    throw wrongWords(
      'macro why needs CCY/INDICATOR, BASE/QUOTE or the words of a series, then a date.',
      hintFor(named),
    );
  // A file may have a currency that no list names.
  const isPair =
    /^[a-z]{3}$/i.test(second) && command !== announcements.id && !INDICATORS.includes(second.toLowerCase());
  const endpoint = endpointById((isPair ? forex : announcements).id);
  if (!endpoint) throw new Error('the endpoints of rates and of announcements are always there');
  const path = isPair ? { base: first, quote: second } : { currency: first, indicator: second };
  const query = { start_date: date, end_date: date };
  return {
    endpoint,
    args: inOptionWords(endpoint, () => readParams(endpoint, { path, query }, { mode: 'liberal', now })).args,
  };
}

function hintFor([first = '']: readonly string[]): string {
  const commands = INTERFACE.flatMap(({ cli, mirror }) => (cli && mirror ? [cli.words[0] ?? ''] : []));
  const meant = first.length > 3 ? nearest(first.toLowerCase(), commands) : undefined;
  return meant ? `Did you mean macro why ${meant}?` : `For example: ${EXAMPLES}`;
}
