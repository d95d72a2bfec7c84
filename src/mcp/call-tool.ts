// One call of a tool: reads its arguments, asks, cuts the rows to the requested window, and adds facts of the answer.

import { hash } from 'node:crypto';
import { type BodyRow, type BodyShape, type CutBody, cutBody } from '../contract/json/body.ts';
import { isJsonObject, objectIn, parseJson } from '../contract/json/json.ts';
import { MacroError } from '../errors.ts';
import {
  type AskProgram,
  type ProgramAnswer,
  readToolArguments,
  shapeOfAnswer,
  type Tool,
  type ToolMessage,
  type ToolRequest,
} from './tool.ts';

/** The structured content of a result; the schema of each tool describes it. */
export interface ToolAnswer {
  readonly answer: unknown;
  readonly mirror: { readonly complete: boolean | null; readonly [name: string]: unknown };
  readonly synthetic: boolean;
  readonly as_of: string | null;
  readonly page: {
    readonly offset: number;
    readonly rows: number;
    readonly total: number | null;
    readonly next_cursor: string | null;
  };
  readonly notes: readonly { readonly code: string | null; readonly message: string }[];
}

/** A place in an answer, where it goes on. As text it is opaque and fits the same question only. */
interface CursorPlace {
  readonly offset: number;
  /** The state of the answer: later rows must come from the same one. */
  readonly version: string | undefined;
}

/** Characters of the rows of one result. */
const MOST_CHARACTERS = 400_000;

/** @throws MacroError for a wrong call, and with what the one who answers refused. */
export async function callTool(tool: Tool, given: unknown, ask: AskProgram, signal: AbortSignal): Promise<ToolAnswer> {
  const { limit, cursor, ...read } = readToolArguments(tool.name, given, tool.input);
  const question = nameQuestion(tool.name, read.texts, read.objects);
  const { offset, version } = readToolCursor(question, cursor);
  const request = tool.ask({ ...read, limit, cursor }, { offset, limit }, version);
  const answer = await ask(request, signal);
  const refusal = answer.messages.find(({ level }) => level === 'error');
  if (refusal) throw refused(refusal);
  const { notes, synthetic } = notesOf(answer);
  const cut = cutAnswer(shapeOfAnswer(request), answer.body);
  const isWindowed = request.kind === 'endpoint' && request.window !== undefined;
  const state = stateOf(request, answer, cut.envelope.dataset_version);
  if (!isWindowed && version !== undefined && version !== state) throw answerChanged();
  const first = isWindowed ? 0 : offset;
  const rows = fittingRows(cut.rows, first, limit);
  const { hasMore, total } = isWindowed ? pagingOf(cut) : wholeOf(cut, notes);
  const next = offset + rows.length;
  const goesOn = rows.length > 0 && (hasMore || first + rows.length < cut.rows.length);
  return {
    answer: withRows(shapeOfAnswer(request), answer.body, { first, rows }),
    mirror: markOf(tool, cut.mark),
    synthetic,
    as_of: read.texts.as_of ?? null,
    page: {
      offset,
      rows: rows.length,
      total,
      next_cursor: goesOn ? writeToolCursor(question, { offset: next, version: state }) : null,
    },
    notes,
  };
}

/** How many rows there are where all came at once; nobody knows where the answer itself was cut. */
function wholeOf({ rows }: CutBody, notes: ToolAnswer['notes']): ReturnType<typeof pagingOf> {
  return { hasMore: false, total: notes.some(({ code }) => code === 'more_rows') ? null : rows.length };
}

/** The name of the state of an answer: the version of its history where it has one, else its own bytes. */
function stateOf(request: ToolRequest, { body }: ProgramAnswer, version: unknown): string | undefined {
  if (request.kind === 'endpoint' && request.window) return typeof version === 'string' ? version : undefined;
  return nameState(body);
}

/** The mark stands in every result. Where nobody judges, that is said. */
function markOf({ unjudged }: Tool, mark: unknown): ToolAnswer['mirror'] {
  if (unjudged !== undefined) return { complete: null, reason: unjudged };
  return isJsonObject(mark) ? { ...mark, complete: false } : { complete: true };
}

function notesOf({ messages }: ProgramAnswer): Pick<ToolAnswer, 'notes' | 'synthetic'> {
  const notes = messages.map(({ code, message }) => ({ code, message }));
  return { notes, synthetic: notes.some(({ code }) => code === 'synthetic') };
}

