import { MacroError } from '../../errors.ts';
import { isOn } from '../parse/options.ts';
import type { Call, CommandData, CommandSpec, OptionSpec, WordSpec } from './command.ts';
import { commandData } from './command-data.ts';
import { childWords } from './endpoint-commands.ts';
import { declarationOf } from './nouns.ts';
import { noWords } from './require.ts';

/** Words that only lead to other words, with what they are about. */
const SUMMARIES: Readonly<Record<string, string>> = {
  auth: 'Manage the API keys of services',
  config: 'Show and change settings',
  lake: 'Write the mirror as a folder of Parquet files, and check such a folder',
  mirror: 'Show, check, copy and repair the mirror',
  profile: 'Manage the profiles of services',
  schedule: 'Run macro sync on a schedule',
  settlement: 'Contracts and signed records to settle them by',
  track: 'List the tracked series',
  webhooks: 'Have releases posted to an address, and receive them',
};

/** A node of the tree: a word, the command that stands there, and the words that may follow. */
export interface CommandNode {
  readonly path: readonly string[];
  /** Undefined of words that only lead to others, and that nobody describes. */
  readonly summary: string | undefined;
  readonly section: string;
  readonly command: CommandSpec | undefined;
  readonly children: readonly CommandNode[];
}

/** Every command of the program, or those whose first word is `first`: making all of them is a tenth of a short command. */
export async function commandsUnder(first?: string): Promise<readonly CommandSpec[]> {
  const data = await commandData(first);
  return mergeVariants(data.map((one): CommandSpec => ({ ...one, run: runOf(one, data) })));
}

/** `--schema` asks for nothing else. A word that a command would not look at was meant for something: it is refused in one place for all of them. */
function runOf({ endpoint, path, words }: CommandData, siblings: readonly CommandData[]): CommandSpec['run'] {
  return async (app, call) => {
    if (endpoint !== undefined)
      return (await import('./endpoint/ask.ts')).ask(app, call, endpoint, childWords(siblings, path));
    const declared = await declarationOf(path);
    if (isOn(call.options, 'schema')) return (await import('./own-schema.ts')).printOwnSchema(app, call, declared);
    if (words.length === 0) noWords(call, path.join(' '));
    await declared.run(app, call);
  };
}

/** The tree of the commands that a line may mean: a line that begins with the word of one can mean no other. */
export async function treeOfLine([first = '']: readonly string[]): Promise<CommandNode> {
  const meant = await commandsUnder(first.toLowerCase());
  return treeOf(meant.length > 0 ? meant : await commandsUnder());
}

export function treeOf(commands: readonly CommandSpec[], path: readonly string[] = []): CommandNode {
  const under = commands.filter((command) => path.every((word, i) => command.path[i] === word));
  const next = new Set(under.flatMap((command) => command.path.slice(path.length, path.length + 1)));
  const command = under.find((one) => one.path.length === path.length);
  return {
    path,
    summary: command?.summary ?? SUMMARIES[path.join(' ')],
    section: (command ?? under[0])?.section ?? '',
    command,
    children: [...next].map((word) => treeOf(under, [...path, word])),
  };
}

/** Merges commands with the same words, which differ in the number of further words. */
export function mergeVariants(commands: readonly CommandSpec[]): readonly CommandSpec[] {
  return [...Map.groupBy(commands, ({ path }) => path.join(' ')).values()].map(merge);
}

function merge(given: readonly CommandSpec[]): CommandSpec {
  const variants = [...given].sort((a, b) => a.words.length - b.words.length);
  const [least, most] = [variants[0], variants.at(-1)];
  if (!least || !most) throw new Error('There is no command to merge');
  if (least === most) return least;
  return {
    ...most,
    summary: [least.summary, ...variants.slice(1).map(({ summary }) => inSentence(summary))].join('; '),
    words: most.words.map((word, i): WordSpec => (i < least.words.length ? word : { ...word, optional: true })),
    options: mergeOptions(variants),
    examples: [least.examples[0], most.examples[0]],
    run: (app, call) => {
      const chosen = variants.find(({ words }) => words.length >= call.words.length) ?? most;
      refuseOthers(variants, chosen, call);
      return chosen.run(app, call);
    },
  };
}

function mergeOptions(variants: readonly CommandSpec[]): readonly OptionSpec[] {
  const names = [...new Set(variants.flatMap(({ options }) => options.map(({ name }) => name)))];
  return names.flatMap((name) => {
    const having = variants.filter((variant) => optionOf(variant, name));
    const option = having[0] && optionOf(having[0], name);
    if (!option) return [];
    const forms = having.map(formOf).join(' or ');
    return [having.length === variants.length ? option : { ...option, doc: `${option.doc}; with ${forms}` }];
  });
}

function optionOf(variant: CommandSpec, name: string): OptionSpec | undefined {
  return variant.options.find((option) => option.name === name);
}

/** Options of the other question are no options of this one: they would be taken for asked and do nothing. */
function refuseOthers(variants: readonly CommandSpec[], chosen: CommandSpec, { options }: Call): void {
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || optionOf(chosen, name)) continue;
    const other = variants.find((variant) => optionOf(variant, name)) ?? chosen;
    throw new MacroError('usage', `--${name} does not go with macro ${commandOf(chosen)}.`, {
      code: 'unknown_option',
      hint: `It belongs to: macro ${commandOf(other)}`,
    });
  }
}

function commandOf(variant: CommandSpec): string {
  return [...variant.path, formOf(variant)].join(' ').trim();
}

function formOf({ words }: CommandSpec): string {
  return words.length === 0 ? 'no words' : words.map(({ name }) => name.toUpperCase()).join(' ');
}

/** A sentence behind another one: its first letter small, unless it begins with an abbreviation. */
function inSentence(text: string): string {
  return /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}
