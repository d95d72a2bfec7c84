import { scrub, scrubText, secretOf } from '../../client/http/scrub.ts';
import { MacroError } from '../../errors.ts';
import type { Platform } from '../../platform/platform.ts';
import { KEY_VARIABLES } from '../app/keys.ts';
import { cleanText, cutWords, escapeJson, wrapWords } from './text.ts';

/** Says a sentence on stderr. The code names it for programs. */
type Say = (sentence: string, code: string) => Promise<void>;

/** What a command may say beside its rows. Nothing else is written to stderr. */
export interface Messages {
  /** A line, quiet or not. */
  readonly say: Say;
  /** A sentence, unless `--quiet`. */
  readonly note: Say;
  /** A sentence, quiet or not. */
  readonly warn: Say;
  /** A sentence under `--verbose`. */
  readonly verbose: Say;
  /** What a server tells whoever runs it; several lines, where it is a stack. */
  readonly log: Say;
  /** On a terminal a line that replaces the one before (an empty one clears it), elsewhere one line a minute. */
  progress(line: string): Promise<void>;
}

export interface MessageOptions {
  readonly form: MessageForm;
  readonly quiet: boolean;
  readonly verbose: boolean;
  /** A sentence with its commands as they work when typed. */
  readonly spelled?: (sentence: string) => string;
}

const MINUTE_MS = 60_000;

/** Something said on stderr. An error has the members of its report, too. */
export interface Message {
  readonly level: 'note' | 'warning' | 'error';
  /** A word for programs: it stays the same when the sentence is written anew. Null where nobody named one. */
  readonly code: string | null;
  readonly message: string;
}

type MessageForm = 'text' | 'json';

/** The door to stderr of one command. */
export function openMessages(
  platform: Platform,
  { form, quiet, verbose, spelled = (sentence) => sentence }: MessageOptions,
): Messages {
  const { clock, io } = platform;
  const isRedrawn = io.stderr.isTerminal && form === 'text';
  let lineShown = false;
  let lastLine = clock.now();
  const put = async (message: Message, text: string) => {
    await messages.progress('');
    await writeMessage(platform, form, message, text);
  };
  const line = (level: Message['level'], before: string): Say => {
    return (sentence, code) => {
      const message = spelled(sentence);
      return put({ level, code, message }, `${lines(cleanText(`${before}${message}`))}\n`);
    };
  };
  const lines = (text: string) => (io.stderr.isTerminal ? wrapWords(text, io.stderr.columns).join('\n') : text);
  const unspoken = async () => undefined;
  const messages: Messages = {
    say: line('note', ''),
    note: quiet ? unspoken : line('note', 'note: '),
    warn: line('warning', 'warning: '),
    verbose: verbose ? line('note', '') : unspoken,
    log: (message, code) => {
      const logged = message.trimEnd().split('\n').map(cleanText);
      return put({ level: 'warning', code, message: message.trimEnd() }, `${logged.join('\n')}\n`);
    },
    async progress(message) {
      if (quiet || (message === '' && !lineShown)) return;
      if (!isRedrawn) {
        if (clock.now() - lastLine < MINUTE_MS) return;
        lastLine = clock.now();
        const note = { level: 'note', code: 'progress', message } as const;
        return writeMessage(platform, form, note, `${cleanText(message)}\n`);
      }
      lineShown = message !== '';
      await io.stderr.write(`\r\u001b[2K${cleanText(message).slice(0, io.stderr.columns - 1)}`);
    },
  };
  return messages;
}

/** Writes a message. No key of the environment leaves in it, whoever wrote it there. */
export function writeMessage(
  { env, io }: Pick<Platform, 'env' | 'io'>,
  form: MessageForm,
  message: Message,
  text: string,
): Promise<void> {
  const secrets = KEY_VARIABLES.flatMap((name) => secretOf(env[name]?.trim()) ?? []);
  const safe = secrets.reduce((text, secret) => scrub(text, secret), message);
  return io.stderr.write(messageLine(form, safe, secrets.reduce(scrubText, text)));
}

/** The form of the messages beside rows of a format: a program that reads JSON reads both. */
export function messageForm(format: string | undefined): MessageForm {
  return /^(nd)?json$/i.test(format ?? '') ? 'json' : 'text';
}

/** The form that a command line asks for. It is not parsed here, for the line itself may be what is wrong. */
export function messageFormOf(argv: readonly string[]): MessageForm {
  const end = argv.indexOf('--');
  const options = end < 0 ? argv : argv.slice(0, end);
  const formats = options.flatMap((word, i) => {
    if (word === '--format') return [options[i + 1]];
    return word.startsWith('--format=') ? [word.slice('--format='.length)] : [];
  });
  return messageForm(formats.at(-1));
}

/** A message as it is written: the text for people, or one line of JSON, where control characters are escapes. */
export function messageLine(form: MessageForm, message: Message, text: string): string {
  return form === 'json' ? `${escapeJson(JSON.stringify(message))}\n` : text;
}

/** Prints an error: a sentence of what happened and one of what to do, or one JSON object under `--format json`. */
export function reportError(error: unknown, argv: readonly string[], platform: Platform): Promise<void> {
  const report = errorReport(error);
  const { stderr } = platform.io;
  const width = stderr.isTerminal ? stderr.columns : Number.POSITIVE_INFINITY;
  const text = linesOf(report, argv.includes('--verbose') ? error : undefined, width);
  return writeMessage(platform, messageFormOf(argv), report, text);
}

interface ErrorReport extends Message {
  readonly level: 'error';
  readonly kind: string;
  readonly hint: string | null;
  readonly status: number | null;
  readonly retry_after: number | null;
}

function errorReport(error: unknown): ErrorReport {
  if (error instanceof MacroError)
    return {
      level: 'error',
      kind: error.kind,
      code: error.code ?? error.kind,
      message: cutWords(error.message),
      hint: error.hint === undefined ? null : cutWords(error.hint),
      status: error.status ?? null,
      retry_after: error.retryAfter ?? null,
    };
  const message = error instanceof Error ? error.message : String(error);
  return {
    level: 'error',
    kind: 'internal',
    code: 'internal_error',
    message: `This is a bug of macro: ${cutWords(message)}`,
    hint: 'Run it again with --verbose and report what it prints.',
    status: null,
    retry_after: null,
  };
}

function linesOf(report: ErrorReport, verbose: unknown, width: number): string {
  const lines = [...wrapWords(`macro: ${cleanText(report.message)}`, width)];
  if (report.hint !== null) lines.push(...wrapWords(cleanText(report.hint), width));
  if (verbose instanceof Error && !(verbose instanceof MacroError))
    lines.push(...(verbose.stack ?? '').split('\n').map(cleanText));
  if (verbose instanceof MacroError && verbose.cause instanceof Error)
    lines.push(`cause: ${cleanText(verbose.cause.message)}`);
  return `${lines.join('\n')}\n`;
}
