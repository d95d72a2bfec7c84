import type { CommandSpec, OptionSpec, WordSpec } from '../commands/command.ts';

/** An option is shared when so many commands have it with the same words: it stands once, above all commands. */
const SHARED_BY = 8;

/** Sets above this size are tables that age, not closed lists: help names where to look instead. */
const MAX_LISTED_WORDS = 50;

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

export function commandText(command: CommandSpec, commands: readonly CommandSpec[]): string {
  const shared = sharedOptions(commands);
  const known = new Set(shared.map(nameAndDoc));
  const others = command.options.filter((option) => known.has(nameAndDoc(option))).map(({ name }) => `--${name}`);
  return [
    describeCommand(command, shared),
    ...(others.length === 0
      ? []
      : ['', `\`macro ${command.path.join(' ')} --help\` has the others: ${others.join(', ')}.`]),
  ].join('\n');
}

export function sharedOptions(commands: readonly CommandSpec[]): readonly OptionSpec[] {
  const all = commands.flatMap(({ options }) => options);
  const counts = new Map<string, number>();
  for (const option of all) counts.set(nameAndDoc(option), (counts.get(nameAndDoc(option)) ?? 0) + 1);
  const first = new Map(all.map((option) => [nameAndDoc(option), option]));
  return [...first.values()].filter((option) => (counts.get(nameAndDoc(option)) ?? 0) >= SHARED_BY);
}

export function describeCommand(command: CommandSpec, shared: readonly OptionSpec[]): string {
  const known = new Set(shared.map(nameAndDoc));
  const own = command.options.filter((option) => !known.has(nameAndDoc(option)));
  const words = command.words.map((word) => [`\`${word.name.toUpperCase()}\``, wordHelp(word)]);
  const parts = [...words, ...own.map(optionRow)];
  return [
    `## macro ${command.path.join(' ')}`,
    '',
    `${command.summary}.`,
    '',
    `Usage: \`macro ${[...command.path, usageOf(command)].join(' ')}\``,
    '',
    '```sh',
    ...command.examples.map((example) => `macro ${example}`),
    '```',
    ...(parts.length > 0 ? ['', markdownTable(['word or option', 'meaning'], parts)] : []),
  ].join('\n');
}

export function optionRow(option: OptionSpec): readonly string[] {
  return [`\`${spelled(option)}\``, optionHelp(option)];
}

function spelled({ name, short, value }: OptionSpec): string {
  const long = value === undefined ? `--${name}` : `--${name} <${value}>`;
  return short === undefined ? long : `-${short}, ${long}`;
}

function nameAndDoc({ name, doc }: OptionSpec): string {
  return `${name}: ${doc}`;
}

/** A table in Markdown. A bar inside of a cell is escaped. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
