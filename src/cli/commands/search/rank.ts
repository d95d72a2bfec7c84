import { nearest } from '../../../contract/words/nearest.ts';
import type { SearchEntry } from './entry.ts';

export interface SearchResult {
  readonly entry: SearchEntry;
  readonly score: number;
}

/** An entry with its words taken apart, so that they are taken apart once. */
interface Read {
  readonly entry: SearchEntry;
  readonly word: string;
  readonly wordParts: readonly string[];
  readonly aliases: readonly string[];
  readonly aliasParts: readonly string[];
  readonly nameParts: readonly string[];
  readonly aboutParts: ReadonlySet<string>;
}

/** Shorter words are parts of too many others. */
const SHORTEST_PART = 4;
const SHORTEST_TYPO = 4;

/**
 * Entries that words lead to, best first. Walk: each word is weighed against each entry; a word that leads nowhere at all is
 * taken for the nearest one that does; entries that the most words lead to are kept, so that a further word narrows the
 * result and never widens it.
 */
export function rank(entries: readonly SearchEntry[], typed: readonly string[]): readonly SearchResult[] {
  const words = typed.flatMap(partsOf);
  if (words.length === 0) return [];
  const read = entries.map(readEntry);
  const meant = words.map((word) => (read.some((one) => weigh(one, word) > 0) ? word : (guess(read, word) ?? word)));
  const judged = read.map((one) => {
    const weights = meant.map((word) => weigh(one, word)).filter((weight) => weight > 0);
    const sum = weights.reduce((total, weight) => total + weight, 0);
    return { entry: one.entry, hits: weights.length, score: sum + (weights.length > 0 ? phrase(one, meant) : 0) };
  });
  const most = Math.max(...judged.map(({ hits }) => hits));
  return judged
    .filter(({ hits }) => hits === most && hits > 0)
    .sort((a, b) => b.score - a.score || before(a.entry, b.entry));
}

function before(a: SearchEntry, b: SearchEntry): number {
  return (
    b.currencies.length - a.currencies.length ||
    a.word.length - b.word.length ||
    (a.word < b.word ? -1 : Number(a.word > b.word))
  );
}

function readEntry(entry: SearchEntry): Read {
  return {
    entry,
    word: entry.word.toLowerCase(),
    wordParts: partsOf(entry.word),
    aliases: entry.aliases.map((alias) => alias.toLowerCase()),
    aliasParts: entry.aliases.flatMap(partsOf),
    nameParts: partsOf(entry.name ?? ''),
    aboutParts: new Set([...partsOf(entry.about), ...entry.currencies.map((code) => code.toLowerCase())]),
  };
}

function partsOf(text: string): readonly string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((part) => part !== '');
}

/** How strongly one word leads to an entry; 0 when it does not. */
function weigh(read: Read, word: string): number {
  const starts = (part: string) => part.startsWith(word);
  if (read.word === word) return 100;
  if (read.aliases.includes(word)) return 90;
  if (read.wordParts.includes(word)) return 70;
  if (read.word.startsWith(word)) return 60;
  if (read.aliasParts.includes(word)) return 55;
  if (read.nameParts.includes(word)) return 50;
  if ([...read.wordParts, ...read.aliasParts, ...read.nameParts].some(starts)) return 35;
  if (read.aboutParts.has(word)) return 25;
  return word.length >= SHORTEST_PART && read.word.includes(word) ? 15 : 0;
}

/** More, when all words together are what an entry is called. */
function phrase({ word, wordParts, aliases, nameParts }: Read, words: readonly string[]): number {
  const said = words.join(' ');
  if (word === said || wordParts.join(' ') === said) return 100;
  if (aliases.includes(said)) return 90;
  return nameParts.join(' ') === said ? 60 : 0;
}

function guess(read: readonly Read[], word: string): string | undefined {
  if (word.length < SHORTEST_TYPO) return undefined;
  const known = read.flatMap(({ wordParts, aliasParts, nameParts }) => [...wordParts, ...aliasParts, ...nameParts]);
  return nearest(
    word,
    [...new Set(known)].filter((part) => part.length >= SHORTEST_TYPO),
  );
}
