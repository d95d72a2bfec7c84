import type { Endpoint } from '../../contract/endpoint.ts';
import { nearest } from '../../contract/words/nearest.ts';
import { MacroError } from '../../errors.ts';

/**
 * Binds the words behind a command to the path arguments of its endpoint. `eur usd`, `EUR/USD` and `eurusd` are one.
 * @throws MacroError of kind `usage`.
 */
export function readWords(
  endpoint: Endpoint,
  typed: readonly string[],
  siblings: readonly string[] = [],
): Readonly<Record<string, string>> {
  const names = Object.keys(endpoint.at);
  const command = (endpoint.cli?.words ?? []).join(' ');
  refuseSiblings(command, typed, siblings);
  const words = splitPair(endpoint, names, typed);
  const needed = names.filter((name) => endpoint.at[name]?.required);
  refuseMistyped(endpoint, words, siblings);
  if (words.length >= needed.length && words.length <= names.length)
    return Object.fromEntries(words.map((word, i) => [names[i] ?? '', word]));
  const form = names.map((name) => (needed.includes(name) ? name.toUpperCase() : `[${name.toUpperCase()}]`)).join(' ');
  const hint = `For example: macro ${endpoint.cli?.examples[0] ?? command}`;
  if (words.length > names.length) {
    const takes = form === '' ? 'takes no words' : `takes ${form}`;
    throw wrongWords(`macro ${command} ${takes}: '${words[names.length]}' is one too many.`, hint);
  }
  const got = words.length === 0 ? '' : `; got only ${words.join(' ')}`;
  const meant = nearest(words[0] ?? '', siblings);
  throw wrongWords(`macro ${command} needs ${form}${got}.`, meant ? `Did you mean macro ${command} ${meant}?` : hint);
}

/** A word that leads to a command of its own stands first, so anywhere else it was not meant as an argument. */
function refuseSiblings(command: string, typed: readonly string[], siblings: readonly string[]): void {
  const word = typed.find((candidate) => siblings.includes(candidate.toLowerCase()));
  if (word === undefined) return;
  const others = typed.filter((candidate) => candidate !== word).join(' ');
  throw wrongWords(
    `'${word}' is a word of its own and stands before the others.`,
    `Type: macro ${command} ${word.toLowerCase()} ${others}`,
  );
}

/** A first word that no table knows was most likely meant as a word of the command, when it is close to one. */
function refuseMistyped(
  endpoint: Endpoint,
  [first = '', ...others]: readonly string[],
  siblings: readonly string[],
): void {
  const [name = ''] = Object.keys(endpoint.at);
  const known = endpoint.at[name]?.words ?? [];
  const meant = nearest(first.toLowerCase(), siblings);
  if (others.length === 0 || meant === undefined || known.length === 0) return;
  if ([first, first.toUpperCase(), first.toLowerCase()].some((word) => known.includes(word))) return;
  const command = ['macro', ...(endpoint.cli?.words ?? []), meant, ...others].join(' ');
  throw wrongWords(`'${first}' is no legal value for ${name.toUpperCase()}.`, `Did you mean ${command}?`);
}

/** One word that stands for a pair becomes two. Without a sign between them, one of the halves has to be known. */
function splitPair(endpoint: Endpoint, names: readonly string[], words: readonly string[]): readonly string[] {
  const at = names.indexOf('base');
  if (at < 0 || names[at + 1] !== 'quote' || words.length !== names.length - 1) return words;
  const [, base, sign, quote] = /^([a-z]{3})([/-]?)([a-z]{3})$/i.exec(words[at] ?? '') ?? [];
  if (base === undefined || quote === undefined) return words;
  const known = [base, quote].some((half) => endpoint.at.base?.words.includes(half.toUpperCase()));
  return sign !== '' || known ? [...words.slice(0, at), base, quote, ...words.slice(at + 1)] : words;
}

/** The refusal of words that a command cannot take. */
export function wrongWords(sentence: string, hint: string): MacroError {
  return new MacroError('usage', sentence, { code: 'bad_words', hint });
}
