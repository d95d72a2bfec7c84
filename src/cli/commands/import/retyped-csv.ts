// `macro import csv` as it could be typed: refusals of a table end in a command, not in a list of options.
import { resolve } from 'node:path';
import { hinted, MacroError } from '../../../errors.ts';
import { MAPPING_MEMBERS } from '../../../imports/generic/mapping.ts';
import { openFile } from '../../../imports/read/open-file.ts';
import type { App } from '../../app/app.ts';
import type { Options } from '../../parse/options.ts';

export interface TypedImport {
  readonly app: App;
  /** The file as typed. */
  readonly name: string;
  readonly options: Options;
}

/** The refusal of a table, with the command that may read it: it shows the rows and writes nothing. */
export function withRetyped(error: unknown, typed: TypedImport): unknown {
  if (!(error instanceof MacroError)) return error;
  const { lacks, mend } = error.extra;
  if (error.code === 'bad_mapping' && typeof lacks === 'string') {
    const command = describedCommand(typed);
    return command === undefined ? error : hinted(error, `Say what its columns are, for example: ${command}`);
  }
  if (error.code !== 'bad_import') return error;
  const more = Array.isArray(mend) ? mend.map(String) : [];
  const advice =
    more.length > 0
      ? `Try: ${commandOf(typed, more)}`
      : 'Correct the file, or say how it is read: macro import csv --help';
  return hinted(error, `Nothing was written. ${advice}`);
}

/** The refusal of a file that no format has: a table can be described. */
export function withDescribed(error: unknown, typed: TypedImport): unknown {
  if (!(error instanceof MacroError) || error.code !== 'bad_import' || error.extra.mend === undefined) return error;
  const command = describedCommand(typed);
  if (command === undefined) return error;
  return hinted(error, `Nothing was written. A table of another publisher can be described, for example: ${command}`);
}

const SEPARATORS = [',', ';', '\t'] as const;
const DATES = /date|datum|day|tag|month|monat|quarter|year|period|time/i;

/** The command with a question and columns of the file where none were typed; undefined where the file shows none. */
function describedCommand(typed: TypedImport): string | undefined {
  const { options } = typed;
  const header = headerOf(typed);
  const date = header?.cells.find((title) => DATES.test(title)) ?? header?.cells[0];
  const value = header?.cells.filter((title) => title !== date && title !== '').at(-1);
  if (!header || date === undefined || value === undefined) return undefined;
  const guessed = {
    as: 'announcements usd inflation',
    date,
    value,
    ...(header.separator !== ',' && { separator: header.separator === '\t' ? 'tab' : header.separator }),
  };
  const more = Object.entries(guessed).flatMap(([name, word]) =>
    options[name] === undefined ? [`--${name}`, word] : [],
  );
  return commandOf(typed, more);
}

/** The first line, cut by the mark that makes the most cells of it. Standard input is read once. */
function headerOf({ app: { platform }, name }: TypedImport) {
  if (name === '-') return undefined;
  try {
    const file = openFile({ name, pieces: () => platform.files.pieces(resolve(platform.cwd, name)) });
    const lines = SEPARATORS.flatMap((separator) => {
      for (const { cells } of file.records({ separator })) return [{ separator, cells }];
      return [];
    });
    return lines.toSorted((a, b) => b.cells.length - a.cells.length)[0];
  } catch (error) {
    // What is wrong with the file is told where it is read.
    if (error instanceof MacroError) return undefined;
    throw error;
  }
}

/** The command as typed, with further options, as a preview. */
function commandOf({ name, options }: TypedImport, more: readonly string[]): string {
  const kept = ['mapping', ...MAPPING_MEMBERS].flatMap((option) =>
    [options[option] ?? []].flat().flatMap((word) => [`--${option}`, String(word)]),
  );
  const words = [name, ...kept, ...more].map(quoted).join(' ');
  return `macro import csv ${words} --preview`;
}

/** A word as a shell reads it. */
function quoted(word: string): string {
  return /^[\w.,:/+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
