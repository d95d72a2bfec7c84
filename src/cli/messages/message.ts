import { escapeJson } from '../output/clean.ts';

/** Something said on stderr. An error has the members of its report, too. */
export interface Message {
  readonly level: 'note' | 'warning' | 'error';
  /** A word for programs: it stays the same when the sentence is written anew. Null where nobody named one. */
  readonly code: string | null;
  readonly message: string;
}

export type MessageForm = 'text' | 'json';

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
