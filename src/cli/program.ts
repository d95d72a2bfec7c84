import { Argument, Command, CommanderError, Option } from 'commander';
import { advised, MacroError } from '../errors.ts';
import type { Clock, Platform } from '../platform/platform.ts';
import { type App, checkFormat } from './app/app.ts';
import { createApp } from './app/create-app.ts';
import type { Trace } from './app/recording.ts';
import { type Call, type CommandSpec, headingOf, type OptionSpec } from './commands/command.ts';
import { GENERAL } from './commands/common-options.ts';
import { type CommandNode, commandsUnder, GROUP_SUMMARIES, treeOf } from './commands/tree.ts';
import { meantCommand } from './parse/meant-command.ts';
import { type Options, type OptionValue, readDuration, textOption } from './parse/options.ts';
import { checkSpending } from './parse/spending.ts';
import { commandIn, foldCommandWords, unknownWord, wordsOf } from './parse/unknown-word.ts';
import { PLAIN_COLUMNS } from './print/ahead/print-ahead.ts';
import { helpTail, optionHelp, usageOf, wordHelp } from './print/help.ts';
import { advisedForService } from './print/partial.ts';

export { reportError } from './print/messages.ts';

/** What a command line asks for: a command with its words and options, or help to print. */
export type Parsed = { readonly spec: CommandSpec; readonly call: Call } | { readonly help: string };

interface LineFacts {
  /** What follows `macro` for somebody who meant what was typed. */
  readonly meant: string | undefined;
  /** The words of the command that the line is about, `macro` first. */
  readonly command: string;
}

/** The time that a whole command may take. */
interface TimeLimit {
  /** Aborted by the person, by the system, or when the time is up. */
  readonly signal: AbortSignal;
  /** The error to end with: that the time was up, where that is why it failed. */
  reasonFor(error: unknown): unknown;
  /** The command is over. */
  end(): void;
}

/**
 * The one adapter to commander. Walk: the commands become a tree of words; each leaf gets its words and options; commander
 * finds the command, and the leaf's action notes it together with what was typed. Nothing runs here, so that a command
 * line can be tested without running it.
 */
export function parseCommandLine(typed: readonly string[], width: number): Parsed {
  const asked = helpLast(typed);
  const commands = commandsMeant(asked);
  const argv = foldCommandWords(asked, commands);
  const found = foundIn(argv, commands);
  if (found) return found;
  // Help that was asked for, and what commander tells beside it: help for a group of words that was left alone.
  let help = '';
  let aside = '';
  const line = rootFor(argv, { commands, width, write: (text) => (help += text), tell: (text) => (aside += text) });
  attempt(line.parse, () => ({ meant: meantCommand(wordsOf(argv)), command: commandIn(argv, commands) }));
  const parsed = line.found();
  if (parsed) return parsed;
  // Help of a word that leads nowhere would be the help of something else.
  const unknown = unknownWord(argv, commands);
  if (unknown) throw unknown;
  return { help: help === '' ? aside : help };
}

/** A line that begins with a command's word can mean no other. */
function commandsMeant([first = '']: readonly string[]): readonly CommandSpec[] {
  const meant = commandsUnder(first.toLowerCase());
  return meant.length > 0 ? meant : commandsUnder();
}

/**
 * The command of a line that is one, built with the options that the line names: half of what a start takes to read its line
 * would go into building the others, which help and refusals alone speak of.
 */
function foundIn(argv: readonly string[], commands: readonly CommandSpec[]): Parsed | undefined {
  const flags = new Set(argv.flatMap(flagsIn));
  if (flags.has('-h') || flags.has('--help')) return undefined;
  const nobody = () => undefined;
  const line = rootFor(argv, { commands, width: PLAIN_COLUMNS, write: nobody, tell: nobody, flags });
  try {
    line.parse();
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return undefined;
  }
  return line.found();
}

/** Everything that commander may look for among the options where it reads a word: the word, what stands before a `=`, short ones. */
function flagsIn(word: string): readonly string[] {
  if (!word.startsWith('-')) return [];
  return word.startsWith('--') ? [word, word.split('=')[0] ?? word] : [...word].map((letter) => `-${letter}`);
}

interface Root {
  readonly commands: readonly CommandSpec[];
  readonly width: number;
  readonly write: (text: string) => void;
  readonly tell: (text: string) => void;
  /** Only options with these flags are built; all of them when left out. */
  readonly flags?: ReadonlySet<string>;
}

