import { nearest } from '../../contract/words/nearest.ts';
import { MacroError } from '../../errors.ts';
import type { CommandSpec } from '../commands/command.ts';
import { GENERAL } from '../commands/common-options.ts';
import { treeOf } from '../commands/tree.ts';
import { meantCommand } from './meant-command.ts';

/** The refusal of a word that no command has, in a line that asks for help; undefined when each leads somewhere. */
export function unknownWord(argv: readonly string[], commands: readonly CommandSpec[]): MacroError | undefined {
  const words = wordsOf(argv);
  let at = treeOf(commands);
  for (const word of words[0] === 'help' ? words.slice(1) : words) {
    const next = at.children.find((child) => child.path.at(-1) === word);
    if (!next && at.command) return undefined;
    if (!next)
      return refusal(
        word,
        at.path,
        at.children.map((child) => child.path.at(-1) ?? ''),
      );
    at = next;
  }
  return undefined;
}

function refusal(word: string, path: readonly string[], legal: readonly string[]): MacroError {
  const meant = path.length === 0 ? meantCommand([word]) : undefined;
  const close = meant ?? nearest(word, legal);
  const group = ['macro', ...path].join(' ');
  return new MacroError('usage', `Unknown command '${word}'.`, {
    code: 'unknown_command',
    hint: close ? `Did you mean ${group} ${close}?` : `${group} --help lists the commands.`,
  });
}

/** The words of the command that a line is about, `macro` first, as far as they lead to one. */
export function commandIn(argv: readonly string[], commands: readonly CommandSpec[]): string {
  let at = treeOf(commands);
  for (const word of wordsOf(argv)) {
    const next = at.children.find((child) => child.path.at(-1) === word);
    if (!next) break;
    at = next;
  }
  return ['macro', ...at.path].join(' ');
}

/** The line with the words of its command as they are spelled: they are typed in any letter case. */
export function foldCommandWords(argv: readonly string[], commands: readonly CommandSpec[]): readonly string[] {
  const words = wordsOf(argv);
  const path: string[] = [];
  for (const word of words) {
    const next = [...path, word.toLowerCase()];
    if (!commands.some((command) => next.every((one, i) => command.path[i] === one))) break;
    path.push(word.toLowerCase());
  }
  if (path.every((word, i) => word === words[i])) return argv;
  let done = 0;
  return argv.map((word) => (done < path.length && word === words[done] ? (path[done++] ?? word) : word));
}

/** What was typed without options and their values. */
export function wordsOf(argv: readonly string[]): readonly string[] {
  const valued = new Set(GENERAL.filter(({ value }) => value).map(({ name }) => `--${name}`));
  return argv.filter((word, i) => !word.startsWith('-') && !valued.has(argv[i - 1] ?? ''));
}
