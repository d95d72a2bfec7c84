import type { CommandSpec, OptionSpec, WordSpec } from '../commands/command.ts';
import { GENERAL } from '../commands/common-options.ts';
import { type CommandNode, treeOf } from '../commands/tree.ts';

/** What may be typed at one place of a command line: everything that a completion script needs to know. */
export interface CompletionPosition {
  /** Words before it, joined by blanks; empty at the very start. */
  readonly path: string;
  readonly children: readonly string[];
  /** Candidates of each positional word; `file` for paths. */
  readonly slots: readonly Candidates[];
  /** The last slot repeats. */
  readonly repeats: boolean;
  readonly options: readonly CompletedOption[];
}

export type Candidates = readonly string[] | 'file';

interface CompletedOption {
  readonly flags: readonly string[];
  readonly doc: string;
  /** Undefined for a switch. */
  readonly values: Candidates | undefined;
}

const HELP: CompletedOption = { flags: ['--help', '-h'], doc: 'help of this command', values: undefined };
const VERSION: CompletedOption = { flags: ['--version', '-V'], doc: 'version of the program', values: undefined };

/** Every place of the command tree, the start first. */
export function completionPositions(commands: readonly CommandSpec[]): readonly CompletionPosition[] {
  const places = placesUnder(treeOf(commands));
  const [start] = places;
  const words = (start?.children ?? []).filter((word) => word !== 'help');
  return [...places, { path: 'help', children: words, slots: [], repeats: false, options: [HELP] }];
}

function placesUnder(node: CommandNode): readonly CompletionPosition[] {
  const words = node.command?.words ?? [];
  const place: CompletionPosition = {
    path: node.path.join(' '),
    children: [...node.children.map((child) => child.path.at(-1) ?? ''), ...(node.path.length === 0 ? ['help'] : [])],
    slots: words.map(slotOf),
    repeats: words.at(-1)?.many ?? false,
    options: [...(node.command?.options ?? (node.path.length === 0 ? GENERAL : [])).map(optionOf), HELP].concat(
      node.path.length === 0 ? [VERSION] : [],
    ),
  };
  return [place, ...node.children.flatMap(placesUnder)];
}

function slotOf(word: WordSpec): Candidates {
  return word.file ? 'file' : (word.words ?? []);
}

function optionOf(option: OptionSpec): CompletedOption {
  return {
    flags: [`--${option.name}`, ...(option.short ? [`-${option.short}`] : [])],
    doc: option.doc,
    values: option.value === undefined ? undefined : option.file ? 'file' : (option.words ?? []),
  };
}

/** All flags that take a value, wherever they stand. */
export function valuedFlags(places: readonly CompletionPosition[]): readonly string[] {
  const valued = places.flatMap((place) => place.options.filter((option) => option.values !== undefined));
  return [...new Set(valued.flatMap((option) => option.flags))].sort();
}
