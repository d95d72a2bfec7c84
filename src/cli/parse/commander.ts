import { Argument, Command, CommanderError, Option } from 'commander';
import { nearest } from '../../contract/words/nearest.ts';
import { MacroError } from '../../errors.ts';
import { type CommandSpec, headingOf, type OptionSpec } from '../commands/command.ts';
import { GENERAL } from '../commands/common-options.ts';
import type { CommandNode } from '../commands/tree.ts';
import { FORMATS } from '../print/format.ts';
import { helpTail, optionHelp, usageOf, wordHelp } from '../print/help.ts';
import { childNamed, nodeAt, type Parsed, type ParsedCommand } from './command-line.ts';
import type { Options, OptionValue } from './options.ts';

/** Reads lines with help, mistakes or leading options by commander. @throws MacroError of kind `usage`. */
export async function readByCommander(typed: readonly string[], tree: CommandNode, width: number): Promise<Parsed> {
  const argv = foldCommandWords(typed, tree);
  // Help that was asked for, and what commander tells beside it: help for a group of words that was left alone.
  let help = '';
  let aside = '';
  let found: ParsedCommand | undefined;
  const root = new Command('macro')
    .description('Macroeconomic data of the major currencies: asked, mirrored, served.')
    .exitOverride()
    .enablePositionalOptions()
    .configureOutput({
      writeOut: (text) => (help += text),
      writeErr: (text) => (aside += text),
      getOutHelpWidth: () => width,
      getErrHelpWidth: () => width,
    })
    .configureHelp({ subcommandTerm: (command) => command.name(), sortSubcommands: false })
    .helpOption('-h, --help', 'this help')
    .helpCommand('help [command]', 'help of a command');
  addOptions(root, GENERAL);
  root.addOption(new Option('-V, --version', 'version of the program').helpGroup('General:'));
  root.addHelpText('after', helpTail(['fx eur usd --indicators all', 'announcements usd inflation']));
  const words = new Set(argv);
  for (const node of tree.children) root.addCommand(build(node, { root, words, onRun: (parsed) => (found = parsed) }));
  try {
    root.parse([...argv], { from: 'user' });
  } catch (error) {
    // Commander ends in an error after printing help too.
    if (!(error instanceof CommanderError)) throw error;
    if (error.code === 'commander.unknownCommand')
      throw usageError(error, nodeAt(tree, wordsOf(argv)), await meantBy(wordsOf(argv)));
    if (error.code !== 'commander.helpDisplayed' && error.code !== 'commander.help')
      throw usageError(error, nodeAt(tree, wordsOf(argv)));
  }
  if (found) return found;
  // Help of a word that leads nowhere would be the help of something else.
  const unknown = await unknownWord(argv, tree);
  if (unknown) throw unknown;
  return { help: help === '' ? aside : help };
}

interface Building {
  readonly root: Command;
  /** The typed words: only commands that could be meant get their options, which makes the start quick. */
  readonly words: ReadonlySet<string>;
  readonly onRun: (parsed: ParsedCommand) => void;
}

function build(node: CommandNode, building: Building): Command {
  const word = node.path.at(-1) ?? '';
  const spec = node.command;
  const command = new Command(word).copyInheritedSettings(building.root).helpCommand(false);
  command.description(node.summary ?? node.children.map((child) => child.path.at(-1)).join(', '));
  command.helpGroup(`${node.section}:`);
  if (!building.words.has(word) && !building.words.has('help')) return command;
  for (const child of node.children) command.addCommand(build(child, building));
  if (spec) declare(command, spec, building);
  else command.addHelpText('after', helpTail(examplesOf(node)));
  return command;
}

/** One of each command below; both of a single one. */
function examplesOf({ children }: CommandNode): readonly string[] {
  const [first, ...others] = children.flatMap((child) => (child.command ? [child.command.examples] : []));
  return [...(others.length === 0 ? (first ?? []) : [first?.[0] ?? '', others[0]?.[0] ?? ''])];
}

function declare(command: Command, spec: CommandSpec, { onRun }: Building): void {
  command.usage(usageOf(spec)).allowExcessArguments();
  for (const word of spec.words) command.addArgument(new Argument(`[${word.name}]`, wordHelp(word)));
  addOptions(command, spec.options);
  command.addHelpText('after', helpTail(spec.examples));
  command.action(() => onRun({ spec, call: { words: command.args, options: typedOptions(command, spec) } }));
}

function addOptions(command: Command, options: readonly OptionSpec[]): void {
  for (const spec of options) {
    const flags = `${spec.short ? `-${spec.short}, ` : ''}--${spec.name}${spec.value ? ` <${spec.value}>` : ''}`;
    const option = new Option(flags, optionHelp(spec)).helpGroup(`${headingOf(spec)}:`);
    if (spec.many)
      option.argParser((value: string, before: unknown) => [...(Array.isArray(before) ? before : []), value]);
    command.addOption(option);
  }
}

