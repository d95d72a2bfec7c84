import { hintFor } from '../../contract/words/nearest.ts';
import { MacroError } from '../../errors.ts';

export const FORMATS = ['table', 'json', 'ndjson', 'csv', 'tsv', 'md'] as const;
/** A chart is asked for by an option of its own: what has no series over time has none. */
export type Format = (typeof FORMATS)[number] | 'chart';

/** Tables with typed cells; they are written into files only. */
const TABLE_FILES = ['parquet', 'xlsx'] as const;
export type TableFileFormat = (typeof TABLE_FILES)[number];
/** Pictures of series over time, as well. */
const PICTURES = ['svg', 'png', 'html'] as const;
export type PictureFormat = (typeof PICTURES)[number];
export type FileFormat = TableFileFormat | PictureFormat;

const BY_ENDING: Readonly<Record<string, Format | FileFormat>> = {
  csv: 'csv',
  json: 'json',
  ndjson: 'ndjson',
  tsv: 'tsv',
  md: 'md',
  parquet: 'parquet',
  xlsx: 'xlsx',
  svg: 'svg',
  png: 'png',
  html: 'html',
};

/** What a mirror is exported as: rows of a view, which have no answer around them. */
export const EXPORTS = ['csv', 'ndjson', 'parquet', 'xlsx'] as const;
export type ExportFormat = (typeof EXPORTS)[number];

export interface FormatOptions {
  /** `--chart`. */
  readonly chart: boolean;
  /** `--format`. */
  readonly option: string | undefined;
  /** `--output`. */
  readonly file: string | undefined;
  /** From a project file or the configuration. */
  readonly setting: string | undefined;
  readonly isTerminal: boolean;
}

/** The format of the output: a chart when one is asked for, else `--format`, else the ending of the file, else the setting, else what stdout is. */
export function chooseFormat(options: FormatOptions): Format | FileFormat {
  if (options.chart) return chartFormat(options);
  if (options.option !== undefined) return readFormat(options.option);
  if (options.file !== undefined) return formatOfFile(options.file);
  if (options.setting !== undefined) return readFormat(options.setting);
  return options.isTerminal ? 'table' : 'tsv';
}

export function isFileFormat(format: Format | FileFormat): format is FileFormat {
  return isPicture(format) || TABLE_FILES.some((one) => one === format);
}

export function isPicture(format: Format | FileFormat): format is PictureFormat {
  return PICTURES.some((one) => one === format);
}

/** True when what was asked for is drawn, in a terminal or into a file. */
export function isDrawn({ chart, file }: Pick<FormatOptions, 'chart' | 'file'>): boolean {
  return chart || (file !== undefined && PICTURES.some((one) => file.toLowerCase().endsWith(`.${one}`)));
}

function chartFormat({ option, file }: FormatOptions): Format | FileFormat {
  if (option !== undefined)
    throw new MacroError('usage', '--chart and --format exclude each other.', { hint: 'Leave one of them out.' });
  if (file === undefined) return 'chart';
  const format = PICTURES.find((one) => one === endingOf(file));
  if (format) return format;
  throw new MacroError('usage', `A chart cannot be written as ${endingOf(file) || file}.`, {
    code: 'unknown_format',
    hint: 'Use an ending of .svg, .png or .html.',
  });
}

export function readFormat(word: string): Format {
  const known = FORMATS.find((format) => format === word.toLowerCase());
  if (known) return known;
  throw new MacroError('usage', `There is no format '${word}'.`, {
    code: 'unknown_format',
    hint: hintFor(word, FORMATS, `Formats are ${FORMATS.join(', ')}.`),
  });
}

/**
 * The format that a mirror is exported as into this file.
 * @throws MacroError of kind `usage`.
 */
export function exportFormat(file: string): ExportFormat {
  const ending = endingOf(file);
  const format = EXPORTS.find((one) => one === ending);
  if (format) return format;
  throw new MacroError('usage', `A mirror is not exported as ${ending || file}.`, {
    code: 'unknown_format',
    hint: `Endings are ${EXPORTS.map((one) => `.${one}`).join(', ')}.`,
  });
}

/** The letters behind the last dot of a name. */
function endingOf(file: string): string {
  return /\.([A-Za-z0-9]+)$/.exec(file)?.[1]?.toLowerCase() ?? '';
}

function formatOfFile(file: string): Format | FileFormat {
  const format = BY_ENDING[endingOf(file)];
  if (format) return format;
  throw new MacroError('usage', `The ending of '${file}' names no format.`, {
    code: 'unknown_format',
    hint: `Use an ending of ${Object.keys(BY_ENDING)
      .map((e) => `.${e}`)
      .join(', ')}, or say --format.`,
  });
}
