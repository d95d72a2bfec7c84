import { advised, MacroError, unlessRefused } from '../errors.ts';
import type { Clock, Platform } from '../platform/platform.ts';
import { type App, checkFormat, createApp } from './app/app.ts';
import type { Recording } from './app/recording.ts';
import { type CommandSpec, fieldNames, rowsWith } from './commands/command.ts';
import { type ParsedCommand, parseCommandLine } from './parse/command-line.ts';
import { type Options, readDuration, textOption } from './parse/options.ts';
import { readSpending } from './parse/spending.ts';
import { advisedForService } from './print/messages.ts';
import { PLAIN_COLUMNS } from './print/text.ts';

/** Reads the command line, runs the command, closes what it opened. */
export async function runProgram(argv: readonly string[], platform: Platform, signal: AbortSignal): Promise<void> {
  const { stdout } = platform.io;
  const parsed = await parseCommandLine(argv, stdout.isTerminal ? stdout.columns : PLAIN_COLUMNS);
  if ('help' in parsed) return stdout.write(`${parsed.help.trimEnd()}\n`);
  const { spec, call } = parsed;
  checkFormat(call.options, spec.checksFile);
  // Whoever answers, a bad value is refused before anything is done.
  readSpending(call.options, 'interactive');
  refuseContradictions(call.options);
  const limit = limitTime(call.options, platform.clock, signal);
  const recording = await recordingOf(call.options, platform);
  const { rows } = rowsWith(spec, call.options);
  const app = createApp(recording.platform, call.options, limit.signal, fieldNames(rows));
  try {
    await spec.run(app, call);
    if (app.isDryRun) await app.say('This was a dry run: nothing was changed.', 'dry_run');
  } catch (error) {
    const reason = limit.reasonFor(error);
    if (limit.signal.aborted) throw withOffline(reason, spec);
    const explained = await unlessOut(await app.explain(reason), app);
    const refusal = await storedElsewhere(explained, app, parsed);
    throw advisedForService(withOffline(refusal, spec), call.options);
  } finally {
    limit.end();
    if (spec.changesWords) await (await import('./completion/word-lists.ts')).writeCompletionWords(app);
    // An error follows this, on a line of its own.
    await app.progress('');
    await app.close();
    await recording.finish?.();
  }
}

/** Options of any command that contradict each other. */
const CONTRADICTIONS = [
  ['live', 'offline'],
  ['live', 'max-age'],
  ['offline', 'max-age'],
  ['quiet', 'verbose'],
] as const;

function refuseContradictions(options: Options): void {
  const pair = CONTRADICTIONS.find((names) => names.every((name) => options[name] !== undefined));
  if (!pair) return;
  throw new MacroError('usage', `--${pair[0]} and --${pair[1]} exclude each other.`, {
    code: 'conflicting_option',
    hint: 'Leave one of them out.',
  });
}

/** The platform of a command whose answers are recorded, given again or traced; nothing of it is loaded for any other. */
async function recordingOf(options: Options, platform: Platform): Promise<Recording> {
  if (!['record', 'replay', 'trace'].some((name) => options[name] !== undefined)) return { platform };
  return (await import('./app/recording.ts')).openRecording(options, platform);
}

/** The refusal of a missing key, made without a request: where no service answers, that is the reason to tell. */
async function unlessOut(error: unknown, app: App): Promise<unknown> {
  if (!(error instanceof MacroError) || error.code !== 'api_key_required') return error;
  const { openWire, pingService } = await import('./app/service.ts');
  const answered = await unlessRefused(
    () => pingService(openWire(app), app.signal),
    (refusal) => refusal,
  );
  return answered instanceof MacroError && NO_SERVICE.has(answered.kind) ? answered : error;
}

const NO_SERVICE: ReadonlySet<string> = new Set(['upstream', 'protocol']);

/** A refusal that another mirror would not have made names that one; nothing of it is loaded for any other error. */
async function storedElsewhere(error: unknown, app: App, { spec, call }: ParsedCommand): Promise<unknown> {
  if (!(error instanceof MacroError) || error.kind !== 'notFound') return error;
  const { withOtherMirror } = await import('./app/other-mirrors.ts');
  const { platform, settings, signal } = app;
  return withOtherMirror(error, { platform, settings, spec, call, signal, run: runProgram });
}

/** Where the mirror can be asked instead, a service that does not answer is a reason to. */
function withOffline(error: unknown, { options }: CommandSpec): unknown {
  const isOut = error instanceof MacroError && (error.kind === 'upstream' || error.kind === 'quota');
  const hasOption = options.some(({ name }) => name === 'offline');
  return isOut && hasOption ? advised(error, 'With --offline the mirror answers.') : error;
}

/** Interrupts a command after `--max-time` as Ctrl-C would; `reasonFor` makes of its error a service that took too long. */
function limitTime(options: Options, clock: Pick<Clock, 'sleep'>, signal: AbortSignal) {
  const ms = readMaxTime(options);
  if (ms === undefined) return { signal, reasonFor: (error: unknown) => error, end: () => undefined };
  const over = new AbortController();
  const stop = new AbortController();
  const abort = () => over.abort(new MacroError('interrupted', 'The time of the command is up.', { code: 'max_time' }));
  clock.sleep(ms, stop.signal).then(abort, () => undefined);
  return {
    signal: AbortSignal.any([signal, over.signal]),
    reasonFor: (error: unknown) => (over.signal.aborted ? timeUp(String(textOption(options, 'max-time'))) : error),
    end: () => stop.abort(),
  };
}

/** Milliseconds of `--max-time`; undefined for no limit. Throws `usage` for an invalid time. */
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

function timeUp(text: string): MacroError {
  return new MacroError('upstream', `The command was not done within ${text} (--max-time).`, {
    code: 'timeout',
    hint: 'Give it more time, or run it again: the stored rows stay.',
  });
}
