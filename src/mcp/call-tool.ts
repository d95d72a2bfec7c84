// One call of a tool: arguments read, the question put, its rows cut to what was wanted, and what the answer says of itself.
import type { CutBody } from '../contract/json/body.ts';
import { isJsonObject } from '../contract/json/json.ts';
import { MacroError } from '../errors.ts';
import { readToolArguments } from './arguments.ts';
import { answerChanged, nameQuestion, nameState, readToolCursor, writeToolCursor } from './cursor.ts';
import { cutAnswer, fittingRows, pagingOf, withRows } from './rows.ts';
import { shapeOfAnswer, type Tool } from './tool.ts';
import type { AskProgram, ProgramAnswer, ToolMessage, ToolRequest } from './tool-request.ts';

/** What a result says in its structured content; the schema of each tool describes it. */
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

/**
 * @throws MacroError for a wrong call, and with what the one who answers refused.
 */
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

/** What names the state of an answer: the version of its history where it has one, else its own bytes. */
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
