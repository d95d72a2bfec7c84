/** Several questions whose answers one command puts together: what is missing of one of them is missing of the whole. */
import type { Endpoint } from '../../../contract/endpoint.ts';
import { cutBody } from '../../../contract/json/body.ts';
import { isJsonObject, type Json, type JsonObject, type JsonText, readJson } from '../../../contract/json/json.ts';
import { MacroError } from '../../../errors.ts';
import { shortfallOf } from '../../../source/coverage/mark.ts';
import { joinShortfalls, type Shortfall } from '../../../source/coverage/shortfall.ts';
import { seriesOfQuestion } from '../../../source/question.ts';
import type { Reply } from '../../../source/source.ts';
import type { App } from '../../app/app.ts';
import { type ParsedQuestion, readQuestion } from '../../parse/question.ts';
import type { Call } from '../command.ts';
import { answerQuestion } from './answer-question.ts';
import { noteBinding } from './binding.ts';
import { isFromFile } from './held-facts.ts';

/** One of the answers. `reply` is missing where the mirror holds nothing of it; `shortfall` then says so. */
export interface AnswerPart {
  readonly parsed: ParsedQuestion;
  readonly reply: Reply | undefined;
  readonly shortfall: Shortfall | undefined;
  readonly imported: boolean;
}

/** Reads words and options of a part as the command of its endpoint would, and tells what it has to note. */
export async function readPart(app: App, endpoint: Endpoint, call: Call, now: number): Promise<ParsedQuestion> {
  const parsed = readQuestion(endpoint, call, { now, siblings: [] });
  for (const note of parsed.notes) await noteOnce(app, note);
  return parsed;
}

/**
 * Puts the questions one after the other. A part that nobody holds is missing; where nobody holds any of them, that is the
 * refusal of the command, unless all of them may be missing.
 */
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
      const reply = await noteBinding(app, () =>
        answerQuestion(app, parsed, {
          ...{ caller: { kind: 'owner' }, now, signal: app.signal },
          ...(parsed.asOf && { asOf: parsed.asOf }),
        }),
      );
      for (const note of reply.notes) await app.note(note, 'about_answer');
      const imported = reply.from === 'mirror' && (await isFromFile(app, parsed.question));
      parts.push({ parsed, reply, shortfall: reply.shortfall, imported });
    } catch (error) {
      if (!isNotHeld(error)) throw error;
      refusal ??= error;
      parts.push({ parsed, reply: undefined, shortfall: allOf(parsed, now), imported: false });
    }
  }
  if (need === 'one of them' && refusal !== undefined && parts.every(({ reply }) => reply === undefined)) throw refusal;
  return parts;
}

/** What the parts lack together. */
export function shortfallOfParts(parts: readonly AnswerPart[]): Shortfall | undefined {
  return joinShortfalls(parts.flatMap(({ shortfall }) => (shortfall ? [shortfall] : [])));
}

/** The rows of a part; none where there is no reply. */
export function partRows({ parsed, reply }: Pick<AnswerPart, 'parsed' | 'reply'>): readonly JsonObject[] {
  return reply ? cutBody(parsed.question.endpoint.body, reply.body).rows.map(({ value }) => value) : [];
}

/** The members of an answer. */
export function answerOf(body: JsonText | undefined): JsonObject {
  const answer: Json = body === undefined ? null : readJson(body);
  return isJsonObject(answer) ? answer : {};
}

function isNotHeld(error: unknown): boolean {
  return error instanceof MacroError && (error.code === 'not_mirrored' || error.code === 'not_configured');
}

function allOf({ question: { endpoint, args } }: ParsedQuestion, now: number): Shortfall | undefined {
  const question = { endpoint, args };
  return shortfallOf(question, [{ series: seriesOfQuestion(endpoint, args) }], { checkedAt: now, now });
}

const noted = new WeakMap<App, Set<string>>();

/** Says what was read into the words once, although several questions are asked with them. */
async function noteOnce(app: App, note: string): Promise<void> {
  const before = noted.get(app) ?? new Set();
  if (before.has(note)) return;
  noted.set(app, before.add(note));
  await app.note(note, 'about_question');
}