function rootFor(argv: readonly string[], { commands, width, write, tell, flags }: Root) {
  let found: Parsed | undefined;
  const root = new Command('macro')
    .description('Macroeconomic data of the major currencies: asked, mirrored, served.')
    .exitOverride()
    .enablePositionalOptions()
    .configureOutput({
      writeOut: write,
      writeErr: tell,
      getOutHelpWidth: () => width,
      getErrHelpWidth: () => width,
    })
    .configureHelp({ subcommandTerm: (command) => command.name(), sortSubcommands: false })
    .helpOption('-h, --help', 'this help')
    .helpCommand('help [command]', 'help of a command');
  addOptions(root, GENERAL, flags);
  root.addOption(new Option('-V, --version', 'version of the program').helpGroup('General:'));
  root.addHelpText('after', helpTail(['fx eur usd --indicators all', 'announcements usd inflation']));
  const words = new Set(argv);
  for (const node of treeOf(commands).children)
    root.addCommand(build(node, { root, words, flags, onRun: (parsed) => (found = parsed) }));
  return { parse: () => void root.parse([...argv], { from: 'user' }), found: () => found };
}

/** `help fx session` and `--help fx session` are `fx session --help`. */
function helpLast(typed: readonly string[]): readonly string[] {
  const [first = '', ...rest] = typed;
  const isAsked = first.toLowerCase() === 'help' || (rest.length > 0 && ['-h', '--help'].includes(first));
  return isAsked ? [...rest, '--help'] : typed;
}

interface Building {
  readonly root: Command;
  /** What was typed: only commands that could be meant get their options, which keeps the start quick. */
  readonly words: ReadonlySet<string>;
  readonly flags: ReadonlySet<string> | undefined;
  readonly onRun: (parsed: Parsed) => void;
}

