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
  const told = first.replace(/(--?[^\s='"]+)=[^'"]*/, '$1');
  return new MacroError('usage', `${told.charAt(0).toUpperCase()}${told.slice(1).replace(/\.$/, '')}.`, {
    code: code.replace('commander.', '').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    hint: hintOf(code, meant, close) ?? `${command} --help lists what is legal.`,
  });
}

/** Meaning goes before spelling. */
function hintOf(code: string, meant: string | undefined, close: string | undefined): string | undefined {
  if (code === 'commander.unknownCommand' && meant !== undefined) return `Did you mean macro ${meant}?`;
  return close && `Did you mean ${close}?`;
}
