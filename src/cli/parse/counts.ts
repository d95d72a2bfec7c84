import { MacroError } from '../../errors.ts';
import { type Options, textOption } from './options.ts';

const MAX_COUNT = 999_999_999;

/**
 * A whole number that was typed for an option; undefined when none was.
 * @throws MacroError of kind `usage`.
 */
export function readCount(options: Options, name: string, least: number): number | undefined {
  const text = textOption(options, name);
  if (text === undefined) return undefined;
  const count = Number(text.trim());
  if (/^\+?\d{1,9}$/.test(text.trim()) && count >= least && count <= MAX_COUNT) return count;
  throw new MacroError('usage', `'${text}' is no value for --${name}.`, {
    code: 'bad_number',
    hint: `Give a whole number from ${least} to ${MAX_COUNT}.`,
  });
}
