import { createHash } from 'node:crypto';
import { DELAY_SECONDS, needsKey } from '../../../contract/access.ts';
import { type JsonObject, objectIn, parseObject, toJsonText } from '../../../contract/json/json.ts';
import { addDays, isCalendarDate, isoSeconds } from '../../../contract/time/time.ts';
import { parseDecimal, subtract } from '../../../derive/decimal.ts';
import announcements from '../../../endpoints/announcements/series.ts';
import stream from '../../../endpoints/events/stream.ts';
import { MacroError } from '../../../errors.ts';
import type { Lost } from '../../../events/catch-up.ts';
import type { Handler } from '../../../events/consume.ts';
import { createLiveFeed, followJournal, isTooOld, type LiveFeed } from '../../../events/follow.ts';
import type { JournalEvent } from '../../../mirror/api/journal.ts';
import type { Mirror, MirrorReader } from '../../../mirror/api/mirror.ts';
import { retrying } from '../../../mirror/rules/failures.ts';
import { type App, dataKindNote, type LiveHandle } from '../../app/app.ts';
import { isKeyless } from '../../app/keys.ts';
import { openStreamHandle, type StreamHandle } from '../../app/stream-handle.ts';
import { type EventFilter, filterOf, noteUnknownWords, readStreamArgs } from '../../parse/event-filter.ts';
import { isOn, readCount, readDuration, textOption } from '../../parse/options.ts';
import { readFormat } from '../../print/format.ts';
import { createLines, type Lines } from '../../print/lines.ts';
import { spelled } from '../../print/rows.ts';
import { cleanText } from '../../print/text.ts';
import type { Call, CommandDeclaration, OptionSpec } from '../command.ts';
import { CONSUMING, EVENT_FILTERS, GENERAL, NO_FETCH, SPENDING, STREAM_ADDRESS } from '../common-options.ts';
import { eventsAfter } from '../journal.ts';
import { fetchDue, requireLive } from '../sync/run.ts';
import { handleEvents, lineHandler, readConsumer } from './consuming.ts';

/** Lines that are still to come have no other forms. */
const STREAMED: readonly OptionSpec[] = GENERAL.map((option) =>
  option.name === 'format'
    ? { ...option, words: ['ndjson', 'table'], doc: 'form of a line; default: table on a terminal, ndjson in a pipe' }
    : option,
);

/** Follows releases as they happen. */
export default [
  {
    path: ['stream'],
    summary: 'Follow releases live; store each event once and print it as a line of NDJSON',
    options: [
      `${EVENT_FILTERS}
      --payload WORD (compact|full): how much of each release
      --live-only: only what happens while it is connected: nothing that was missed, also not for a consumer
      --resume: print first what came since a stream last printed in this mirror
      --max-age-ms N: leave out events that were processed longer ago, in milliseconds
      ${CONSUMING}
      --max-stale DUR: end with exit 11 when not a byte came for so long: 90s, 5m
      ${NO_FETCH}
      --max-events N: end after so many events
      ${STREAM_ADDRESS}`,
      SPENDING,
      STREAMED,
    ],
    examples: ['stream --currencies usd', "stream --consumer desk --exec './on-release.sh' --max-stale 5m"],
    changesWords: true,
    run: streamEvents,
  },
] satisfies readonly CommandDeclaration[];

type Asked = Awaited<ReturnType<typeof readAsked>>;

interface Printing extends Pick<Asked, 'filter' | 'consumer' | 'maxEvents' | 'isForPeople'> {
  readonly mirror: Mirror;
  readonly lines: Lines;
  /** Position behind which one begins who has no cursor. */
  readonly after: number;
  /** Has the events if nothing else is requested. */
  readonly feed: LiveFeed | undefined;
  readonly signal: AbortSignal;
  /** See `FollowJournalOptions`. */
  readonly cursor: (() => Promise<number>) | undefined;
  /** Nothing more will come. */
  readonly isOver: () => boolean;
  /** Called with each event whose line is written. */
  readonly onPrinted?: (event: JournalEvent) => Promise<void>;
}

/** Catches up, then prints every new event of the journal. @throws MacroError of kind `stale`. */
async function streamEvents(app: App, call: Call): Promise<void> {
  const options = await readAsked(app, call);
  const live = await requireLive(app, 'background');
  await noteUnknownWords(app, options.filter);
  const mirror = await app.writable();
  const lines = createLines(app);
  const lost: Lost[] = [];
  const handle = await openStreamHandle(app, live, mirror, {
    payload: options.payload,
    maxSilence: options.maxSilence,
    async onGap(gap) {
      if (!options.filter.isLive) lost.push(gap);
      await noteGap(app, { ...options, lines }, gap);
    },
  });
  await handle.catchUp.run('macro stream did not run');
  await noteTerms(app, live, options.filter);
  await follow(app, { live, mirror, lines, options, handle });
  if (lost.length > 0) throw incomplete(lost);
}

