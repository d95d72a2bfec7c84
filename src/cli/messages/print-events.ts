import { toJsonText } from '../../contract/json/json.ts';
import { isoSeconds } from '../../contract/time/time.ts';
import type { Lost } from '../../events/catch-up.ts';
import type { Handler } from '../../events/consume/handler.ts';
import { followJournal } from '../../events/follow.ts';
import type { LiveFeed } from '../../events/live.ts';
import { isTooOld } from '../../events/too-old.ts';
import type { JournalEvent } from '../../mirror/api/journal.ts';
import type { Mirror } from '../../mirror/api/mirror.ts';
import type { App } from '../app/app.ts';
import { dataKindNote } from '../app/data-kind.ts';
import { type ConsumerOptions, handleEvents, lineHandler } from '../commands/stream/consuming.ts';
import type { Lines } from '../output/lines.ts';
import { releaseLine } from '../output/release-line.ts';
import type { EventFilter } from '../parse/event-filter.ts';

export interface Printing {
  readonly mirror: Mirror;
  readonly lines: Lines;
  readonly filter: EventFilter;
  readonly consumer: ConsumerOptions | undefined;
  readonly maxEvents: number | undefined;
  /** One line a release, for people. */
  readonly isForPeople: boolean;
  /** Position behind which one begins who has no cursor. */
  readonly after: number;
  /** Has the events where nothing else is wanted. */
  readonly feed: LiveFeed | undefined;
  readonly signal: AbortSignal;
  /** Nothing more will come. */
  readonly isOver: () => boolean;
  /** Told of each event whose line is written. */
  readonly onPrinted?: (event: JournalEvent) => Promise<void>;
}

/**
 * Prints events of the journal, those of a consumer once they are dealt with; ends when there were as many as wanted. A
 * consumer that is nothing but a reader has dealt with an event when its line is written.
 */
export async function printEvents(app: App, printing: Printing): Promise<void> {
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
  const { mirror, filter, after, feed, signal, isOver } = printing;
  const options = { ...filter, signal, isOver };
  const events = feed?.events(options) ?? followJournal({ mirror, clock }, { ...options, after });
  for await (const event of events) if (!isTooOld(event, filter.maxAge, clock.now())) yield event;
}

/**
 * A hole for good is told in the place where it is: a line of its own among the events. Whoever wants live events only has
 * none there.
 */
export async function noteGap(
  app: App,
  { lines, filter, isForPeople }: Pick<Printing, 'lines' | 'filter' | 'isForPeople'>,
  { id, from, to, reason }: Lost,
): Promise<void> {
  const [first, last] = [from, to].map((seconds) => (seconds === undefined ? null : isoSeconds(seconds)));
  const sentence = `events from ${first ?? 'an unknown time'} to ${last ?? 'now'} cannot be had any more: ${reason}`;
  if (!isForPeople && !filter.isLive) lines.write(toJsonText({ gap: { id, from: first, to: last, reason } }));
  await app.warn(`${sentence}; their values are in the histories: macro sync`, 'values_missing');
}
