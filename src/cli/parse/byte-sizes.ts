import { MacroError } from '../../errors.ts';
import { type Options, textOption } from './options.ts';

const UNITS = { '': 1, B: 1, KB: 1024, MB: 1024 ** 2, GB: 1024 ** 3 } as const;

/** The most bytes that can be given: a terabyte. */
const MAX_BYTES = 1024 ** 4;

/** A number of bytes that was typed for an option, such as 134217728 or 128MB; undefined when none was. */
export function readByteSize(options: Options, name: string): number | undefined {
  const text = textOption(options, name);
  if (text === undefined) return undefined;
  const [, digits = '', unit = ''] = /^(\d{1,13})\s*(B|KB|MB|GB)?$/i.exec(text.trim()) ?? [];
  const bytes = Number(digits) * UNITS[unit.toUpperCase() as keyof typeof UNITS]; // one of those of the pattern
  if (digits !== '' && bytes <= MAX_BYTES) return bytes;
  throw new MacroError('usage', `'${text}' is no value for --${name}.`, {
    code: 'bad_number',
    hint: 'Give a whole number of bytes from 0 to 1024GB, with B, KB, MB or GB behind it or nothing: 128MB for example.',
  });
}
