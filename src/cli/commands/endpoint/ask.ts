import { KEYLESS_DAYS } from '../../../contract/access.ts';
import { isAnsweredByClock } from '../../../contract/capabilities.ts';
import type { Endpoint } from '../../../contract/endpoint.ts';
import { cutBody, MARK_MEMBER, patchRow } from '../../../contract/json/body.ts';
import {
  asJsonText,
  isJsonObject,
  type Json,
  type JsonObject,
  objectIn,
  readJson,
  toJsonText,
} from '../../../contract/json/json.ts';
import { memberTexts } from '../../../contract/json/scan.ts';
import { addDays, BEGINNING, dateOf, isCalendarDate, isoSeconds } from '../../../contract/time/time.ts';
import { loadEndpoint } from '../../../endpoints/find.ts';
import { MacroError } from '../../../errors.ts';
import type { AskContext, Question, Reply } from '../../../source/source.ts';
import { type App, fileOption, formatFor, screenRows, warnSynthetic } from '../../app/app.ts';
import { isKeyless } from '../../app/keys.ts';
import { isOn, textOption } from '../../parse/options.ts';
import { type ParsedQuestion, type QuestionOptions, readQuestion } from '../../parse/question.ts';
import { listAnswer, rowSchema, spliceMap } from '../../print/answer.ts';
import { indentJson } from '../../print/json.ts';
import type { Listing } from '../../print/listing.ts';
import { endIfPartial } from '../../print/partial.ts';
import type { Call } from '../command.ts';
import { answerQuestion, isFromFile, notesOnWords, unknownHere } from './answer-question.ts';

/** Where nobody says since when, the service tells the changes of a day, and so does the mirror. */
const LAST_DAY = 'These are the changes of the last 24 hours; another beginning has --since, as in: --since -7d';

/** Formats that say nothing of where their rows come from. */
const BARE: ReadonlySet<string> = new Set(['csv', 'tsv', 'json', 'ndjson']);

/** Formats whose rows are lines of cells: they say nothing beside their rows. */
const SHEETS: ReadonlySet<string> = new Set(['csv', 'tsv', 'parquet', 'xlsx']);

/** Formats that show one page of a window on standard output, and say so. */
const PAGES: ReadonlySet<string> = new Set(['table', 'md', 'json']);

/** Answers a question from a source, chosen before anything is spent: rows to the output, notes to stderr. */
export async function ask(app: App, typed: Call, id: string, siblings: readonly string[]): Promise<void> {
  const isTriangle = isOn(typed.options, 'triangle');
  const call = isTriangle ? allVintages(typed) : typed;
  const endpoint = await loadEndpoint(id);
  if (!endpoint) throw new Error(`No endpoint is called ${id}`);
  if (isOn(call.options, 'schema')) return app.printText(indentJson(JSON.stringify(rowSchema(endpoint))));
  const dates = endpoint.cli?.comparesDates ? severalDates(call) : undefined;
  if (dates) return (await import('./ask-dates.ts')).askDates(app, call, endpoint, dates);
  const now = app.platform.clock.now();
  const parsed = readQuestion(endpoint, call, { now, siblings, whole: holdsWindow(app), screen: screenRows(app) });
  const { asOf } = parsed;
  const context: AskContext = { caller: { kind: 'owner' }, now, signal: app.signal, asOf };
  for (const warning of app.settings.warnings) await app.warn(warning, 'settings');
  for (const note of notesOnWords(parsed)) await app.note(note, 'about_question');
  if (endpoint.paging.kind === 'cursor' && parsed.question.args.since === undefined)
    await app.note(LAST_DAY, 'about_question');
  const answered = await withGuess(app, parsed, () => answerQuestion(app, parsed, context));
  const reply = withShown(cutReply(endpoint, answered, rowsTyped(parsed, call)), app.settings.fields.value);
  if (reply.synthetic && !isAnsweredByClock(endpoint)) await warnSynthetic(app);
  const about = [...leftOutNotes(parsed.question, answered), ...emptyWindowNotes(parsed.question, answered, now)];
  if (answered.from === 'mirror' && isKeyless(app)) about.push(...keylessStartNotes(parsed.question, answered, now));
  if (asOf?.by === 'public') about.push(...assumedTimeNotes(answered));
  if (about.length === 0 && answered.from === 'mirror')
    about.push(...(await neighbourNotes(app, parsed, { context, answered })));
  for (const note of [...reply.notes, ...about]) await app.note(note, 'about_answer');
  const isHeld = reply.from === 'mirror';
  const imported = isHeld && !BARE.has(formatFor(app)) && (await isFromFile(app, parsed.question));
  const answer = listAnswer(parsed.question, reply, { now, imported });
  const withForecasts =
    isOn(call.options, 'forecasts') || isOn(call.options, 'surprise')
      ? (await import('./forecasts.ts')).besideForecasts(app, call, { parsed, reply, listing: answer, now })
      : { listing: answer, partial: reply.partial };
  const { listing: plain, partial } = await withForecasts;
  const listing = await inShape(app, { parsed, reply, listing: plain }, isTriangle);
  if (listing.rows.length === 0 && !isHeld) await noteUnknown(app, parsed);
  await app.print(listing);
  if (parsed.rows.kind !== 'all' && call.options.limit === undefined) await tellMore(app, listing);
  await endIfPartial(app, { partial });
}

