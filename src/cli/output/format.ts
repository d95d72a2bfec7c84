import { hintFor } from '../../contract/words/nearest.ts';
import { MacroError } from '../../errors.ts';

export const FORMATS = ['table', 'json', 'ndjson', 'csv', 'tsv', 'md'] as const;
export type Format = (typeof FORMATS)[number];

/** Forms that are no text: they are written into files only. */
export const FILE_FORMATS = ['parquet', 'xlsx'] as const;
export type FileFormat = (typeof FILE_FORMATS)[number];

const BY_ENDING: Readonly<Record<string, Format | FileFormat>> = {
  csv: 'csv',
  json: 'json',
  ndjson: 'ndjson',
  tsv: 'tsv',
  md: 'md',
  parquet: 'parquet',
  xlsx: 'xlsx',
};

export interface FormatWish {
  /** `--format`. */
  readonly option: string | undefined;
  /** `--output`. */
  readonly file: string | undefined;
  /** From a project file or the configuration. */
  readonly setting: string | undefined;
  readonly isTerminal: boolean;
}

/** The format of the output: `--format`, else the ending of the file, else the setting, else what stdout is. */
export function chooseFormat(wish: FormatWish): Format | FileFormat {
  if (wish.option !== undefined) return readFormat(wish.option);
  if (wish.file !== undefined) return formatOfFile(wish.file);
  if (wish.setting !== undefined) return readFormat(wish.setting);
  return wish.isTerminal ? 'table' : 'tsv';
}

export function isFileFormat(format: Format | FileFormat): format is FileFormat {
  return FILE_FORMATS.some((one) => one === format);
}

export function readFormat(word: string): Format {
  const known = FORMATS.find((format) => format === word.toLowerCase());
  if (known) return known;
  throw new MacroError('usage', `There is no format '${word}'.`, {
    code: 'unknown_format',
    hint: hintFor(word, FORMATS, `Formats are ${FORMATS.join(', ')}.`),
  });
}

export function formatOfFile(file: string): Format | FileFormat {
  const ending = /\.([A-Za-z0-9]+)$/.exec(file)?.[1]?.toLowerCase() ?? '';
  const format = BY_ENDING[ending];
  if (format) return format;
  throw new MacroError('usage', `The ending of '${file}' names no format.`, {
    code: 'unknown_format',
    hint: `Use an ending of ${Object.keys(BY_ENDING)
      .map((e) => `.${e}`)
      .join(', ')}, or say --format.`,
  });
}