async function noteTerms(app: App, { client }: LiveHandle, { maxAge }: EventFilter): Promise<void> {
  await app.note('Each connection and each check for missed events costs one request of the quota.', 'costs_quota');
  if (client.access !== 'keyless') return;
  await app.note(
    'Without an API key there are releases of USD only, a quarter of an hour after they are out.',
    'keyless_stream',
  );
  if (maxAge !== undefined && maxAge < DELAY_SECONDS * 1000)
    await app.warn(`few or none of them are as young as --max-age-ms ${maxAge} wants them by then`, 'not_that_fresh');
}

interface Following {
  readonly live: LiveHandle;
  readonly mirror: Mirror;
  readonly lines: Lines;
  readonly options: Asked;
  readonly handle: StreamHandle;
}

/** Receives, prints and fetches at once, until the requested number of events came or one of the three fails. */
async function follow(app: App, { live, mirror, lines, options, handle }: Following): Promise<void> {
  const { clock } = app.platform;
  const after = await mirror.journal.newest();
  const printed = await printedBefore(app, { mirror, options, newest: after });
  const stop = new AbortController();
  const signal = AbortSignal.any([app.signal, stop.signal]);
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  const feed = options.filter.isLive ? createLiveFeed({ mirror, clock, signal, after }) : undefined;
  const run = { mirror, after, signal, cursor: printed?.cursor, isOver: () => isOver };
  const from = options.resumes && printed ? { after: printed.position } : {};
  const onPrinted = async (event: JournalEvent) => printed?.note(event);
  const receiving = handle.receive(signal, feed).then(end);
  const printing = printEvents(app, { ...options, ...run, ...from, lines, feed, onPrinted }).then(end);
  const fetching = options.fetches
    ? fetchDue(app, { ...run, by: 'macro stream', live: async () => live })
    : Promise.resolve();
  const ended = Promise.all([printing, fetching]);
  try {
    await Promise.race([ended, failureOf(receiving), lines.failed]);
  } finally {
    stop.abort();
    await Promise.allSettled([receiving, printing, fetching]);
    await lines.written();
  }
}

/** How far an earlier stream printed, where nobody else remembers it; says what came since, unless it comes first. */
async function printedBefore(
  app: App,
  { mirror, options, newest }: { readonly mirror: Mirror; readonly options: Asked; readonly newest: number },
) {
  const { consumer, filter, resumes } = options;
  if (consumer || filter.isLive) return undefined;
  const { journal } = mirror;
  const { clock } = app.platform;
  // No lock: two streams may print at once, and the position never moves back.
  const name = nameOf(filter);
  const known = await journal.consumer(name);
  if (!known) await retrying(clock, () => journal.moveConsumer(name, newest, clock.now()));
  const position = known?.position ?? newest;
  if (!resumes) await noteUnprinted(app, mirror, { filter, after: position });
  return {
    position,
    /** The same as the mirror has it now. */
    cursor: async () => (await journal.consumer(name))?.position ?? newest,
    note: ({ position: at, id }: JournalEvent) =>
      retrying(clock, () => journal.moveConsumer(name, at, clock.now(), id)),
  };
}

/** Never ends well: only its failure is waited for. */
async function failureOf(work: Promise<unknown>): Promise<never> {
  await work;
  return new Promise(() => undefined);
}

