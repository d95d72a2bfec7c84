import { isoSeconds } from '../../../contract/time/time.ts';
import { MacroError } from '../../../errors.ts';
import { consume, consumerName, type Handler } from '../../../events/consume.ts';
import type { LiveFeed } from '../../../events/follow.ts';
import { childEnv, execHandler, forwardHandler, readVariableNames, refuseMissing } from '../../../events/handlers.ts';
import type { Failure, JournalEvent } from '../../../mirror/api/journal.ts';
import type { Mirror, SyncLock } from '../../../mirror/api/mirror.ts';
import { retrying } from '../../../mirror/rules/failures.ts';
import type { App } from '../../app/app.ts';
import type { EventFilter } from '../../parse/event-filter.ts';
import { type Options, readDuration, textOption } from '../../parse/options.ts';
import type { Lines } from '../../print/lines.ts';

export interface ConsumerOptions {
  readonly name: string;
  /** Undefined when its events are only printed. */
  readonly handle: Handler | undefined;
}

/** Seconds that a command may take, when nobody says, and at most. */
const USUAL_TIME = 300;
const MOST_TIME = 86_400;

/** The consumer asked for; undefined when events are only printed. @throws MacroError of kind `usage`. */
export async function readConsumer(
  { platform, say }: Pick<App, 'platform' | 'say'>,
  options: Options,
  filter: EventFilter,
): Promise<ConsumerOptions | undefined> {
  const [command, address, typed] = ['exec', 'forward', 'consumer'].map((name) => textOption(options, name));
  if (typed !== undefined && !/^[\w.:-]{1,60}$/.test(typed))
    throw new MacroError('usage', `'${typed}' cannot be the name of a consumer.`, {
      hint: 'Names are letters, digits, dots, colons, dashes and underscores, at most 60.',
    });
  if (command !== undefined && address !== undefined)
    throw new MacroError('usage', '--exec and --forward are two consumers, each with a cursor of its own.', {
      hint: 'Start the program once for each; both read the same journal.',
    });
  const longest = readExecTime(options, command) * 1000;
  const passed = readExecEnv(options, command);
  const { currencies, indicators, ...fresh } = filter;
  const filters = [currencies, indicators, ...Object.entries(fresh)];
  if (command !== undefined) {
    await refuseUseless(command, platform);
    return {
      name: typed ?? consumerName('exec', command, filters),
      handle: execHandler(command, {
        ...platform,
        env: childEnv(platform, passed),
        longest,
        hear: (line) => say(line, 'exec_output'),
      }),
    };
  }
  if (address !== undefined)
    return {
      name: typed ?? consumerName('forward', address, filters),
      handle: forwardHandler(address, platform.fetch),
    };
  return typed === undefined ? undefined : { name: typed, handle: undefined };
}

/** Refuses what never dealt with an event. A shell runs an empty command and is content: every event would count as dealt with. */
async function refuseUseless(command: string, platform: App['platform']): Promise<void> {
  if (command.trim() !== '') return refuseMissing(command, platform);
  throw new MacroError('usage', 'The command of --exec is empty.', {
    code: 'bad_arguments',
    hint: "For example --exec './on-release.sh'; without --exec events are only printed.",
  });
}

/** Seconds. */
function readExecTime(options: Options, command: string | undefined): number {
  const text = textOption(options, 'exec-timeout');
  if (text === undefined) return USUAL_TIME;
  const seconds = readDuration(text, '--exec-timeout');
  if (command !== undefined && seconds >= 1 && seconds <= MOST_TIME) return seconds;
  throw new MacroError(
    'usage',
    `--exec-timeout ${text} ${command === undefined ? 'is for --exec' : 'is no time for a command'}.`,
    { code: 'bad_arguments', hint: 'Give --exec CMD, and from a second to a day: 30s, 10m, 2h.' },
  );
}

function readExecEnv(options: Options, command: string | undefined): readonly string[] {
  const text = textOption(options, 'exec-env');
  if (text === undefined) return [];
  if (command !== undefined) return readVariableNames(text);
  throw new MacroError('usage', '--exec-env is for --exec.', {
    code: 'bad_arguments',
    hint: 'Give --exec CMD; it gets the named variables.',
  });
}

export function lineHandler(
  lines: Lines,
  textOf: (event: JournalEvent) => Promise<string> = async ({ text }) => text,
): Handler {
  return async (event) => {
    lines.write(await textOf(event));
    await Promise.race([lines.failed, lines.written()]);
    return undefined;
  };
}

export interface Handling {
  readonly mirror: Mirror;
  readonly consumer: { readonly name: string; readonly handle: Handler };
  readonly filter: EventFilter;
  /** The source of the events of a consumer that takes only live ones. */
  readonly live?: LiveFeed | undefined;
  /** Where a new consumer begins. */
  readonly from: number;
  readonly signal: AbortSignal;
  /** Nothing more will come. */
  readonly isOver?: () => boolean;
  /** The consumer's lock, where it was taken before; it is given back at the end. */
  readonly lock?: SyncLock | undefined;
}

/** Handles the events of a consumer, yields the handled ones, and refuses a second program of the same consumer. */
export async function* handleEvents(
  app: App,
  { mirror, consumer: { name, handle }, filter, lock: consumerLock, ...rest }: Handling,
): AsyncGenerator<JournalEvent, void> {
  const { clock } = app.platform;
  const onFailure = ({ attempts, error, nextAt }: Failure, { id }: JournalEvent) => {
    const aside = `set aside, and the next one is taken: macro webhooks replay --consumer ${name}, with the same --exec or --forward`;
    const then = nextAt === undefined ? aside : `tried again at ${isoSeconds(Math.ceil(nextAt / 1000))}`;
    return app.warn(`${id} was not dealt with (try ${attempts}): ${error}; ${then}`, 'not_dealt_with');
  };
  const lock = consumerLock ?? (await mirror.lockConsumer(name));
  try {
    const telling = tellingWaits(app, handle);
    const alone: Handler = async (event) => {
      // Whoever has the lock by now deals with it.
      await retrying(clock, () => lock.requireHeld());
      return telling(event);
    };
    yield* consume({ mirror, clock, handle: alone, onFailure }, { name, ...filter, ...rest });
  } finally {
    await lock.release();
  }
}

/** An end waits for the event that is under way, which may take minutes: it says so. */
function tellingWaits({ signal, note }: Pick<App, 'signal' | 'note'>, handle: Handler): Handler {
  return async (event) => {
    const tell = () =>
      void note(`Waiting for ${event.id} to be dealt with; a second Ctrl-C ends at once.`, 'waiting_for_event');
    signal.addEventListener('abort', tell, { once: true });
    try {
      return await handle(event);
    } finally {
      signal.removeEventListener('abort', tell);
    }
  };
}