function allVintages(call: Call): Call {
  const { revisions = 'all' } = call.options;
  if (revisions !== 'all' || isOn(call.options, 'forecasts'))
    throw new MacroError('usage', '--triangle shows every vintage.', {
      hint: 'Leave out --forecasts and --revisions, or give --revisions all.',
    });
  return { ...call, options: { ...call.options, revisions } };
}

/** The rows as they were asked for: a line for each vintage, or sheets that name the source of each row. */
async function inShape(
  app: App,
  asked: { readonly parsed: ParsedQuestion; readonly reply: Reply; readonly listing: Listing },
  isTriangle: boolean,
): Promise<Listing> {
  const { parsed, reply, listing } = asked;
  const listsVintages = parsed.question.args.revisions === 'all';
  const listsOrigins = (reply.sources?.length ?? 0) > 1 && SHEETS.has(formatFor(app));
  if (!listsVintages && !listsOrigins) return listing;
  const { listVintages, triangle, withOrigins } = await import('./vintages.ts');
  if (isTriangle) return triangle(app, asked);
  return listsVintages ? listVintages(app, asked) : withOrigins(asked);
}

/** Whether the output cannot say of itself that it has only a part of the window, as a table and a page of JSON do. */
function holdsWindow(app: App): boolean {
  return fileOption(app.options) !== undefined || !PAGES.has(formatFor(app));
}

/** Notes that there are more rows. A table and a body say it themselves; a file or pipe does not. */
async function tellMore(app: App, { view }: Listing): Promise<void> {
  const format = formatFor(app);
  if (format === 'table' || format === 'chart' || format === 'json') return;
  for (const sentence of view?.below ?? []) await app.note(sentence, 'more_rows');
}

/** The dates of a list; undefined for a single one. */
function severalDates({ options }: Call): readonly string[] | undefined {
  const dates = (textOption(options, 'date') ?? '').split(',').map((date) => date.trim());
  return dates.length < 2 ? undefined : [...new Set(dates.filter(Boolean))];
}

/** For an answer without rows: what has rows is no typo, whatever our tables say. */
async function noteUnknown(app: App, parsed: ParsedQuestion): Promise<void> {
  for (const note of await unknownHere(app, parsed)) await app.note(note, 'about_question');
}

