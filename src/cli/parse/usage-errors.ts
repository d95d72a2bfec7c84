import { MacroError } from '../../errors.ts';

interface LineFacts {
  /** What follows `macro` for somebody who meant what was typed. */
  readonly meant: string | undefined;
  /** The words of the command that the line is about, `macro` first. */
  readonly command: string;
}

/** A refusal of the command-line parser in our own words: what was wrong, and the nearest legal word. */
export function usageError(code: string, message: string, { meant, command }: LineFacts): MacroError {
  const [first = '', ...rest] = message.replace(/^error: /, '').split('\n');
  const close = /^\(Did you mean (?:one of )?(.+?)\?\)$/.exec(rest.join(' ').trim())?.[1];
  // What stands behind an equals sign could be a secret.
  const text = first.replace(/(--?[^\s='"]+)=[^'"]*/, '$1');
  return new MacroError('usage', `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, '')}.`, {
    code: code.replace('commander.', '').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    hint: hintOf(code, meant, close) ?? otherwise(code, first, command),
  });
}

/** Meaning goes before spelling. */
function hintOf(code: string, meant: string | undefined, close: string | undefined): string | undefined {
  if (code === 'commander.unknownCommand' && meant !== undefined) return `Did you mean macro ${meant}?`;
  // Several words that look alike are no guess.
  return close && !close.includes(',') ? `Did you mean ${close}?` : undefined;
}

/** A word that is no command may be that of a series. */
function otherwise(code: string, message: string, command: string): string {
  const word = /'([A-Za-z][A-Za-z0-9_]{1,30})'/.exec(message)?.[1];
  if (code !== 'commander.unknownCommand' || word === undefined || command !== 'macro')
    return `${command} --help lists what is legal.`;
  return `macro search ${word.toLowerCase()} looks the word up; macro --help lists the commands.`;
}
