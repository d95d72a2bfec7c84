import { MacroError } from '../errors.ts';

/** The error of a file that cannot be read. A line is counted from 1, as editors do. */
export function refuse(sentence: string, details: { line?: number; cause?: unknown } = {}): MacroError {
  const { line, cause } = details;
  const place = line === undefined ? 'The file cannot be imported' : `Line ${line} of the file cannot be imported`;
  return new MacroError('usage', `${place}: ${sentence}`, {
    code: 'bad_import',
    hint: 'Nothing was written. Give the file as the publisher offers it, as CSV or as ZIP.',
    ...(cause !== undefined && { cause }),
  });
}