function build(node: CommandNode, building: Building): Command {
  const word = node.path.at(-1) ?? '';
  const spec = node.command;
  const command = new Command(word).copyInheritedSettings(building.root).helpCommand(false);
  command.description(
    spec?.summary ?? GROUP_SUMMARIES[word] ?? node.children.map((child) => child.path.at(-1)).join(', '),
  );
  command.helpGroup(`${sectionOf(node)}:`);
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

function sectionOf(node: CommandNode): string {
  return node.command?.section ?? node.children.map(sectionOf)[0] ?? '';
}

function declare(command: Command, spec: CommandSpec, { flags, onRun }: Building): void {
  command.usage(usageOf(spec)).allowExcessArguments();
  for (const word of spec.words) command.addArgument(new Argument(`[${word.name}]`, wordHelp(word)));
  addOptions(command, spec.options, flags);
  command.addHelpText('after', helpTail(spec.examples));
  command.action(() => onRun({ spec, call: { words: command.args, options: typedOptions(command, spec) } }));
}

function addOptions(command: Command, options: readonly OptionSpec[], wanted: ReadonlySet<string> | undefined): void {
  for (const spec of options) {
    if (wanted && !wanted.has(`--${spec.name}`) && !wanted.has(`-${spec.short}`)) continue;
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

/** Runs commander, which ends in an error after printing help too. What it refuses becomes an error of ours. */
function attempt(parse: () => void, about: () => Parameters<typeof usageError>[2]): void {
  try {
    parse();
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.code !== 'commander.helpDisplayed' && error.code !== 'commander.help')
      throw usageError(error.code, error.message, about());
  }
}

/** Reads the command line, runs the command, closes what it opened. */
export async function runProgram(argv: readonly string[], platform: Platform, signal: AbortSignal): Promise<void> {
  const { stdout } = platform.io;
  const parsed = parseCommandLine(argv, stdout.isTerminal ? stdout.columns : PLAIN_COLUMNS);
  if ('help' in parsed) return stdout.write(`${parsed.help.trimEnd()}\n`);
  checkFormat(parsed.call.options, parsed.spec.checkFile);
  checkSpending(parsed.call.options);
  const limit = limitTime(parsed.call.options, platform.clock, signal);
  const recorded = await recordedPlatform(parsed.call.options, platform);
  const trace = await traceOf(parsed.call.options, recorded);
  const app = createApp(trace?.platform ?? recorded, parsed.call.options, limit.signal);
  try {
    await parsed.spec.run(app, parsed.call);
    if (app.isDryRun) await app.say('This was a dry run: nothing was changed.', 'dry_run');
  } catch (error) {
    const reason = limit.reasonFor(error);
    if (limit.signal.aborted) throw withOffline(reason, parsed.spec);
    const refusal = await heldElsewhere(await app.explain(reason), app, parsed);
    throw advisedForService(withOffline(refusal, parsed.spec), parsed.call.options);
  } finally {
    limit.end();
    if (parsed.spec.changesWords) await (await import('./completion/kept-words.ts')).keepCompletionWords(app);
    // An error is told after this, on a line of its own.
    await app.progress('');
    await app.close();
    await trace?.finish();
  }
}

/** A refusal that another mirror would not have made names that one; nothing of it is loaded for any other error. */
async function heldElsewhere(
  error: unknown,
  app: App,
  { spec, call }: { readonly spec: CommandSpec; readonly call: Call },
): Promise<unknown> {
  if (!(error instanceof MacroError) || error.kind !== 'notFound') return error;
  const { withOtherMirror } = await import('./app/other-mirrors.ts');
  const { platform, settings, signal } = app;
  return withOtherMirror(error, { platform, settings, spec, call, signal, run: runProgram });
}

/** The platform that keeps answers of the service, or gives kept ones in their place. */
async function recordedPlatform(options: Options, platform: Platform): Promise<Platform> {
  const [record, replay] = [textOption(options, 'record'), textOption(options, 'replay')];
  if (record === undefined && replay === undefined) return platform;
  if (record !== undefined && replay !== undefined)
    throw new MacroError('usage', 'Give --record or --replay, not both.', { code: 'bad_arguments' });
  const { recordAnswers, replayAnswers } = await import('./app/recording.ts');
  return replay === undefined ? recordAnswers(platform, record ?? '') : replayAnswers(platform, replay);
}

/** The recording that `--trace` asks for; nothing of it is loaded without. */
async function traceOf(options: Options, platform: Platform): Promise<Trace | undefined> {
  const file = textOption(options, 'trace');
  return file === undefined ? undefined : (await import('./app/recording.ts')).openTrace(platform, file);
}

/** Where the mirror can be asked instead, a service that does not answer is a reason to. */
function withOffline(error: unknown, { options }: CommandSpec): unknown {
  const isOut = error instanceof MacroError && (error.kind === 'upstream' || error.kind === 'quota');
  const hasOption = options.some(({ name }) => name === 'offline');
  return isOut && hasOption ? advised(error, 'With --offline the mirror answers.') : error;
}

/** A refusal of the command-line parser in our own words: what was wrong, and the nearest legal word. */
function usageError(code: string, message: string, { meant, command }: LineFacts): MacroError {
  const [first = '', ...rest] = message.replace(/^error: /, '').split('\n');
  const close = /^\(Did you mean (?:one of )?(.+?)\?\)$/.exec(rest.join(' ').trim())?.[1];
  // What stands behind an equals sign could be a secret.
  const text = first.replace(/(--?[^\s='"]+)=[^'"]*/, '$1');
  return new MacroError('usage', `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, '')}.`, {
    code: code.replace('commander.', '').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    hint: hintOf(code, meant, close) ?? otherwise(code, first, command),
  });
}

/** Meaning goes before spelling. */
function hintOf(code: string, meant: string | undefined, close: string | undefined): string | undefined {
  if (code === 'commander.unknownCommand' && meant !== undefined) return `Did you mean macro ${meant}?`;
  // Several words that look alike are no guess.
  return close && !close.includes(',') ? `Did you mean ${close}?` : undefined;
}

/** A word that is no command may be that of a series. */
function otherwise(code: string, message: string, command: string): string {
  const word = /'([A-Za-z][A-Za-z0-9_]{1,30})'/.exec(message)?.[1];
  if (code !== 'commander.unknownCommand' || word === undefined || command !== 'macro')
    return `${command} --help lists what is legal.`;
  return `macro search ${word.toLowerCase()} looks the word up; macro --help lists the commands.`;
}

/** Milliseconds of `--max-time`; undefined for no limit. Throws `usage` for what is no time. */
function readMaxTime(options: Options): number | undefined {
  const text = textOption(options, 'max-time');
  if (text === undefined) return undefined;
  const seconds = readDuration(text, '--max-time');
  if (seconds > 0) return seconds * 1000;
  throw new MacroError('usage', `'${text}' leaves no time for the command.`, {
    code: 'bad_duration',
    hint: 'Give --max-time at least a second: 90s, 15m, 6h.',
  });
}

/**
 * Bounds a command by `--max-time`. When the time is up, the command is interrupted as Ctrl-C does it, so that what is under
 * way is kept as it should be; for whoever called, it is a service that took too long.
 */
function limitTime(options: Options, clock: Pick<Clock, 'sleep'>, signal: AbortSignal): TimeLimit {
  const ms = readMaxTime(options);
  if (ms === undefined) return { signal, reasonFor: (error) => error, end: () => undefined };
  const over = new AbortController();
  const stop = new AbortController();
  const abort = () => over.abort(new MacroError('interrupted', 'The time of the command is up.', { code: 'max_time' }));
  clock.sleep(ms, stop.signal).then(abort, () => undefined);
  return {
    signal: AbortSignal.any([signal, over.signal]),
    reasonFor: (error) => (over.signal.aborted ? timeUp(String(textOption(options, 'max-time'))) : error),
    end: () => stop.abort(),
  };
}

function timeUp(text: string): MacroError {
  return new MacroError('upstream', `The command was not done within ${text} (--max-time).`, {
    code: 'timeout',
    hint: 'Give it more time, or run it again: what it has kept stays.',
  });
}