/** An unknown word that no series has was most likely a typo: the hint is then the nearest word. */
async function withGuess<T>(app: App, parsed: ParsedQuestion, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof MacroError) || error.kind !== 'notFound') {
      if (!(error instanceof MacroError && error.code === 'bad_words')) await noteUnknown(app, parsed);
      throw error;
    }
    const { code, status, message } = error;
    const unknown = await unknownHere(app, parsed);
    if (unknown.length === 0 || message.includes('Did you mean')) throw error;
    // Nothing fills a mirror with what does not exist; where words are listed is worth telling beside the guess.
    const listed = code !== 'not_mirrored' && error.hint !== undefined ? [error.hint] : [];
    throw new MacroError('notFound', message, {
      hint: [...unknown, ...listed].join(' '),
      ...{ code, status, cause: error },
    });
  }
}

/** Drops missing parts that only members outside of `--fields` need. */
function withShown(reply: Reply, fields: readonly string[] | undefined): Reply {
  const { partial } = reply;
  if (fields === undefined || !partial) return reply;
  const shown = new Set(fields.map((field) => field.split('.')[0]));
  const isShown = ({ for: member }: { readonly for?: string } = {}) => member === undefined || shown.has(member);
  const missing = partial.mark.missing.filter(isShown);
  if (missing.length === partial.mark.missing.length) return reply;
  const mark = missing.length === 0 ? undefined : { ...partial.mark, missing };
  const left = mark && { ...partial, mark, missingParts: partial.missingParts.filter(({ range }) => isShown(range)) };
  const body = patchRow(reply.body, { [MARK_MEMBER]: mark && toJsonText(mark) });
  const { partial: _, parts: __, ...others } = reply;
  return { ...others, body, ...(left && { partial: left }) };
}

/** A service may return more rows than `--limit` says: the typed limit is the number of rows shown. */
function rowsTyped({ rows, question }: ParsedQuestion, { options }: Call): QuestionOptions {
  const { limit } = question.args;
  const isTyped = rows.kind === 'page' && options.limit !== undefined && typeof limit === 'number';
  return isTyped ? { kind: 'some', limit, offset: 0 } : rows;
}

/** The requested rows, out of an answer of the service or of a route without paging. */
function cutReply(endpoint: Endpoint, reply: Reply, rows: QuestionOptions): Reply {
  const shape = endpoint.body;
  if (rows.kind !== 'some' || (shape.kind !== 'list' && shape.kind !== 'map')) return reply;
  if (endpoint.paging.kind !== 'none' && reply.from !== 'live') return reply;
  // A walk over pages has left out the rows of an offset already.
  const offset = endpoint.paging.kind === 'none' ? rows.offset : 0;
  const cut = cutBody(shape, reply.body);
  const end = rows.limit === undefined ? undefined : offset + rows.limit;
  const kept = cut.rows.slice(offset, end);
  if (kept.length === cut.rows.length) return reply;
  const texts = kept.map((row) => row.text);
  if (shape.kind === 'list')
    return { ...reply, body: patchRow(reply.body, { [shape.member]: asJsonText(`[${texts.join(',')}]`) }) };
  return {
    ...reply,
    body: spliceMap(
      shape,
      reply.body,
      kept.map((row) => [row.name, row.text]),
    ),
  };
}

