import type { Endpoint } from '../../../contract/endpoint.ts';
import { cutBody, MARK_MEMBER } from '../../../contract/json/body.ts';
import type { JsonObject } from '../../../contract/json/json.ts';
import { missingUpTo } from '../../../coverage/missing-parts.ts';
import { joinPartials, type PartialAnswer } from '../../../coverage/partial-answer.ts';
import { ENDPOINTS } from '../../../endpoints/index.ts';
import { MacroError } from '../../../errors.ts';
import { seriesOfQuestion } from '../../../source/question.ts';
import { partialOf } from '../../../source/read-coverage.ts';
import type { Reply } from '../../../source/source.ts';
import { type App, warnSynthetic } from '../../app/app.ts';
import type { Options } from '../../parse/options.ts';
import { type ParsedQuestion, readQuestion } from '../../parse/question.ts';
import type { OwnRows } from '../../print/listing.ts';
import { checkedAgo, checkedAt, partialTitle } from '../../print/listing-view.ts';
import { endIfPartial } from '../../print/partial.ts';
import type { Call } from '../command.ts';
import { childWords } from '../endpoint-commands.ts';
import { answerQuestion, isFromFile, notesOnWords } from './answer-question.ts';

/** One of the answers. `reply` is missing where the mirror has nothing of it; `missing parts` then says so. */
export interface AnswerPart {
  readonly parsed: ParsedQuestion;
  readonly reply: Reply | undefined;
  readonly partial: PartialAnswer | undefined;
  readonly imported: boolean;
}

interface JoinedAnswers extends OwnRows {
  /** Who published them. */
  readonly sources?: readonly unknown[];
  /** Answers that were asked for meanwhile. */
  readonly more?: readonly AnswerPart[];
  /** The end of the shown schedules, in Unix seconds: nothing after it is missing. */
  readonly end?: number | undefined;
  /** Prints the notes below the rows. */
  readonly after?: () => Promise<void>;
}

/** Asks several questions and prints the rows that `join` makes of their answers; `what` is called generated where it is. */
export async function printJoined(
  app: App,
  { questions, now, what }: { questions: readonly ParsedQuestion[]; now: number; what?: string },
  join: (parts: readonly AnswerPart[]) => Promise<JoinedAnswers> | JoinedAnswers,
): Promise<void> {
  for (const warning of app.settings.warnings) await app.warn(warning, 'settings');
  const asked = await askParts(app, questions, now);
  if (asked.some(({ reply }) => reply?.synthetic)) await warnSynthetic(app, what);
  const { sources = [], more = [], end, after, ...own } = await join(asked);
  const parts = [...(end === undefined ? asked : asked.map((part) => partUpTo(part, end, now))), ...more];
  const partial = partialOfParts(parts);
  const { title, lasting, beside, facts } = partsView(parts, { sources, partial, now });
  await app.list({
    ...own,
    title: [...own.title, ...title],
    ...(own.lasting && { lasting: [...own.lasting, ...lasting] }),
    beside: { ...own.beside, ...beside },
    facts,
  });
  await after?.();
  await endIfPartial(app, { partial });
}

function partUpTo(part: AnswerPart, end: number, now: number): AnswerPart {
  const { parsed, reply, partial } = part;
  if (!reply || partial?.holder !== 'mirror') return part;
  const missing = missingUpTo(partial.missingParts, end);
  return { ...part, partial: partialOf(parsed.question, missing, { checkedAt: reply.asOf, now }) };
}

/** Reads words and options of a part as the command of its endpoint would, and tells what it has to note. */
export async function readPart(app: App, endpoint: Endpoint, call: Call, now: number): Promise<ParsedQuestion> {
  const parsed = readQuestion(endpoint, call, { now, siblings: [] });
  const { value: service } = app.settings.baseUrl;
  // Without a service, an unknown word is an error or stands in the mirror.
  for (const note of service === undefined ? notesOnWords(parsed) : parsed.notes) await noteOnce(app, note);
  return parsed;
}

/** Endpoints whose rows are a date and one number, as publishers have them. */
const isPlain = ({ cli }: Endpoint): boolean => cli?.isPlain === true;

export function plainCommands(): readonly string[] {
  return ENDPOINTS.filter(isPlain).flatMap(({ cli }) => (cli ? [cli.words.join(' ')] : []));
}

