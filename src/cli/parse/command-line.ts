import { parseArgs } from 'node:util';
import type { Call, CommandSpec, OptionSpec } from '../commands/command.ts';
import { type CommandNode, treeOfLine } from '../commands/tree.ts';
import type { OptionValue } from './options.ts';

export interface ParsedCommand {
  readonly spec: CommandSpec;
  readonly call: Call;
}

/** The request of a command line: a command with its words and options, or help to print. */
export type Parsed = ParsedCommand | { readonly help: string };

/** Reads a command line; commander reads help and mistakes. @throws MacroError of kind `usage`. */
export async function parseCommandLine(typed: readonly string[], width: number): Promise<Parsed> {
  const asked = helpLast(typed);
  const tree = await treeOfLine(asked);
  const plain = readPlainLine(asked, tree);
  if (plain) return plain;
  const { readByCommander } = await import('./commander.ts');
  return readByCommander(asked, tree, width);
}

/** `help fx session` and `--help fx session` are `fx session --help`. */
function helpLast(typed: readonly string[]): readonly string[] {
  const [first = '', ...rest] = typed;
  const isAsked = first.toLowerCase() === 'help' || (rest.length > 0 && ['-h', '--help'].includes(first));
  return isAsked ? [...rest, '--help'] : typed;
}

export function childNamed({ children }: CommandNode, word: string): CommandNode | undefined {
  return children.find(({ path }) => path.at(-1) === word);
}

/** Where words in any letter case lead, as far as they do. */
export function nodeAt(tree: CommandNode, [word = '', ...others]: readonly string[]): CommandNode {
  const next = childNamed(tree, word.toLowerCase());
  return next ? nodeAt(next, others) : tree;
}

/** The command of a line that has only its words, further words and its options; undefined for every other line. */
function readPlainLine(argv: readonly string[], tree: CommandNode): ParsedCommand | undefined {
  const at = nodeAt(tree, argv);
  const spec = at.command;
  if (!spec || argv.includes('--')) return undefined;
  const known = new Map(spec.options.map((option) => [option.name, option]));
  const { tokens } = parseArgs({
    args: argv.slice(at.path.length),
    options: Object.fromEntries(spec.options.map((option) => [option.name, readAs(option)])),
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const words: string[] = [];
  const options: Record<string, OptionValue> = {};
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value);
    if (token.kind !== 'option') continue;
    const { name, value = true } = token;
    const option = known.get(name);
    // commander refuses an unknown option, and an option with a value too many or too few.
    if (!option || (option.value === undefined) !== (value === true)) return undefined;
    const before = options[name];
    options[name] = option.many && value !== true ? [...(Array.isArray(before) ? before : []), value] : value;
  }
  return childNamed(at, words[0]?.toLowerCase() ?? '') ? undefined : { spec, call: { words, options } };
}

function readAs({ short, value }: OptionSpec) {
  return { type: value === undefined ? 'boolean' : 'string', ...(short && { short }) } as const;
}
