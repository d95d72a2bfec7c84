import type { StreamMessage } from '../client/stream/messages.ts';
import { isoSeconds } from '../contract/time/time.ts';
import type { NewRow } from '../mirror/api/page-commit.ts';
import { retrying } from '../mirror/rules/failures.ts';
import type { Clock } from '../platform/platform.ts';
import type { CatchUp, CaughtUp } from './catch-up.ts';
import type { LiveFeed } from './follow.ts';

interface ReceiveParts {
  readonly record: (row: NewRow, synthetic: boolean) => Promise<unknown>;
  readonly catchUp: CatchUp;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
  /** Hears of what the stream itself tells. */
  readonly live?: LiveFeed | undefined;
  /** Called with notes for a person. */
  readonly tell: (sentence: string) => Promise<void>;
}

/**
 * Stores a stream. Asks for changes at each connection and gap before anything else, so that completeness only grows.
 */
export async function receiveStream(
  messages: AsyncIterable<StreamMessage>,
  { record, catchUp, clock, live, tell }: ReceiveParts,
): Promise<void> {
  for await (const one of messages) {
    switch (one.kind) {
      case 'open':
        await tell(connectedText(await catchUp.run('the stream was not connected')));
        break;
      case 'event':
        await retrying(clock, () => record(one.row, one.synthetic));
        await catchUp.seen(Number(one.row.value.timestamp));
        await live?.printed(String(one.row.value.event_id));
        break;
      case 'gap':
        await catchUp.run(`the stream has a gap: ${one.reason}`);
        break;
      case 'unreadable':
        await tell(`An event of the stream cannot be read: ${one.problem}. Changes are asked for it.`);
        await catchUp.run('an event of the stream could not be read');
        break;
      case 'beat':
        await catchUp.silent();
        break;
      case 'lost':
        await live?.lost();
        await tell(`${one.reason}; connecting again in ${Math.ceil(one.pause / 1000)} s`);
        break;
    }
    await catchUp.again();
  }
}

/** Says that a connection is open, since when all events are known, and what had to be asked for. */
function connectedText(caught: CaughtUp | undefined): string {
  if (!caught) return 'Connected. Earlier events cannot be fetched now; the program tries again.';
  const { since, missed } = caught;
  const what =
    missed === 0 ? 'nothing was missed' : `${missed} missed ${missed === 1 ? 'event was' : 'events were'} asked for`;
  return `Connected. All events since ${isoSeconds(since)} are known; ${what}.`;
}
