import { INDICATORS } from '../../contract/words/words.ts';
import type { CommandSpec, OptionSpec, WordSource, WordSpec } from '../commands/command.ts';
import { GENERAL } from '../commands/common-options.ts';
import { CURRENCY_WORDS } from '../commands/series-words.ts';
import { SELECTION } from '../commands/sync/selection-word.ts';
import { type CommandNode, GROUP_SUMMARIES, treeOf } from '../commands/tree.ts';

/** What may be typed at one place of a command line: everything that a completion script needs to know. */
export interface CompletionPosition {
  /** Words before it, joined by blanks; empty at the very start. */
  readonly path: string;
  readonly children: readonly DescribedWord[];
  /** Candidates of each positional word. */
  readonly slots: readonly Candidates[];
  /** The last slot repeats. */
  readonly repeats: boolean;
  readonly options: readonly CompletedOption[];
}

export interface DescribedWord {
  readonly word: string;
  readonly doc: string;
}

export interface Candidates {
  readonly words: readonly string[];
  /** What the shell looks up itself: paths, the words of another command, or a list that the program keeps for it. */
  readonly from?: Exclude<WordSource, 'currencies'> | 'file';
}

interface CompletedOption {
  readonly flags: readonly string[];
  readonly doc: string;
  /** Undefined for a switch. */
  readonly values: Candidates | undefined;
}

/** Where the words of a selection begin: no command has this name. */
export const SELECTION_PATH = '@selection';

const HELP: CompletedOption = { flags: ['--help', '-h'], doc: 'help of this command', values: undefined };
const VERSION: CompletedOption = { flags: ['--version', '-V'], doc: 'version of the program', values: undefined };
const HELP_WORD: DescribedWord = { word: 'help', doc: 'Help of a command' };

/** Every place of the command tree, the start first; last that of a selection inside of the words of a command. */
export function completionPositions(commands: readonly CommandSpec[]): readonly CompletionPosition[] {
  const selection: CompletionPosition = {
    path: SELECTION_PATH,
    children: [],
    slots: [
      { words: [...(SELECTION.words ?? []), ...CURRENCY_WORDS] },
      { words: [...CURRENCY_WORDS], from: 'indicators' },
    ],
    repeats: false,
    options: [],
  };
  return [...positionsUnder(treeOf(commands)), selection];
}

function positionsUnder(node: CommandNode): readonly CompletionPosition[] {
  const words = node.command?.words ?? [];
  const isStart = node.path.length === 0;
  const options = node.command?.options ?? (isStart ? GENERAL : []);
  const position: CompletionPosition = {
    path: node.path.join(' '),
    children: [...node.children.map(describedChild), ...(isStart ? [HELP_WORD] : [])],
    slots: words.map(candidatesOf),
    repeats: words.at(-1)?.many ?? false,
    options: [...options.map(completedOption), HELP, ...(isStart ? [VERSION] : [])],
  };
  return [position, ...node.children.flatMap(positionsUnder)];
}

function describedChild({ path, command }: CommandNode): DescribedWord {
  const word = path.at(-1) ?? '';
  return { word, doc: command?.summary ?? GROUP_SUMMARIES[word] ?? '' };
}

function candidatesOf({ file, from, words = [] }: Pick<WordSpec, 'file' | 'from' | 'words'>): Candidates {
  if (file) return { words: [], from: 'file' };
  if (from === 'currencies') return { words: [...CURRENCY_WORDS, 'g10', 'all'] };
  if (from === 'indicators') return { words: words.length > 0 ? words : INDICATORS, from };
  return { words, ...(from && { from }) };
}

function completedOption(option: OptionSpec): CompletedOption {
  return {
    flags: [`--${option.name}`, ...(option.short ? [`-${option.short}`] : [])],
    doc: option.doc,
    values: option.value === undefined ? undefined : candidatesOf(option),
  };
}

/** All flags that take a value, wherever they stand. */
export function valuedFlags(positions: readonly CompletionPosition[]): readonly string[] {
  const valued = positions.flatMap(({ options }) => options.filter((option) => option.values !== undefined));
  return [...new Set(valued.flatMap((option) => option.flags))].sort();
}