function refused({ kind, code, message, hint }: ToolMessage): MacroError {
  return new MacroError(kind === 'internal' || kind === undefined ? 'internal' : 'usage', message, {
    ...(code !== null && { code }),
    ...(typeof hint === 'string' && { hint }),
    extra: { kind: kind ?? 'internal' },
  });
}

/** Names a question, so that a cursor of another one is noticed. */
function nameQuestion(tool: string, texts: object, objects: object): string {
  return nameState(JSON.stringify([tool, texts, objects]));
}

function nameState(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, 16);
}

function writeToolCursor(question: string, { offset, version }: CursorPlace): string {
  return Buffer.from(JSON.stringify([question, offset, version ?? null])).toString('base64url');
}

/** @throws MacroError for a text that is no cursor, or that of another question. */
function readToolCursor(question: string, text: string | undefined): CursorPlace {
  if (text === undefined) return { offset: 0, version: undefined };
  const place = parseJson(Buffer.from(text, 'base64url').toString());
  const [digest, offset, version] = Array.isArray(place) ? place : [];
  if (digest === question && Number.isSafeInteger(offset) && Number(offset) > 0)
    return { offset: Number(offset), version: typeof version === 'string' ? version : undefined };
  throw new MacroError('usage', 'This cursor does not belong to this question.', {
    code: 'bad_cursor',
    hint: 'Repeat the arguments of the call that gave it, or leave the cursor out.',
  });
}

/** Two parts of two states of the data would pass for one answer. */
function answerChanged(): MacroError {
  return new MacroError('incomplete', 'The answer changed since its first rows were given.', {
    code: 'answer_changed',
    hint: 'Leave the cursor out and begin again.',
  });
}

/** Consecutive rows from `first`: as many as are requested and fit, at least one. */
function fittingRows(rows: readonly BodyRow[], first: number, limit: number): readonly BodyRow[] {
  let characters = 0;
  const shown = rows.slice(first, first + limit);
  const tooMany = shown.findIndex(({ text }, i) => {
    characters += text.length;
    return i > 0 && characters > MOST_CHARACTERS;
  });
  return tooMany < 0 ? shown : shown.slice(0, tooMany);
}

/** An answer cut into its rows; a single document has none. */
function cutAnswer(shape: BodyShape, body: string): CutBody {
  return cutBody(shape.kind === 'document' ? { kind: 'document' } : shape, body);
}

/** The answer with some of its rows only. Numbers keep their digits. */
function withRows(shape: BodyShape, body: string, kept: { first: number; rows: readonly BodyRow[] }): unknown {
  const answer = exactValue(body);
  if (!isJsonObject(answer)) return answer;
  const within = (map: object, besides: readonly string[]) => {
    let at = 0;
    const isKept = ([name, value]: [string, unknown]) => {
      if (besides.includes(name) || !isJsonObject(value)) return true;
      at += 1;
      return at > kept.first && at <= kept.first + kept.rows.length;
    };
    return Object.fromEntries(Object.entries(map).filter(isKept));
  };
  if (shape.kind === 'map') {
    const wrapped = answer[shape.wrapper];
    const besides = [...shape.besides, 'mirror'];
    return Object.keys(answer).every((name) => name === shape.wrapper || name === 'mirror') && isJsonObject(wrapped)
      ? { ...answer, [shape.wrapper]: within(wrapped, besides) }
      : within(answer, besides);
  }
  if (shape.kind !== 'list') return answer;
  const list = answer[shape.member];
  if (Array.isArray(list)) return { ...answer, [shape.member]: list.slice(kept.first, kept.first + kept.rows.length) };
  if (!shape.orMap) return answer;
  const besides = [...shape.orMap.besides, 'mirror'];
  return isJsonObject(list) ? { ...answer, [shape.member]: within(list, besides) } : within(answer, besides);
}

/** The value of a JSON text. A number that JavaScript would spell otherwise stays as its text. */
function exactValue(text: string): unknown {
  return JSON.parse(text, (_name, value, context?: { readonly source?: string }) => {
    const source = context?.source;
    return typeof value !== 'number' || source === undefined || String(value) === source ? value : JSON.rawJSON(source);
  });
}

/** Whether a service would give more rows behind those of its page, and how many there are in all. */
function pagingOf({ envelope }: CutBody): { readonly hasMore: boolean; readonly total: number | null } {
  const { has_more: hasMore, total_count: total } = objectIn(envelope.pagination);
  return { hasMore: hasMore === true, total: typeof total === 'number' ? total : null };
}
