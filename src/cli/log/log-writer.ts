// Writes the lines of a log, in a file that is rotated or as messages on stderr.
import { dirname, resolve } from 'node:path';
import { hintFor } from '../../contract/words/nearest.ts';
import { MacroError } from '../../errors.ts';
import type { App } from '../app/app.ts';
import { cleanText } from '../output/clean.ts';
import type { LogFormat } from './log-formats.ts';
import { appendRotated } from './rotated-file.ts';

export type LogFacts = Readonly<Record<string, string | number | undefined>>;

/**
 * The form that was asked for, among those that this log can have.
 * @throws MacroError of kind `usage`.
 */
export function readLogFormat<F extends LogFormat>(word: string | undefined, formats: readonly F[]): F | 'pretty' {
  if (word === undefined) return 'pretty';
  const known = formats.find((one) => one === word.toLowerCase());
  if (known) return known;
  throw new MacroError('usage', `There is no log format '${word}'.`, {
    code: 'unknown_format',
    hint: hintFor(word, formats, `Log formats are ${formats.join(', ')}.`),
  });
}

/** Writes lines to a file, or to stderr for `-`. A log that cannot be written is said once; the work goes on. */
export function logWriter(app: App, target: string, code: string): (line: string) => void {
  const { files, cwd } = app.platform;
  if (target === '-') return (line) => void app.log(line, code);
  const path = resolve(cwd, target);
  let isBroken = false;
  return (line) => {
    if (isBroken) return;
    try {
      files.makeFolder(dirname(path), 0o700);
      appendRotated(files, path, line);
    } catch (error) {
      if (!(error instanceof MacroError)) throw error;
      isBroken = true;
      void app.warn(`The log is not written: ${error.message}`, 'log_unwritten');
    }
  };
}

/** One line of facts, with its end. */
export function logLine(format: 'pretty' | 'json', facts: LogFacts): string {
  const known = Object.entries(facts).filter(([, value]) => value !== undefined);
  if (format === 'json') return `${JSON.stringify(Object.fromEntries(known))}\n`;
  const words = known.map(([name, value]) => (LEADING.has(name) ? String(value) : `${name}=${valueText(value)}`));
  return `${words.join(' ')}\n`;
}

/** What begins a line stands there without its name. */
const LEADING = new Set(['time', 'level', 'event']);

function valueText(value: string | number | undefined): string {
  const text = cleanText(String(value));
  return /^[\w./:+-]+$/.test(text) ? text : JSON.stringify(text);
}