/** Notes for an answer without rows of its window, which is often the default that nobody typed. `now` in milliseconds. */
export function emptyWindowNotes(
  { endpoint, args }: Question,
  reply: Pick<Reply, 'body' | 'parts'>,
  now: number,
): readonly string[] {
  if (endpoint.mirror?.window?.unit !== 'date' || (reply.parts && reply.parts.rows.length > 1)) return [];
  const { body } = reply;
  const instead = body.includes(OUTSIDE) ? dateOutside(body) : undefined;
  // Most answers hold no empty list anywhere, which is seen sooner than where the rows of one begin and end.
  if (instead === undefined && !/\[\s*\]/.test(body)) return [];
  const [rows, ...bounds] = memberTexts(body, ['data', 'latest_available_date', 'start_date']);
  if (instead === undefined && rows?.replaceAll(/\s/g, '') !== '[]') return [];
  const [latest, answered] = bounds.map((text) => (text === undefined ? undefined : String(readJson(text))));
  const start = answered ?? (typeof args.start_date === 'string' ? args.start_date : undefined);
  if (start === undefined || !isCalendarDate(start)) return [];
  const today = dateOf(now);
  const isAhead = start > today ? [`The window begins on ${start}, after today, ${today}.`] : [];
  const { end_date: end } = args;
  const where = typeof end === 'string' && end < today ? `in ${start} to ${end}` : `on or after ${start}`;
  if (instead !== undefined)
    return [...isAhead, `No row lies ${where}. The one of ${instead} is the newest before it.`];
  if (latest === undefined || !isCalendarDate(latest) || latest >= start) return isAhead;
  return [...isAhead, `No row lies ${where}. The newest is that of ${latest}: --start ${latest} shows it.`];
}

/** At a moment of the past a rule's time, which is never too early, can leave out a value that was public. */
export function assumedTimeNotes({ body }: Pick<Reply, 'body'>): readonly string[] {
  const [text] = memberTexts(body, ['data_quality']);
  if (text === undefined) return [];
  const { has_assumed_release_times: isAssumed, row_count: rows } = objectIn(readJson(text));
  if (isAssumed !== true || rows === 0) return [];
  return ['Release times here are assumed, rather late than early: a newer value may have been public already.'];
}

/** The member of a row that stands for the rows of an empty window. */
const OUTSIDE = '"outside_requested_window"';

function dateOutside(body: Reply['body']): string | undefined {
  const [text] = memberTexts(body, ['data']);
  const rows: unknown = text === undefined ? [] : readJson(text);
  const [row] = Array.isArray(rows) ? rows : [];
  return isJsonObject(row) && row.outside_requested_window === true ? String(row.date) : undefined;
}

/** Names the nearest dates with rows beside an empty window, from coverage alone: the service is not asked for a note. */
async function neighbourNotes(
  app: App,
  parsed: ParsedQuestion,
  { context, answered }: { readonly context: AskContext; readonly answered: Reply },
): Promise<readonly string[]> {
  const { endpoint, args } = parsed.question;
  const { start_date: start, end_date: end } = args;
  if (endpoint.mirror?.window?.unit !== 'date' || endpoint.paging.kind !== 'offset') return [];
  if (typeof start !== 'string' || typeof end !== 'string' || answered.partial) return [];
  const rowsOf = (reply: Reply) => cutBody(endpoint.body, reply.body).rows;
  if (rowsOf(answered).length > 0) return [];
  const all = { ...args, start_date: BEGINNING, end_date: dateOf(context.now), limit: endpoint.paging.max, offset: 0 };
  const question = { ...parsed, question: { endpoint, args: all }, rows: { kind: 'all' }, mode: 'offline' } as const;
  const whole = await answerQuestion(app, question, context);
  const dates = rowsOf(whole).flatMap(({ value: { date } }) => (typeof date === 'string' ? date : []));
  const within = dates.filter((date) => date >= start && date <= end).length;
  if (within > 0)
    return [`${start} to ${end} has ${within} ${within === 1 ? 'row' : 'rows'}: this page begins behind them.`];
  // Behind a missing range nobody knows which row is the nearest.
  const isKnown = (from: string, to: string) =>
    !whole.partial?.mark.missing.some(
      (range) => range.for === undefined && String(range.from ?? '') < to && String(range.to ?? '') > from,
    );
  const last = dates
    .filter((date) => date < start)
    .toSorted()
    .at(-1);
  const next = dates.filter((date) => date > end).toSorted()[0];
  const before = last !== undefined && isKnown(last, start) ? last : undefined;
  const after = next !== undefined && isKnown(end, next) ? next : undefined;
  const around = [
    ...(before === undefined ? [] : [`the last one before is of ${before}`]),
    ...(after === undefined ? [] : [`the next one is of ${after}`]),
  ];
  const hint = before === undefined || after !== undefined ? '' : ` --start ${before} shows it.`;
  return around.length === 0 ? [] : [`No row lies in ${start} to ${end}: ${around.join(', ')}.${hint}`];
}

