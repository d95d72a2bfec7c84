// Where an answer goes on: an opaque text that only fits the same question.
import { hash } from 'node:crypto';
import { parseJson } from '../contract/json/json.ts';
import { MacroError } from '../errors.ts';

/** A place in an answer. */
export interface CursorPlace {
  readonly offset: number;
  /** What the answer was: its rows must still be these. */
  readonly version: string | undefined;
}

/** Names a question, so that a cursor of another one is noticed. */
export function nameQuestion(tool: string, texts: object, objects: object): string {
  return nameState(JSON.stringify([tool, texts, objects]));
}

export function nameState(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, 16);
}

export function writeToolCursor(question: string, { offset, version }: CursorPlace): string {
  return Buffer.from(JSON.stringify([question, offset, version ?? null])).toString('base64url');
}

/** @throws MacroError for a text that is no cursor, or that of another question. */
export function readToolCursor(question: string, text: string | undefined): CursorPlace {
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
export function answerChanged(): MacroError {
  return new MacroError('incomplete', 'The answer changed since its first rows were given.', {
    code: 'answer_changed',
    hint: 'Leave the cursor out and begin again.',
  });
}