/** Options as typed, those before the command's words too; the nearest to the command wins. */
function typedOptions(command: Command, spec: CommandSpec): Options {
  const typed: Record<string, OptionValue | undefined> = {};
  const line = [...ancestorsOf(command)].reverse();
  for (const { name, many } of spec.options) {
    for (const owner of line) {
      const option = owner.options.find((candidate) => candidate.long === `--${name}`);
      if (!option || owner.getOptionValueSource(option.attributeName()) !== 'cli') continue;
      const value: unknown = owner.getOptionValue(option.attributeName());
      if (many) typed[name] = Array.isArray(value) ? value.map(String) : [String(value)];
      else typed[name] = typeof value === 'string' ? value : true;
    }
  }
  return typed;
}

function* ancestorsOf(command: Command): Iterable<Command> {
  for (let at: Command | null = command; at; at = at.parent) yield at;
}

/** The refusal of a word that no command has, in a line that asks for help; undefined when each leads somewhere. */
async function unknownWord(argv: readonly string[], tree: CommandNode): Promise<MacroError | undefined> {
  const words = wordsOf(argv);
  let at = tree;
  for (const word of words[0] === 'help' ? words.slice(1) : words) {
    const next = childNamed(at, word);
    if (!next && at.command) return undefined;
    if (!next) return refusal(word, at);
    at = next;
  }
  return undefined;
}

async function refusal(word: string, { path, children }: CommandNode): Promise<MacroError> {
  const meant = path.length === 0 ? await meantBy([word]) : undefined;
  const legal = children.map((child) => child.path.at(-1) ?? '');
  const close = meant ?? nearest(word, legal);
  const group = ['macro', ...path].join(' ');
  return new MacroError('usage', `Unknown command '${word}'.`, {
    code: 'unknown_command',
    hint: close ? `Did you mean ${group} ${close}?` : `${group} --help lists the commands.`,
  });
}

/** The words after `macro` that the user may have meant. The tables of words are loaded for it. */
async function meantBy(words: readonly string[]): Promise<string | undefined> {
  return (await import('./meant-command.ts')).meantCommand(words);
}

/** A refusal of the command-line parser in our own words: the mistake, and the nearest legal word. */
function usageError({ code, message }: CommanderError, node: CommandNode, meant?: string): MacroError {
  const command = ['macro', ...node.path].join(' ');
  const [first = '', ...rest] = message.replace(/^error: /, '').split('\n');
  const close = /^\(Did you mean (?:one of )?(.+?)\?\)$/.exec(rest.join(' ').trim())?.[1];
  // The text after an equals sign could be a secret.
  const text = first.replace(/(--?[^\s='"]+)=[^'"]*/, '$1');
  return new MacroError('usage', `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, '')}.`, {
    code: code.replace('commander.', '').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    hint:
      windowOption(first, command) ??
      hintOf(meant, code === 'commander.unknownCommand' && close ? `${command} ${close}` : close) ??
      otherwise(code, first, node),
  });
}

/** Most commands name the ends of a window start and end; those with other names know `--from` and `--to`. */
function windowOption(message: string, command: string): string | undefined {
  const named = /'--(from|to)'/.exec(message)?.[1];
  if (named === undefined) return undefined;
  return `Did you mean ${named === 'from' ? '--start' : '--end'}? ${command} --help lists the legal options.`;
}

/** Meaning goes before spelling. */
function hintOf(meant: string | undefined, close: string | undefined): string | undefined {
  if (meant !== undefined) return `Did you mean macro ${meant}?`;
  // Several words that look alike are no guess.
  return close && !close.includes(',') ? `Did you mean ${close}?` : undefined;
}

/** An option may be the word of a format. A word that is no command may be that of a series. */
function otherwise(code: string, message: string, node: CommandNode): string {
  const format = FORMATS.find((known) => message.endsWith(` '--${known}'`));
  if (format !== undefined) return `Did you mean --format ${format}?`;
  const word = /'([A-Za-z][A-Za-z0-9_]{1,30})'/.exec(message)?.[1];
  const command = ['macro', ...node.path].join(' ');
  if (code !== 'commander.unknownCommand') return `${command} --help lists the legal ones.`;
  if (node.path.length > 0)
    return `Legal after ${command}: ${node.children.map(({ path }) => path.at(-1)).join(', ')}.`;
  if (word === undefined) return `${command} --help lists the commands.`;
  return `macro search ${word.toLowerCase()} finds the word; macro --help lists the commands.`;
}

/** The line with the words of its command as they are spelled: they are typed in any letter case. */
function foldCommandWords(argv: readonly string[], tree: CommandNode): readonly string[] {
  const words = wordsOf(argv);
  const { path } = nodeAt(tree, words);
  if (path.every((word, i) => word === words[i])) return argv;
  let done = 0;
  return argv.map((word) => (done < path.length && word === words[done] ? (path[done++] ?? word) : word));
}

/** The typed words, without options and their values. */
function wordsOf(argv: readonly string[]): readonly string[] {
  const valued = new Set(GENERAL.filter(({ value }) => value).map(({ name }) => `--${name}`));
  return argv.filter((word, i) => !word.startsWith('-') && !valued.has(argv[i - 1] ?? ''));
}