/** A question about one number a date, as `fx eur usd`; undefined for others. @throws MacroError of kind `usage`. */
export function readPlainQuestion(words: readonly string[], options: Options, now: number): ParsedQuestion | undefined {
  const begins = ({ cli }: Endpoint) => cli?.words.every((word, place) => words[place] === word);
  const endpoint = ENDPOINTS.filter(isPlain).find(begins);
  if (!endpoint?.cli) return undefined;
  const path = endpoint.cli.words;
  const paths = ENDPOINTS.flatMap(({ cli }) => (cli ? [{ path: cli.words }] : []));
  const call = { words: words.slice(path.length), options };
  return readQuestion(endpoint, call, { now, siblings: childWords(paths, path) });
}

/** Refusals of a question that the mirror has nothing of. */
const NOT_HELD: readonly unknown[] = ['not_mirrored', 'not_configured'];

/** Asks one question after the other. Absent parts are missing; if all are, the command fails unless that is allowed. */
export async function askParts(
  app: App,
  questions: readonly ParsedQuestion[],
  now: number,
  need: 'one of them' | 'may be missing' = 'one of them',
): Promise<readonly AnswerPart[]> {
  const parts: AnswerPart[] = [];
  let refusal: unknown;
  for (const parsed of questions) {
    try {
      const reply = await answerQuestion(app, parsed, {
        ...{ caller: { kind: 'owner' }, now, signal: app.signal, asOf: parsed.asOf },
      });
      for (const note of reply.notes) await app.note(note, 'about_answer');
      const imported = reply.from === 'mirror' && (await isFromFile(app, parsed.question));
      parts.push({ parsed, reply, partial: reply.partial, imported });
    } catch (error) {
      if (!(error instanceof MacroError) || !NOT_HELD.includes(error.code)) throw error;
      refusal ??= error;
      const { endpoint, args } = parsed.question;
      const all = [{ series: seriesOfQuestion(endpoint, args) }];
      const partial = partialOf({ endpoint, args }, all, { checkedAt: now, now });
      parts.push({ parsed, reply: undefined, partial, imported: false });
    }
  }
  if (need === 'one of them' && refusal !== undefined && parts.every(({ reply }) => reply === undefined)) throw refusal;
  return parts;
}

export function partialOfParts(parts: readonly AnswerPart[]): PartialAnswer | undefined {
  return joinPartials(parts.flatMap(({ partial }) => (partial ? [partial] : [])));
}

export function partRows({ parsed, reply }: Pick<AnswerPart, 'parsed' | 'reply'>): readonly JsonObject[] {
  return reply ? cutBody(parsed.question.endpoint.body, reply.body).rows.map(({ value }) => value) : [];
}

const noted = new WeakMap<App, Set<string>>();

/** Notes how the words were read once, although several questions are asked with them. */
async function noteOnce(app: App, note: string): Promise<void> {
  const before = noted.get(app) ?? new Set();
  if (before.has(note)) return;
  noted.set(app, before.add(note));
  await app.note(note, 'about_question');
}

/** The oldest answer speaks for the age of all. */
function partsView(
  parts: readonly AnswerPart[],
  { sources, partial, now }: { sources: readonly unknown[]; partial: PartialAnswer | undefined; now: number },
) {
  const named = [...new Set(sources.filter((name) => typeof name === 'string' && name !== ''))].map(String);
  const shown = named.slice(0, MAX_SOURCES);
  const facts = parts.flatMap(({ parsed: { question }, reply, imported }) =>
    reply ? [{ reply, now, question, imported }] : [],
  );
  const oldest = facts.toSorted((a, b) => ageRank(a.reply) - ageRank(b.reply))[0];
  const by = shown.length > 0 ? [`${shown.join(', ')}${named.length > shown.length ? ' and others' : ''}`] : [];
  return {
    title: [...by, ...(oldest ? [checkedAgo(oldest)] : []), ...partialTitle(partial)],
    lasting: [...by, ...(oldest ? [checkedAt(oldest)] : []), ...partialTitle(partial)],
    beside: partial ? { [MARK_MEMBER]: partial.mark } : {},
    facts: {
      nature: facts.some(({ reply }) => reply.synthetic) ? 'synthetic' : 'real',
      answered_by: oldest?.reply.from ?? 'mirror',
      ...(partial && { mirror: JSON.stringify(partial.mark) }),
    },
  };
}

const MAX_SOURCES = 2;

/** An answer of the mirror is older than an answer of the service. */
function ageRank({ from, asOf }: Reply): number {
  return from === 'live' ? Number.POSITIVE_INFINITY : asOf;
}
