import type { Endpoint } from '../contract/endpoint.ts';
import { nearest } from '../contract/words/nearest.ts';
import { MacroError } from '../errors.ts';

/** Binds the words behind a command to the path arguments of its endpoint. `eur usd`, `EUR/USD` and `eurusd` are one. */
export function readWords(
  endpoint: Endpoint,
  typed: readonly string[],
  siblings: readonly string[] = [],
): Readonly<Record<string, string>> {
  const names = Object.keys(endpoint.at);
  const words = splitPair(names, typed);
  const misplaced = words.find((word, i) => i > 0 && siblings.includes(word.toLowerCase()));
  const command = (endpoint.cli?.words ?? []).join(' ');
  if (misplaced !== undefined) {
    const others = typed.filter((word) => word !== misplaced).join(' ');
    throw usage(`'${misplaced}' is a word of its own and stands before the others.`, {
      hint: `Type: macro ${command} ${misplaced.toLowerCase()} ${others}`,
    });
  }
  const form = names.map((name) => name.toUpperCase()).join(' ');
  const example = `For example: macro ${endpoint.cli?.examples[0] ?? command}`;
  if (words.length < names.length) {
    const got = words.length === 0 ? '' : `; got only ${words.join(' ')}`;
    const unknown = words.length === 1 && siblings.length > 0 ? nearest(words[0] ?? '', siblings) : undefined;
    throw usage(`macro ${command} needs ${form}${got}.`, {
      hint: unknown ? `Did you mean macro ${command} ${unknown}?` : example,
    });
  }
  if (words.length > names.length) {
    const takes = form === '' ? 'takes no words' : `takes ${form}`;
    throw usage(`macro ${command} ${takes}: '${words[names.length]}' is one too many.`, { hint: example });
  }
  return Object.fromEntries(names.map((name, i) => [name, words[i] ?? '']));
}

function splitPair(names: readonly string[], words: readonly string[]): readonly string[] {
  const at = names.indexOf('base');
  if (at < 0 || names[at + 1] !== 'quote' || words.length !== names.length - 1) return words;
  const [, base, quote] = /^([a-z]{3})[/-]?([a-z]{3})$/i.exec(words[at] ?? '') ?? [];
  return base !== undefined && quote !== undefined
    ? [...words.slice(0, at), base, quote, ...words.slice(at + 1)]
    : words;
}

function usage(sentence: string, details: { hint: string }): MacroError {
  return new MacroError('usage', sentence, { code: 'bad_words', ...details });
}
