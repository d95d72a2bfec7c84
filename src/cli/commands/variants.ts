import { MacroError } from '../../errors.ts';
import type { Call, CommandSpec, OptionSpec, WordSpec } from './command.ts';

/**
 * Commands with the same words become one: which of them is meant is told by the number of words behind. `predictions usd`
 * and `predictions usd inflation` are two questions, and `macro predictions CURRENCY [INDICATOR]` is their command.
 */
export function mergeVariants(commands: readonly CommandSpec[]): readonly CommandSpec[] {
  const byPath = new Map<string, CommandSpec[]>();
  for (const command of commands) {
    const name = command.path.join(' ');
    const variants = byPath.get(name);
    if (variants) variants.push(command);
    else byPath.set(name, [command]);
  }
  return [...byPath.values()].map(merge);
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
      const chosen = variantFor(variants, call);
      refuseOthers(variants, chosen, call);
      return chosen.run(app, call);
    },
  };
}

/** The one with as many words as were typed; the nearest one tells what is wrong with any other number. */
function variantFor(variants: readonly CommandSpec[], { words }: Call): CommandSpec {
  const chosen = variants.find((variant) => variant.words.length >= words.length) ?? variants.at(-1);
  if (!chosen) throw new Error('There is no command to choose from');
  return chosen;
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
