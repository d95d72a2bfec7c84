import { resolve } from 'node:path';
import { hintFor } from '../../contract/words/nearest.ts';
import { MacroError } from '../../errors.ts';
import type { Platform } from '../../platform/platform.ts';

/** A typed value of an option: its text, `true` for a switch, all texts for a repeatable option. */
export type OptionValue = string | true | readonly string[];

export type Options = Readonly<Record<string, OptionValue | undefined>>;

const MAX_COUNT = 999_999_999;

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, min: 60, h: 3600, d: 86_400, w: 604_800 };

/** Options whose name is not that of their parameter. */
const SHORTER: Readonly<Record<string, string>> = { start_date: 'start', end_date: 'end', decision_times: 'at' };

export function textOption(options: Options, name: string): string | undefined {
  const value = options[name];
  return typeof value === 'string' ? value : undefined;
}

export function isOn(options: Options, name: string): boolean {
  return options[name] === true;
}

export function manyOption(options: Options, name: string): readonly string[] {
  const value = options[name];
  return Array.isArray(value) ? value : [];
}

/** A whole number that was typed for an option; undefined when none was. @throws MacroError of kind `usage`. */
export function readCount(options: Options, name: string, least: number, most = MAX_COUNT): number | undefined {
  const text = textOption(options, name);
  if (text === undefined) return undefined;
  const count = Number(text.trim());
  if (/^\+?\d{1,9}$/.test(text.trim()) && count >= least && count <= most) return count;
  throw new MacroError('usage', `'${text}' is no value for --${name}.`, {
    code: 'bad_number',
    hint: `Give a whole number from ${least} to ${most}.`,
  });
}

/** A legal word, typed in any letter case. @throws MacroError of kind `usage`. */
export function readWord<Word extends string>(typed: string, legal: readonly Word[], place: string): Word {
  const found = legal.find((word) => word === typed.trim().toLowerCase());
  if (found !== undefined) return found;
  throw new MacroError('usage', `'${typed}' is no legal value for ${place}.`, {
    code: 'bad_arguments',
    hint: hintFor(typed, legal, `Legal values are ${legal.join(', ')}.`),
  });
}

/** The legal word that was typed for an option; undefined when none was. @throws MacroError of kind `usage`. */
export function readChoice<Word extends string>(options: Options, name: string, legal: readonly Word[]) {
  const text = textOption(options, name);
  return text === undefined ? undefined : readWord(text, legal, `--${name}`);
}

/** A duration (`90s`, `15m`, `6h`, `2d`, `1w`, or plain seconds) in seconds. @throws MacroError of kind `usage`. */
export function readDuration(text: string, option: string): number {
  const [, count = '', unit = 's'] = /^(\d{1,9})(s|m|min|h|d|w)?$/.exec(text.trim().toLowerCase()) ?? [];
  if (count !== '') return Number(count) * (SECONDS[unit] ?? 1);
  throw new MacroError('usage', `'${text}' is no duration for ${option}.`, {
    hint: 'Durations are 90s, 15m, 6h, 2d, 1w, or a number of seconds.',
  });
}

/** The port of `--port`. @throws MacroError of kind `usage`. */
export function readPort(options: Options, defaultPort: number): number {
  const text = textOption(options, 'port');
  if (text === undefined) return defaultPort;
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new MacroError('usage', `'${text}' is no port.`, { hint: 'Ports are 0 (any free one) to 65535.' });
}

/** The bytes of a file that was named, or of standard input for `-`. */
export async function inputBytes({ files, io, cwd }: Pick<Platform, 'files' | 'io' | 'cwd'>, file: string) {
  return file === '-' ? io.stdin.readBytes() : files.readBytes(resolve(cwd, file));
}

export const THEMES = ['light', 'dark'] as const;

export interface ChartStyle {
  readonly title?: string | undefined;
  /** Pixels of a picture, characters of a terminal. */
  readonly size?: { readonly width: number; readonly height: number } | undefined;
  /** Default: the theme of the reader's system. */
  readonly theme?: (typeof THEMES)[number] | undefined;
}

/** Bounds of a size across and down. */
const SIZE = { least: 20, most: 10_000 };

/** How a chart is to look. @throws MacroError of kind `usage`. */
export function readStyle(options: Options, isDrawn: boolean): ChartStyle {
  const [title, size, word] = ['title', 'size', 'theme'].map((name) => textOption(options, name));
  if (!isDrawn && (title ?? size ?? word) !== undefined)
    throw new MacroError('usage', '--title, --size and --theme are for charts.', {
      hint: 'Add --chart, or write a picture: -o chart.svg (.png, .html).',
    });
  const theme = THEMES.find((one) => one === word?.toLowerCase());
  if (word !== undefined && !theme)
    throw new MacroError('usage', `There is no theme '${word}'.`, { hint: `Themes are ${THEMES.join(' and ')}.` });
  const [width = 0, height = 0] = (/^(\d{1,5})x(\d{1,5})$/i.exec(size ?? '') ?? []).slice(1).map(Number);
  const isLegal = [width, height].every((side) => side >= SIZE.least && side <= SIZE.most);
  if (size !== undefined && !isLegal)
    throw new MacroError('usage', `'${size}' is no size.`, {
      hint: `Give width and height, each from ${SIZE.least} to ${SIZE.most}, as in: --size 1200x800`,
    });
  return { title, theme, size: size === undefined ? undefined : { width, height } };
}

/** Waits until the person or the system interrupts; throws that interruption. */
export function interrupted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

/** The option that sets a query parameter: `--start`, `--official-only`. */
export function optionName(parameter: string): string {
  return SHORTER[parameter] ?? parameter.replaceAll('_', '-');
}
