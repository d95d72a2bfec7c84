import { scrub, scrubText, secretOf } from '../../client/http/scrub.ts';
import type { Platform } from '../../platform/platform.ts';
import { KEY_VARIABLES } from '../app/settings/keys.ts';
import { cleanText } from '../output/clean.ts';
import { wrapWords } from '../output/table/wrap.ts';
import { type Message, type MessageForm, messageLine } from './message.ts';

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
