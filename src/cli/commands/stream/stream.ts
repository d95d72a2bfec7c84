import { DELAY_SECONDS, needsKey } from '../../../contract/access.ts';
import { isoSeconds } from '../../../contract/time/time.ts';
import stream from '../../../endpoints/events/stream.ts';
import { MacroError } from '../../../errors.ts';
import type { Lost } from '../../../events/catch-up.ts';
import { createLiveFeed } from '../../../events/live.ts';
import type { JournalEvent } from '../../../mirror/api/journal.ts';
import type { Mirror } from '../../../mirror/api/mirror.ts';
import type { App, LiveHandle } from '../../app/app.ts';
import { openStreamHandle, type StreamHandle } from '../../app/stream-handle.ts';
import { noteGap, printEvents } from '../../messages/print-events.ts';
import { readFormat } from '../../output/format.ts';
import { createLines, type Lines } from '../../output/lines.ts';
import { readCount } from '../../parse/counts.ts';
import { readDuration } from '../../parse/durations.ts';
import { type EventFilter, filterOf, readStreamArgs } from '../../parse/event-filter.ts';
import { noteUnknownWords } from '../../parse/known-words.ts';
import { isOn, textOption } from '../../parse/options.ts';
import type { Call } from '../command.ts';
import { fetchDue } from '../sync/fetch-due.ts';
import { requireLive } from '../sync/run.ts';
import { type ConsumerOptions, readConsumer } from './consuming.ts';
import { type LastPrinted, noteUnprinted, openLastPrinted } from './last-printed.ts';

interface Asked {
  readonly filter: EventFilter;
  readonly consumer: ConsumerOptions | undefined;
  readonly payload: string;
  readonly maxEvents: number | undefined;
  /** Milliseconds. */
  readonly maxSilence: number | undefined;
  /** The series that events name are fetched. */
  readonly fetches: boolean;
  /** One line a release, for people. */
  readonly isForPeople: boolean;
  /** What came since an earlier stream printed is printed first. */
  readonly resumes: boolean;
}

/**
 * Follows the stream until it is interrupted. Walk: what was missed since the last time is asked for; from then on every
 * event that enters the journal is printed, whatever brought it: the stream, changes that fill a hole, or another program.
 * @throws MacroError of kind `stale`.
 */
export async function streamEvents(app: App, call: Call): Promise<void> {
  const live = await requireLive(app, 'background');
  const options = await readAsked(app, call, live.client.access === 'keyless');
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
  const caught = await handle.catchUp.run('macro stream did not run');
  if (caught && caught.missed > 0)
    await app.note(
      `${caught.missed} events came since ${isoSeconds(caught.since)} while it did not run.`,
      'missed_events',
    );
  await noteTerms(app, live, options.filter);
  await follow(app, { live, mirror, lines, options, handle });
  if (lost.length > 0) throw incomplete(lost);
}

/** What it costs, and what is not there without a key. */
async function noteTerms(app: App, { client }: LiveHandle, { maxAge }: EventFilter): Promise<void> {
  await app.note('Each connection, and each look for what was missed, is a request of the quota.', 'costs_quota');
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

/** Receives, prints and fetches at once, until there were as many events as wanted, or one of the three fails. */
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
  const run = { mirror, after, signal, isOver: () => isOver };
  const from = options.resumes && printed ? { after: printed.position } : {};
  const onPrinted = async (event: JournalEvent) => printed?.note(event);
  const receiving = handle.receive(signal, feed).then(end);
  const printing = printEvents(app, { ...options, ...run, ...from, lines, feed, onPrinted }).then(end);
  const fetching = options.fetches ? fetchDue(app, { ...run, live: async () => live }) : Promise.resolve();
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
): Promise<LastPrinted | undefined> {
  const { consumer, filter, resumes } = options;
  if (consumer || filter.isLive) return undefined;
  const printed = await openLastPrinted(app, mirror, { filter, newest });
  if (!resumes) await noteUnprinted(app, mirror, { filter, after: printed.position });
  return printed;
}

/** Never ends well: only its failure is waited for. */
async function failureOf(work: Promise<unknown>): Promise<never> {
  await work;
  return new Promise(() => undefined);
}

async function readAsked(app: App, { options }: Call, isKeyless: boolean): Promise<Asked> {
  const args = readStreamArgs(options, app.platform.clock.now());
  if (isKeyless && needsKey(stream.access, args))
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
