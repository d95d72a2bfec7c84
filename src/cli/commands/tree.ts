import type { CommandSpec } from './command.ts';
import { endpointCommands } from './endpoint-commands.ts';
import { endpointFaces } from './endpoint-data.ts';
import { ownCommands } from './own-commands.ts';
import { mergeVariants } from './variants.ts';

/** Every command of the program, or those whose first word is `first`: making all of them is a tenth of a short command. */
export function commandsUnder(first?: string): readonly CommandSpec[] {
  return mergeVariants([...endpointCommands(endpointFaces(first)), ...ownCommands(first)]);
}

/** Words that only lead to other words, with what they are about. */
export const GROUP_SUMMARIES: Readonly<Record<string, string>> = {
  auth: 'Keep the key of a service',
  commodities: 'Commodity prices',
  config: 'Settings and where they come from',
  import: 'Official bulk files into the mirror',
  mirror: 'What the mirror holds',
  profile: 'Services to choose from',
  schedule: 'Let macro sync run by itself',
  settlement: 'Contracts and signed records to settle them by',
  track: 'What macro sync keeps up to date',
  webhooks: 'Have releases posted to an address',
};

/** A node of the tree: a word, the command that stands there, and the words that may follow. */
export interface CommandNode {
  readonly path: readonly string[];
  readonly command: CommandSpec | undefined;
  readonly children: readonly CommandNode[];
}

/** The commands as a tree of words, in their order. */
export function treeOf(commands: readonly CommandSpec[], path: readonly string[] = []): CommandNode {
  const under = commands.filter((command) => path.every((word, i) => command.path[i] === word));
  const next = new Set(under.flatMap((command) => command.path.slice(path.length, path.length + 1)));
  return {
    path,
    command: under.find((command) => command.path.length === path.length),
    children: [...next].map((word) => treeOf(under, [...path, word])),
  };
}

/** Words that may follow the words of a command. */
export function childWords(path: readonly string[]): readonly string[] {
  return commandsUnder(path[0]).flatMap((command) => {
    const next = command.path[path.length];
    return next !== undefined && path.every((word, i) => command.path[i] === word) ? [next] : [];
  });
}
