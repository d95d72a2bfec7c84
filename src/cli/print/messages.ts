import { KEY_VARIABLES } from '../../client/http/key.ts';
import { scrub, scrubText, secretOf } from '../../client/http/scrub.ts';
import { hinted, MacroError } from '../../errors.ts';
import type { Platform } from '../../platform/platform.ts';
import { cureWithoutService } from '../../source/without-service.ts';
import { type Options, textOption } from '../parse/options.ts';
import { cleanText, cutWords, escapeJson, wrapWords } from './text.ts';

type Say = (sentence: string, code: string) => Promise<void>;

/** Messages of a command beside its rows. Nothing else is written to stderr. */
export interface Messages {
  /** A line, quiet or not. */
  readonly say: Say;
  /** A sentence, unless `--quiet`. */
  readonly note: Say;
  /** A sentence, quiet or not. */
  readonly warn: Say;
  /** A sentence under `--verbose`. */
  readonly verbose: Say;
  /** Messages of a server for its operator; several lines, where it is a stack. */
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

/** Something said on stderr. An error has the members of its report, too. */
interface Message {
  readonly level: 'note' | 'warning' | 'error';
  /** A word for programs: it stays the same when the sentence is written anew. Null where nobody named one. */
  readonly code: string | null;
  readonly message: string;
}

type MessageForm = 'text' | 'json';

const MINUTE_MS = 60_000;

/** Refusals of a question whose data nobody has brought. */
export const UNFILLED: readonly unknown[] = ['not_mirrored', 'no_mirror'];

const LOGIN = 'macro auth login';

/** A text that a shell needs no quotes for; never an address with a name, password or query, which may be a key. */
const PLAIN = /^[\w.:/[\]-]+$/;

export function openMessages(
  platform: Platform,
  { form, quiet, verbose, spelled = (sentence) => sentence }: MessageOptions,
): Messages {
  const { clock, io } = platform;
  const isRedrawn = io.stderr.isTerminal && form === 'text';
  let lineShown = false;
  let lastLine = clock.now();
  const put = async (message: Message, text: string, as = form) => {
    await messages.progress('');
    await writeMessage(platform, as, message, text);
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
      // A line of a log in JSON is such a message already.
      const as = message.startsWith('{') ? 'text' : form;
      return put({ level: 'warning', code, message: message.trimEnd() }, `${logged.join('\n')}\n`, as);
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

/** Prints an error: a sentence of what happened and one of what to do, or one JSON object under `--format json`. */
export function reportError(error: unknown, argv: readonly string[], platform: Platform): Promise<void> {
  const known = error instanceof MacroError ? error : bugReport(error);
  const report = {
    level: 'error',
    kind: known.kind,
    code: known.code ?? known.kind,
    message: cutWords(known.message),
    hint: known.hint === undefined ? null : cutWords(known.hint),
    status: known.status ?? null,
    retry_after: known.retryAfter ?? null,
  } as const;
  const { stderr } = platform.io;
  const width = stderr.isTerminal ? stderr.columns : Number.POSITIVE_INFINITY;
  const sentences = [`macro: ${report.message}`, ...(report.hint === null ? [] : [report.hint])];
  const lines = sentences.flatMap((sentence) => wrapWords(cleanText(sentence), width));
  if (argv.includes('--verbose')) lines.push(...causeLines(error));
  return writeMessage(platform, messageFormOf(argv), report, `${lines.join('\n')}\n`);
}

function bugReport(error: unknown): MacroError {
  const message = error instanceof Error ? error.message : String(error);
  return new MacroError('internal', `This is a bug of macro: ${message}`, {
    code: 'internal_error',
    hint: 'Run it again with --verbose and report what it prints.',
  });
}

function causeLines(error: unknown): readonly string[] {
  if (!(error instanceof Error)) return [];
  if (!(error instanceof MacroError)) return (error.stack ?? '').split('\n').map(cleanText);
  return error.cause instanceof Error ? [`cause: ${cleanText(error.cause.message)}`] : [];
}

/** Writes a message: the text for people, or one line of JSON, where control characters are escapes. No key of the environment leaves in it. */
function writeMessage(
  { env, io }: Pick<Platform, 'env' | 'io'>,
  form: MessageForm,
  message: Message,
  text: string,
): Promise<void> {
  const secrets = KEY_VARIABLES.flatMap((name) => secretOf(env[name]?.trim()) ?? []);
  if (form === 'text') return io.stderr.write(secrets.reduce(scrubText, text));
  const safe = secrets.reduce((text, secret) => scrub(text, secret), message);
  return io.stderr.write(`${escapeJson(JSON.stringify(safe))}\n`);
}

/** The form of the messages beside rows of a format: a program that reads JSON reads both. */
export function messageForm(format: string | undefined): MessageForm {
  return /^(nd)?json$/i.test(format ?? '') ? 'json' : 'text';
}

/** The form that a command line asks for. It is not parsed here, for the line itself may be wrong. */
function messageFormOf(argv: readonly string[]): MessageForm {
  const end = argv.indexOf('--');
  const options = end < 0 ? argv : argv.slice(0, end);
  const formats = options.flatMap((word, i) => {
    if (word === '--format') return [options[i + 1]];
    return word.startsWith('--format=') ? [word.slice('--format='.length)] : [];
  });
  return messageForm(formats.at(-1));
}

/** An error whose hint names `macro sync`, with the advice for a program without a service. */
export function withoutService(error: MacroError): MacroError {
  if (!UNFILLED.includes(error.code) || !error.hint?.includes('macro sync')) return error;
  return hinted(error, cureWithoutService(error.hint));
}

/** A text whose `macro auth login` works as typed: a service that was named for this command alone is named there too. */
export function withTypedService(text: string, options: Options): string {
  if (!text.includes(LOGIN)) return text;
  const named = ['profile', 'base-url'].flatMap((name) => {
    const value = textOption(options, name);
    return value !== undefined && PLAIN.test(value) ? [`--${name} ${value}`] : [];
  });
  return text.replaceAll(LOGIN, [LOGIN, ...named].join(' '));
}

export function advisedForService(error: unknown, options: Options): unknown {
  if (!(error instanceof MacroError) || error.hint === undefined) return error;
  const hint = withTypedService(error.hint, options);
  return hint === error.hint ? error : hinted(error, hint);
}
