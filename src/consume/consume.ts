import { type FollowAsk, followJournal } from '../journal/follow.ts';
import { insist } from '../mirror/insist.ts';
import type { Failure, JournalEvent } from '../mirror/journal.ts';
import type { Mirror } from '../mirror/mirror.ts';
import type { Clock } from '../platform/platform.ts';
import type { Handler } from './handler.ts';

export interface ConsumeParts {
  readonly mirror: Pick<Mirror, 'journal' | 'version'>;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
  readonly handle: Handler;
  /** Told of every failure; one without `nextAt` is set aside. */
  readonly onFailure: (failure: Failure, event: JournalEvent) => Promise<void>;
}

export interface Consuming extends Omit<FollowAsk, 'after'> {
  /** Its cursor has this name. */
  readonly name: string;
  /** Where it begins when it was never seen. */
  readonly from: number;
}

/** Milliseconds after each failure until the next try; then the event is set aside. */
const WAITS = [1_000, 5_000, 30_000, 120_000, 600_000] as const;

/**
 * Gives a consumer its events, one after the other, first what the journal holds past its cursor. The cursor moves when an
 * event is dealt with, or set aside after the last try; whatever ends the program before that, the event comes again. Yields
 * each event that was dealt with. An end that is wanted waits for the event that is under way, and what came of it is noted
 * even if the mirror is locked for a while: else it would come again.
 */
export async function* consume(parts: ConsumeParts, asked: Consuming): AsyncGenerator<JournalEvent, void> {
  const { mirror, clock } = parts;
  const { name, from, ...wish } = asked;
  const { journal } = mirror;
  const known = await journal.consumer(name);
  if (!known) await journal.moveConsumer(name, from, clock.now());
  for await (const event of followJournal({ mirror, clock }, { ...wish, after: known?.position ?? from })) {
    const isDone = await attempt(parts, asked, event);
    await insist(clock, () => journal.moveConsumer(name, event.position, clock.now()));
    if (isDone) yield event;
  }
}

/** Tries until it goes well, or for the last time; false when the event is set aside. Tries of earlier runs count. */
async function attempt(
  { mirror: { journal }, clock, handle, onFailure }: ConsumeParts,
  { name, signal }: Consuming,
  event: JournalEvent,
): Promise<boolean> {
  const { position } = event;
  const before = (await journal.failures(name)).find((failure) => failure.position === position);
  let attempts = before?.attempts ?? 0;
  if (before?.nextAt !== undefined) await clock.sleep(Math.max(0, before.nextAt - clock.now()), signal);
  for (;;) {
    const error = await handle(event);
    if (error === undefined) {
      if (attempts > 0) await insist(clock, () => journal.forgetFailure(name, position));
      return true;
    }
    const wait = WAITS[attempts];
    const failedAt = clock.now();
    const nextAt = wait === undefined ? undefined : failedAt + wait;
    const noted = { consumer: name, position, error, failedAt, nextAt };
    const failure = await insist(clock, () => journal.noteFailure(noted));
    attempts = failure.attempts;
    await onFailure(failure, event);
    if (wait === undefined) return false;
    await clock.sleep(wait, signal);
  }
}
