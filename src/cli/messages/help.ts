import type { CommandSpec, OptionSpec, WordSpec } from '../commands/command.ts';

/** Sets above this size are tables that age, not closed lists: help names where to look instead. */
const MAX_LISTED_WORDS = 50;

/** Two examples at the end of every help. */
export function helpTail(examples: readonly string[]): string {
  return `\nExamples:\n${examples.map((example) => `  macro ${example}`).join('\n')}`;
}

/** `BASE QUOTE [options]`. */
export function usageOf(spec: CommandSpec): string {
  return [...spec.words.map(placeOf), '[options]'].join(' ');
}

function placeOf(word: WordSpec): string {
  const name = `${word.name.toUpperCase()}${word.many ? '...' : ''}`;
  return word.optional ? `[${name}]` : name;
}

export function wordHelp(word: WordSpec): string {
  return `${word.doc}${listOf(word.words)}`;
}

export function optionHelp(option: OptionSpec): string {
  return `${option.doc}${listOf(option.words)}`;
}

function listOf(words: readonly string[] | undefined): string {
  if (!words || words.length === 0) return '';
  return words.length <= MAX_LISTED_WORDS ? ` (${words.join(', ')})` : ' (macro catalogue usd lists them)';
}
