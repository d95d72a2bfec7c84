// Lines of a command that goes on: to stdout in their order, and into a log, which is a file that is rotated or stderr.
import { dirname, resolve } from 'node:path';
import { MacroError } from '../../errors.ts';
import type { Files } from '../../platform/platform.ts';
import type { App } from '../app/app.ts';
import { readWord } from '../parse/options.ts';
import { cleanText, escapeJson } from './text.ts';

export type Lines = ReturnType<typeof createLines>;

/** Members of a line of a log, by name. */
export type LogFacts = Readonly<Record<string, string | number | undefined>>;

/** Bytes after which a file is begun anew. */
const MAX_BYTES = 1_048_576;

/** Number of old log files: `.1` is the newest. */
const OLD_FILES = 5;

export const LOG_FORMATS = ['pretty', 'json'] as const;

/** `common` is the form of web servers, for requests alone. */
export const REQUEST_LOG_FORMATS = [...LOG_FORMATS, 'common'] as const;
type LogFormat = (typeof REQUEST_LOG_FORMATS)[number];

/** Writes lines of JSON or safe text to stdout in order, for callers that must not wait for a slow reader. */
export function createLines(app: Pick<App, 'printText' | 'platform'>) {
  const { promise: failed, reject: fail } = Promise.withResolvers<never>();
  // Whoever waits for it hears of it; nobody has to.
  failed.catch(() => undefined);
  let waiting: string[] = [];
  let last = Promise.resolve();
  const writeOn = async () => {
    const text = waiting.join('\n');
    waiting = [];
    await app.printText(app.platform.io.stdout.isTerminal ? escapeJson(text) : text);
  };
  return {
    write(line: string): void {
      waiting.push(line);
      // Lines that come before the reader is ready are one write.
      if (waiting.length === 1) last = last.then(writeOn).catch(fail);
    },
    fail,
    /** Rejects when a line could not be written, or with the error given to `fail`. */
    failed,
    /** Resolves when everything that was queued is written. */
    written: () => last,
  };
}

/** The requested form, among the forms that this log can have. @throws MacroError of kind `usage`. */
export function readLogFormat<F extends LogFormat>(word: string | undefined, formats: readonly F[]): F | 'pretty' {
  return word === undefined ? 'pretty' : readWord(word, formats, '--log-format');
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

/** Members at the beginning of a line, which appear without their names. */
const LEADING = new Set(['time', 'level', 'event']);

function valueText(value: string | number | undefined): string {
  const text = cleanText(String(value));
  return /^[\w./:+-]+$/.test(text) ? text : JSON.stringify(text);
}

/** Appends a text. A file that would grow too large by it is set aside first. */
function appendRotated(files: Files, path: string, text: string): void {
  const size = files.size(path) ?? 0;
  if (size > 0 && size + Buffer.byteLength(text) > MAX_BYTES) setAside(files, path);
  files.append(path, text);
}

function setAside(files: Files, path: string): void {
  for (let i = OLD_FILES - 1; i >= 1; i--)
    if (files.exists(`${path}.${i}`)) files.rename(`${path}.${i}`, `${path}.${i + 1}`);
  files.rename(path, `${path}.1`);
}