async function readAsked(app: App, { options }: Call) {
  const args = readStreamArgs(options, app.platform.clock.now());
  if (isKeyless(app) && needsKey(stream.access, args))
    throw new MacroError('auth', 'Without an API key the stream has releases of USD only.', {
      code: 'api_key_required',
      hint: 'Store a key with: macro auth login, or give it in MACRO_API_KEY.',
    });
  const filter = filterOf(args);
  const consumer = await readConsumer(app, options, filter);
  const resumes = isOn(options, 'resume');
  if (resumes && (consumer || filter.isLive))
    throw new MacroError('usage', `--resume is for a stream without ${consumer ? 'a consumer' : '--live-only'}.`, {
      code: 'bad_arguments',
      hint: consumer
        ? 'A consumer goes on by itself where it stopped: leave out --resume.'
        : 'Leave out one of the two.',
    });
  const silence = textOption(options, 'max-stale');
  return {
    filter,
    consumer,
    resumes,
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

function incomplete(lost: readonly Lost[]): MacroError {
  const count = lost.length === 1 ? 'A gap' : `${lost.length} gaps`;
  return new MacroError('stale', `${count} of the events could not be filled.`, {
    code: 'gap',
    hint: 'macro journal --gaps lists them; macro sync brings the values that they announced.',
  });
}

/** No consumer that a person names has a blank in its name. */
function nameOf({ currencies = [], indicators = [] }: EventFilter): string {
  if (currencies.length + indicators.length === 0) return 'macro stream';
  const filters = JSON.stringify([currencies.toSorted(), indicators.toSorted()]);
  return `macro stream ${createHash('sha256').update(filters, 'utf8').digest('hex').slice(0, 8)}`;
}

/** Says how many events came since a stream last printed, and what prints them. */
async function noteUnprinted(
  app: Pick<App, 'warn'>,
  { journal }: Pick<Mirror, 'journal'>,
  { filter, after }: { readonly filter: EventFilter; readonly after: number },
): Promise<void> {
  const { currencies, indicators } = filter;
  const { length: count } = await eventsAfter(journal, { currencies, indicators, after, limit: Infinity });
  if (count === 0) return;
  const words = [
    `macro journal --after ${after} --limit ${count}`,
    ...(currencies ? [`--currencies ${currencies.join(',')}`] : []),
    ...(indicators ? [`--indicators ${indicators.join(',')}`] : []),
  ];
  const came = count === 1 ? '1 event came' : `${count} events came`;
  await app.warn(
    `${came} since macro stream last printed in this mirror. This prints them: ${words.join(' ')}; --resume prints them first`,
    'events_not_printed',
  );
}

/** Prints events until enough are printed. A consumer that only reads is done with an event when its line is written. */
async function printEvents(app: App, printing: Printing): Promise<void> {
  const { mirror, lines, consumer, isForPeople, maxEvents = Number.POSITIVE_INFINITY, onPrinted } = printing;
  const print = lineHandler(lines, async (event) => (isForPeople ? releaseLine(event, mirror) : event.text));
  const isPrinter = consumer !== undefined && consumer.handle === undefined;
  let printed = 0;
  for await (const event of eventsFor(app, printing, print)) {
    if (printed === 0) await dataKindNote(app, mirror);
    if (!isPrinter) await print(event);
    await onPrinted?.(event);
    printed += 1;
    if (printed >= maxEvents) return;
  }
}

function eventsFor(app: App, printing: Printing, print: Handler): AsyncGenerator<JournalEvent, void> {
  const { mirror, filter, consumer, after, feed, signal, isOver } = printing;
  if (!consumer) return unhandled(app, printing);
  const { name, handle = print } = consumer;
  return handleEvents(app, { mirror, consumer: { name, handle }, filter, from: after, live: feed, signal, isOver });
}

/** Events that nobody keeps a cursor for. */
async function* unhandled({ platform: { clock } }: App, printing: Printing): AsyncGenerator<JournalEvent, void> {
  const { mirror, filter, after, feed, signal, cursor, isOver } = printing;
  const options = { ...filter, signal, cursor, isOver };
  const events = feed?.events(options) ?? followJournal({ mirror, clock }, { ...options, after });
  for await (const event of events) if (!isTooOld(event, filter.maxAge, clock.now())) yield event;
}

/** Prints a permanent gap as a line among the events; a reader of live events only has none. */
async function noteGap(
  app: App,
  { lines, filter, isForPeople }: Pick<Printing, 'lines' | 'filter' | 'isForPeople'>,
  { id, from, to, reason }: Lost,
): Promise<void> {
  const [first, last] = [from, to].map((seconds) => (seconds === undefined ? null : isoSeconds(seconds)));
  const sentence = `events from ${first ?? 'an unknown time'} to ${last ?? 'now'} cannot be had any more: ${reason}`;
  if (!isForPeople && !filter.isLive) lines.write(toJsonText({ gap: { id, from: first, to: last, reason } }));
  await app.warn(`${sentence}; their values are in the histories: macro sync`, 'values_missing');
}

/** One release as a person reads it: when, what, the value as published, and how it moved. */
async function releaseLine(event: JournalEvent, mirror: Pick<MirrorReader, 'find' | 'rows'>): Promise<string> {
  const { latest_announcement: latest } = parseObject(event.text);
  const print = objectIn(latest);
  const value = spelled(event.text, 'latest_announcement', 'val');
  const previous =
    spelled(event.text, 'latest_announcement', 'previous_value') ?? (await previousValue(event, print, mirror));
  const period = typeof print.date === 'string' ? print.date : '';
  const moved = previous === undefined ? '' : `(previous ${previous}${changeText(value, previous)})`;
  const parts = [
    isoSeconds(event.release ?? event.timestamp),
    event.currency.toUpperCase(),
    event.indicator,
    period,
    value ?? 'no value',
    moved,
  ];
  return cleanText(parts.filter((part) => part !== '').join('  '));
}

async function previousValue(
  { origin, currency, indicator }: JournalEvent,
  { date }: JsonObject,
  mirror: Pick<MirrorReader, 'find' | 'rows'>,
): Promise<string | undefined> {
  if (typeof date !== 'string' || !isCalendarDate(date)) return undefined;
  const scope = { currency: currency.toUpperCase(), indicator };
  const stored = await mirror.find({ endpoint: announcements.id, scope, exact: true });
  const series = stored.find((one) => one.origin === origin);
  const [before] = series ? await mirror.rows(series, { to: addDays(date, -1) }, { limit: 1, offset: 0 }) : [];
  return before && spelled(before.text, 'val');
}

function changeText(value: string | undefined, previous: string): string {
  const [now, before] = [parseDecimal(value ?? ''), parseDecimal(previous)];
  if (!now || !before) return '';
  const { units, scale } = subtract(now, before);
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0');
  const text = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
  return `, ${units === 0n ? '±' : units < 0n ? '-' : '+'}${text}`;
}