/** Notes what the answer left out without a key, or since events are gone. See docs/interface-access.md#window-without-a-key. */
export function leftOutNotes({ endpoint, args }: Question, reply: Reply): readonly string[] {
  const { from, parts } = reply;
  // Whoever has the parts does not put the rows together for the members beside them.
  const membersIn = () => parts?.envelope ?? reply.body;
  // Other answers have no such member, and their rows may be many.
  const lost = endpoint.mirror?.sync.kind === 'cursor' ? lostNotes(membersIn()) : [];
  if (from !== 'live' || endpoint.access.class === 'public') return lost;
  const members = memberTexts(membersIn(), ['freemium_window', 'freemium_delay', 'scope']);
  const [window, delay, scope] = members.map((text) => objectIn(text === undefined ? null : readJson(text)));
  const requested = endpoint.access.narrows === undefined ? undefined : args[endpoint.access.narrows];
  return [
    ...lost,
    ...windowNotes(window),
    ...delayNotes(delay),
    ...scopeNotes(requested, objectIn(scope)[endpoint.access.narrows ?? '']),
  ];
}

const NO_KEY = 'Without a key';

/** The mirror was filled without a key, so that its answer begins where the service's would. */
function keylessStartNotes({ endpoint, args }: Question, { body, partial }: Reply, now: number): readonly string[] {
  const first = addDays(dateOf(now), -KEYLESS_DAYS);
  if (endpoint.access.window !== true || partial || String(args.start_date ?? '') >= first) return [];
  const [text, paging] = memberTexts(body, ['data', 'pagination']);
  const rows: unknown = text === undefined ? [] : readJson(text);
  const isCut = paging !== undefined && objectIn(readJson(paging)).has_more === true;
  const isOlder = Array.isArray(rows) && rows.some((row) => isJsonObject(row) && String(row.date) < first);
  return isCut || isOlder ? [] : windowNotes({ applied: true, cutoff_date: first });
}

/** A feed from before what its origin still keeps: rows alone say nothing of it. */
function lostNotes(body: Reply['body']): readonly string[] {
  const [gap, oldest] = memberTexts(body, ['gap', 'oldest_available']);
  if (gap !== 'true') return [];
  const from = oldest === undefined ? '' : ` Every event is there from ${String(readJson(oldest))} on.`;
  return [`There is a gap: events of the asked time are missing in this answer.${from}`];
}

function windowNotes({ applied, cutoff_date: date }: JsonObject = {}): readonly string[] {
  if (applied !== true) return [];
  return [`${NO_KEY} nothing before ${typeof date === 'string' ? date : 'the last weeks'} is in this answer.`];
}

function delayNotes({ withheld_count: count, next_available_at: next }: JsonObject = {}): readonly string[] {
  if (typeof count !== 'number' || count <= 0) return [];
  const what = count === 1 ? '1 release is' : `${count} releases are`;
  const until = typeof next === 'number' ? `, the next one until ${isoSeconds(next)}` : '';
  return [`${NO_KEY} ${what} withheld${until}.`];
}

/** Without a word about currencies, too, the answer is narrowed. */
function scopeNotes(requested: unknown, answered: Json | undefined): readonly string[] {
  if (!Array.isArray(answered) || (Array.isArray(requested) && requested.every((code) => answered.includes(code))))
    return [];
  return [`${NO_KEY} only ${answered.map((code) => String(code).toUpperCase()).join(', ')} is in this answer.`];
}
