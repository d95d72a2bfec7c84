import { createHash } from 'node:crypto';
import type { Failure, Journal, JournalEvent } from '../mirror/api/journal.ts';
import type { Mirror } from '../mirror/api/mirror.ts';
import { retrying } from '../mirror/rules/failures.ts';
import type { Clock } from '../platform/platform.ts';
import { eventAt, type FollowJournalOptions, followJournal, isTooOld, type LiveFeed } from './follow.ts';

interface ConsumeParts {
  readonly mirror: Pick<Mirror, 'journal' | 'look' | 'state' | 'flush'>;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
  readonly handle: Handler;
  /** Called with every failure; a failure without `nextAt` is set aside. */
  readonly onFailure: (failure: Failure, event: JournalEvent) => Promise<void>;
}

export interface Consuming extends Omit<FollowJournalOptions, 'after'> {
  /** Its cursor has this name. */
  readonly name: string;
  /** Where it begins when it was never seen. */
  readonly from: number;
  /** It takes nothing but what the stream tells of as it happens; what it leaves out does not come later. */
  readonly live?: LiveFeed | undefined;
  /** Milliseconds since its processing after which an event is not tried, or not again. */
  readonly maxAge?: number | undefined;
}

/** Milliseconds after each failure until the next try; then the event is set aside. */
const WAITS = [1_000, 5_000, 30_000, 120_000, 600_000] as const;

/**
 * Handles one event; returns why it could not, as a sentence without its full stop. An error that it throws ends the
 * consumer.
 */
export type Handler = (event: JournalEvent) => Promise<string | undefined>;

interface ReplayParts {
  readonly journal: Journal;
  readonly clock: Pick<Clock, 'now'>;
  readonly handle: Handler;
}

/** How an event fared. */
export interface Replayed {
  readonly event: JournalEvent;
  /** Undefined when it was dealt with. */
  readonly error: string | undefined;
}

/**
 * Gives a consumer its events in order and yields the handled ones. The cursor moves after an event is done or set
 * aside; a crash repeats it. An abort waits for the current event and records its result.
 */
export async function* consume(parts: ConsumeParts, options: Consuming): AsyncGenerator<JournalEvent, void> {
  const { mirror, clock } = parts;
  const { name, from, live, ...filter } = options;
  const { journal } = mirror;
  const known = await journal.consumer(name);
  if (!known || live) await journal.moveConsumer(name, from, clock.now());
  if (live) await leaveBehind(parts, name);
  const cursor = async () => (await journal.consumer(name))?.position ?? from;
  const after = known?.position ?? from;
  const events = live?.events(filter) ?? followJournal({ mirror, clock }, { ...filter, after, cursor });
  for await (const event of events) {
    const isDone = await attempt(parts, options, event);
    await retrying(clock, () => journal.moveConsumer(name, event.position, clock.now(), event.id));
    await mirror.flush();
    if (isDone) yield event;
  }
}

/** Sets aside the events that wait for another try: their stream has ended. */
async function leaveBehind(parts: ConsumeParts, name: string): Promise<void> {
  const { journal } = parts.mirror;
  for (const failure of await journal.failures(name)) {
    const event = failure.nextAt === undefined ? undefined : await eventAt(journal, failure.position);
    if (event) await giveUp(parts, failure, event);
  }
}

async function giveUp({ mirror, clock, onFailure }: ConsumeParts, failure: Failure, event: JournalEvent) {
  const error = `${failure.error}; too old for another try`;
  const noted = { ...failure, error, failedAt: clock.now(), nextAt: undefined };
  await onFailure(await retrying(clock, () => mirror.journal.noteFailure(noted)), event);
}

/** Tries an event until it is done or set aside (false); tries of earlier runs count. */
async function attempt(parts: ConsumeParts, options: Consuming, event: JournalEvent): Promise<boolean> {
  const { mirror, clock, handle, onFailure } = parts;
  const { name, signal, maxAge } = options;
  const { journal } = mirror;
  const { position } = event;
  const before = (await journal.failures(name)).find((failure) => failure.position === position);
  let attempts = before?.attempts ?? 0;
  const nextTry = Math.max(clock.now(), before?.nextAt ?? 0);
  if (isTooOld(event, maxAge, nextTry)) {
    if (before?.nextAt !== undefined) await giveUp(parts, before, event);
    return false;
  }
  if (before?.nextAt !== undefined) await clock.sleep(nextTry - clock.now(), signal);
  for (;;) {
    const error = await handle(event);
    if (error === undefined) {
      if (attempts > 0) await retrying(clock, () => journal.forgetFailure(name, position));
      return true;
    }
    const failedAt = clock.now();
    const wait = WAITS[attempts];
    const nextAt = wait === undefined || isTooOld(event, maxAge, failedAt + wait) ? undefined : failedAt + wait;
    const noted = { consumer: name, position, error, failedAt, nextAt };
    const failure = await retrying(clock, () => journal.noteFailure(noted));
    attempts = failure.attempts;
    await onFailure(failure, event);
    if (nextAt === undefined) return false;
    await clock.sleep(nextAt - failedAt, signal);
  }
}

/** The events that a consumer set aside, oldest first. */
export async function setAside(journal: Journal, name: string): Promise<readonly JournalEvent[]> {
  const events: JournalEvent[] = [];
  for (const { position, nextAt } of await journal.failures(name)) {
    const event = nextAt === undefined ? await eventAt(journal, position) : undefined;
    if (event) events.push(event);
  }
  return events;
}

/** Tries an event once more; its cursor is not touched. */
export async function replayEvent(
  { journal, clock, handle }: ReplayParts,
  name: string,
  event: JournalEvent,
): Promise<Replayed> {
  const { position } = event;
  const error = await handle(event);
  if (error === undefined) await journal.forgetFailure(name, position);
  else await journal.noteFailure({ consumer: name, position, error, failedAt: clock.now(), nextAt: undefined });
  return { event, error };
}

/** The name of a consumer that nobody named: the same for the same command, or address, and filters. */
export function consumerName(kind: 'exec' | 'forward', what: string, filters: readonly unknown[]): string {
  const text = JSON.stringify([what, ...filters.map((filter) => filter ?? null)]);
  return `${kind}-${createHash('sha256').update(text, 'utf8').digest('hex').slice(0, 8)}`;
}
