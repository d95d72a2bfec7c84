import type { CommandSpec, OptionSpec, WordSource, WordSpec } from '../../src/cli/commands/command.ts';
import { CURRENCY_WORDS, GENERAL, SELECTION } from '../../src/cli/commands/common-options.ts';
import { type CommandNode, treeOf } from '../../src/cli/commands/tree.ts';
import { INDICATORS } from '../../src/contract/words/words.ts';

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

/** An arm of a `case`, in the same form for all shells: the lines that it is for, and the words that it gives. */
export interface Arm {
  /** Each the line of a place: `path --flag`, `path` or `path slot`; one that ends in a star is for all further slots. */
  readonly lines: readonly string[];
  /** Words joined by blanks. A first word in angle brackets names what the shell looks up: `<file>`, `<indicators>`. */
  readonly words: string;
}

/** What the script of every shell holds. */
export interface CompletionTables {
  readonly described: readonly (readonly [word: string, doc: string])[];
  readonly valued: readonly string[];
  readonly paths: readonly string[];
  readonly slots: readonly Arm[];
  readonly values: readonly Arm[];
  readonly flags: readonly Arm[];
  readonly children: readonly Arm[];
}

export function completionTables(commands: readonly CommandSpec[]): CompletionTables {
  const positions = completionPositions(commands);
  return {
    described: [...describedWords(positions)],
    valued: valuedFlags(positions),
    paths: commandPaths(positions),
    slots: slotArms(positions),
    values: valueArms(positions),
    flags: flagArms(positions),
    children: childArms(positions),
  };
}

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

function describedChild({ path, summary = '' }: CommandNode): DescribedWord {
  return { word: path.at(-1) ?? '', doc: summary };
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
function valuedFlags(positions: readonly CompletionPosition[]): readonly string[] {
  const valued = positions.flatMap(({ options }) => options.filter((option) => option.values !== undefined));
  return [...new Set(valued.flatMap((option) => option.flags))].sort();
}

/** `path --flag` to the values of the flag. The start of the line stands for options before any command. */
function valueArms(positions: readonly CompletionPosition[]): readonly Arm[] {
  return merge(
    positions.flatMap(({ path, options }) =>
      options.flatMap(({ flags, values }) =>
        values === undefined ? [] : flags.map((flag) => ({ line: `${path} ${flag}`, words: wordsOf(values) })),
      ),
    ),
  );
}

function flagArms(positions: readonly CompletionPosition[]): readonly Arm[] {
  return merge(
    positions.map(({ path, options }) => ({
      line: path,
      words: options.flatMap(({ flags }) => flags.filter((flag) => flag.startsWith('--'))).join(' '),
    })),
  );
}

/** `path slot` to the words that may stand there. */
function slotArms(positions: readonly CompletionPosition[]): readonly Arm[] {
  return merge(
    positions.flatMap(({ path, children, slots, repeats }) => {
      const names = children.map(({ word }) => word).join(' ');
      if (slots.length === 0) return [{ line: `${path} 0`, words: names }];
      return slots.map((slot, i) => ({
        line: repeats && i === slots.length - 1 ? `${path} *` : `${path} ${i}`,
        words: i === 0 ? [wordsOf(slot), names].filter(Boolean).join(' ') : wordsOf(slot),
      }));
    }),
  );
}

/** `path` to the words of commands below it. */
function childArms(positions: readonly CompletionPosition[]): readonly Arm[] {
  return merge(
    positions.map(({ path, children }) => ({ line: path, words: children.map(({ word }) => word).join(' ') })),
  );
}

/** The arms in the language of bash and zsh, which put the words into a variable. */
export function armsOf(arms: readonly Arm[], variable: string): string {
  const pattern = (line: string) => (line.endsWith('*') ? `'${line.slice(0, -1)}'*` : `'${line}'`);
  return arms.map(({ lines, words }) => `    ${lines.map(pattern).join('|')}) ${variable}='${words}' ;;`).join('\n');
}

/** Paths of commands, without the start. */
function commandPaths(positions: readonly CompletionPosition[]): readonly string[] {
  return positions.map(({ path }) => path).filter((path) => path !== '' && !path.startsWith('@'));
}

function wordsOf({ words, from }: Candidates): string {
  return [...(from ? [`<${from}>`] : []), ...words].join(' ');
}

/** Arms with the same words become one; those without words are left out. */
function merge(given: readonly { readonly line: string; readonly words: string }[]): readonly Arm[] {
  const byWords = Map.groupBy(
    given.filter(({ words }) => words !== ''),
    ({ words }) => words,
  );
  return [...byWords].map(([words, arms]) => ({ words, lines: arms.map(({ line }) => line) }));
}

/** Descriptions of words, and of words with their path (`mirror export`) for commands and exceptions. */
function describedWords(positions: readonly CompletionPosition[]): ReadonlyMap<string, string> {
  const names = new Intl.DisplayNames('en', { type: 'currency', fallback: 'none' });
  const currencies = CURRENCY_WORDS.map((code): readonly [string, string] => [
    code,
    names.of(code.toUpperCase()) ?? '',
  ]);
  const commands = positions.flatMap(({ path, children }) =>
    children.map(({ word, doc }): readonly [string, string] => [`${path} ${word}`.trim(), doc]),
  );
  return new Map([...currencies, ...describedFlags(positions), ...commands].filter(([, doc]) => doc !== ''));
}

/** Each flag once, as most commands have it; with its place where it differs. */
function describedFlags(positions: readonly CompletionPosition[]): readonly (readonly [string, string])[] {
  const uses = positions.flatMap(({ path, options }) =>
    options.flatMap(({ flags, doc }) => flags.filter(isLong).map((flag) => ({ path, flag, doc }))),
  );
  return [...Map.groupBy(uses, ({ flag }) => flag)].flatMap(([flag, all]) => {
    const [usual] = [...Map.groupBy(all, ({ doc }) => doc)].sort(([, a], [, b]) => b.length - a.length);
    const others = all.filter(({ doc }) => doc !== usual?.[0]);
    return [
      [flag, usual?.[0] ?? ''] as const,
      ...others.map(({ path, doc }) => [`${path} ${flag}`.trim(), doc] as const),
    ];
  });
}

const isLong = (flag: string) => flag.startsWith('--');
