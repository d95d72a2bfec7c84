import { MacroError } from '../errors.ts';

/** What else is known of a file that cannot be read. */
interface Refusal {
  /** Counted from 1, as editors do. */
  readonly line?: number;
  /** What to do instead of giving the publisher's own file. */
  readonly hint?: string;
  /** Options of `macro import csv` that may mend it, as words of a command line; none where a person has to describe the table. */
  readonly mend?: readonly string[];
  readonly cause?: unknown;
}

/** The error of a file that cannot be read. */
export function refuse(sentence: string, { line, hint, mend, cause }: Refusal = {}): MacroError {
  const place = line === undefined ? 'The file cannot be imported' : `Line ${line} of the file cannot be imported`;
  return new MacroError('usage', `${place}: ${sentence}`, {
    code: 'bad_import',
    hint: `Nothing was written. ${hint ?? 'Give the file as the publisher offers it, as CSV or as ZIP.'}`,
    ...(mend !== undefined && { extra: { mend } }),
    ...(cause !== undefined && { cause }),
  });
}
