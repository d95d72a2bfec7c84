import { MacroError } from '../../../errors.ts';
import type { App } from '../../app/app.ts';
import type { ParsedQuestion } from '../../parse/question.ts';

/** For an answer without rows: what has rows is no typo, whatever our tables say. */
export async function noteUnknown(app: App, { unknown }: ParsedQuestion): Promise<void> {
  for (const note of unknown) await app.note(note, 'about_question');
}

/** A word outside the tables that nobody holds was most likely a typo: the hint is then the nearest word. */
export async function withGuess<T>(app: App, parsed: ParsedQuestion, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { unknown } = parsed;
    if (!(error instanceof MacroError) || error.kind !== 'notFound') {
      await noteUnknown(app, parsed);
      throw error;
    }
    const { code, status, message } = error;
    if (unknown.length === 0 || message.includes('Did you mean')) throw error;
    // Nothing fills a mirror with what does not exist; where words are listed is worth telling beside the guess.
    const listed = code !== 'not_mirrored' && error.hint !== undefined ? [error.hint] : [];
    throw new MacroError('notFound', message, {
      hint: [...unknown, ...listed].join(' '),
      ...(code !== undefined && { code }),
      ...(status !== undefined && { status }),
      cause: error,
    });
  }
}
