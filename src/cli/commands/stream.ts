import type { Handler } from '../../consume/handler.ts';
import { needsKey } from '../../contract/access.ts';
import { toJsonText } from '../../contract/json.ts';
import { isoSeconds } from '../../contract/time.ts';
import stream from '../../endpoints/events/stream.ts';
import { MacroError } from '../../errors.ts';
import type { Lost } from '../../journal/catch-up.ts';
import { followJournal } from '../../journal/follow.ts';
import type { JournalEvent } from '../../mirror/journal.ts';
import type { Mirror } from '../../mirror/mirror.ts';
import type { App } from '../app.ts';
import { type Call, isOn, textOption } from '../command.ts';
import { type Consumer, handleEvents, lineHandler, readConsumer } from '../consuming.ts';
import { readCount } from '../counts.ts';
import { readDuration } from '../durations.ts';
import { type EventFilter, filterOf, readStreamArgs } from '../event-filter.ts';
import { fetchDue } from '../fetch-due.ts';
import { noteUnknownWords } from '../known-words.ts';
import { tellNature } from '../nature.ts';
import { readFormat } from '../output/format.ts';
import { createLines, type Lines } from '../output/lines.ts';
import { releaseLine } from '../output/release-line.ts';
import { openStreamSide } from '../stream-side.ts';
import { noWords } from './only-word.ts';
import { liveSide } from './sync-run.ts';

interface Asked {
  readonly filter: EventFilter;
  readonly consumer: Consumer | undefined;
  readonly payload: string;
  readonly maxEvents: number | undefined;
  /** Milliseconds. */
  readonly maxSilence: number | undefined;
  /** The series that events name are fetched. */
  readonly fetches: boolean;
  /** One line a release, for people. */
  readonly isForPeople: boolean;
}

/**
 * Follows the stream until it is interrupted. Walk: what was missed since the last time is asked for; from then on every
 * event that enters the journal is printed, whatever brought it: the stream, changes that fill a hole, or another program.
 */
export async function streamEvents(app: App, call: Call): Promise<void> {
  noWords(call, 'stream');
  const live = await liveSide(app, 'background');
  const asked = readAsked(app, call, live.client.access === 'keyless');
  await noteUnknownWords(app, asked.filter);
  const mirror = await app.writable();
  const lines = createLines(app);
  const lost: Lost[] = [];
  const side = await openStreamSide(app, live, mirror, {
    payload: asked.payload,
    maxSilence: asked.maxSilence,
    async onGap(gap) {
      lost.push(gap);
      await tellGap(app, lines, gap, asked);
    },
  });
  await side.catchUp.run('macro stream did not run');
  const after = await mirror.journal.newest();
  await app.note('Each connection, and each look for what was missed, is a request of the quota.');
  if (live.client.access === 'keyless')
    await app.note('Without an API key there are releases of USD only, a quarter of an hour after they are out.');
  const stop = new AbortController();
  const signal = AbortSignal.any([app.signal, stop.signal]);
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  const follow = { mirror, after, signal, isOver: () => isOver };
  const receiving = side.receive(signal).then(end);
  const printing = printEvents(app, { ...follow, lines, asked }).then(end);
  const fetching = asked.fetches ? fetchDue(app, { ...follow, live: async () => live }) : Promise.resolve();
  const ended = Promise.all([printing, fetching]);
  try {
    await Promise.race([ended, failureOf(receiving), lines.failed]);
  } finally {
    stop.abort();
    await Promise.allSettled([receiving, printing, fetching]);
    await lines.written();
  }
  if (lost.length > 0) throw incomplete(lost);
}

/** Never ends well: only its failure is waited for. */
async function failureOf(work: Promise<unknown>): Promise<never> {
  await work;
  return new Promise(() => undefined);
}

function readAsked(app: App, { options }: Call, isKeyless: boolean): Asked {
  const args = readStreamArgs(options, app.platform.clock.now());
  if (isKeyless && needsKey(stream.access, args))
    throw new MacroError('auth', 'Without an API key the stream has releases of USD only.', {
      code: 'api_key_required',
      hint: 'Store a key with: macro auth login, or give it in MACRO_API_KEY.',
    });
  const filter = filterOf(args);
  const silence = textOption(options, 'max-stale');
  return {
    filter,
    consumer: readConsumer(app, options, filter),
    payload: String(args.payload),
    maxEvents: readCount(options, 'max-events', 1),
    maxSilence: silence === undefined ? undefined : readDuration(silence, '--max-stale') * 1000,
    fetches: !isOn(options, 'no-fetch'),
    isForPeople: isForPeople(app, textOption(options, 'format')),
  };
}

function isForPeople({ platform }: App, format: string | undefined): boolean {
  if (format === undefined) return platform.io.stdout.isTerminal;
  const word = readFormat(format);
  if (word === 'table' || word === 'ndjson' || word === 'json') return word === 'table';
  throw new MacroError('usage', `Events that are still to come cannot be written as ${word}.`, {
    code: 'unknown_format',
    hint: 'Formats are ndjson (one event a line) and table (one line for people).',
  });
}

interface Printing {
  readonly mirror: Mirror;
  readonly lines: Lines;
  readonly asked: Asked;
  readonly after: number;
  readonly signal: AbortSignal;
  /** Nothing more will come. */
  readonly isOver: () => boolean;
}

/**
 * Prints events of the journal, those of a consumer once they are dealt with; ends when there were as many as wanted. A
 * consumer that is nothing but a reader has dealt with an event when its line is written.
 */
async function printEvents(app: App, printing: Printing): Promise<void> {
  const { mirror, lines, asked } = printing;
  const { maxEvents = Number.POSITIVE_INFINITY, isForPeople } = asked;
  const print = lineHandler(lines, async (event) => (isForPeople ? releaseLine(event, mirror) : event.text));
  const isPrinter = asked.consumer !== undefined && asked.consumer.handle === undefined;
  let printed = 0;
  for await (const event of eventsFor(app, printing, print)) {
    if (printed === 0) await tellNature(app, mirror);
    if (!isPrinter) await print(event);
    printed += 1;
    if (printed >= maxEvents) return;
  }
}

function eventsFor(app: App, printing: Printing, print: Handler): AsyncGenerator<JournalEvent, void> {
  const { mirror, asked, after, signal, isOver } = printing;
  const { filter, consumer } = asked;
  if (!consumer) return followJournal({ mirror, clock: app.platform.clock }, { after, ...filter, signal, isOver });
  const { name, handle = print } = consumer;
  return handleEvents(app, { mirror, consumer: { name, handle }, filter, from: after, signal, isOver });
}

/** A hole for good is told in the place where it is: a line of its own among the events. */
async function tellGap(app: App, lines: Lines, { id, from, to, reason }: Lost, { isForPeople }: Asked): Promise<void> {
  const [first, last] = [from, to].map((seconds) => (seconds === undefined ? null : isoSeconds(seconds)));
  const sentence = `events from ${first ?? 'an unknown time'} to ${last ?? 'now'} cannot be had any more: ${reason}`;
  if (!isForPeople) lines.write(toJsonText({ gap: { id, from: first, to: last, reason } }));
  await app.warn(`${sentence}; their values are in the histories: macro sync`);
}

function incomplete(lost: readonly Lost[]): MacroError {
  const count = lost.length === 1 ? 'A gap' : `${lost.length} gaps`;
  return new MacroError('stale', `${count} of the events could not be filled.`, {
    code: 'gap',
    hint: 'macro journal --gaps lists them; macro sync brings the values that they announced.',
  });
}
