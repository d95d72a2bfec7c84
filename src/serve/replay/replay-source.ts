// A source that answers as the service did at the moment that its clock shows.
import type { Source } from '../../source/source.ts';

const EVENTS = 'announcements_changes';

export interface ReplaySources {
  /** Holds the whole history. */
  readonly history: Source;
  /** Holds the events that were told so far. */
  readonly events: Source;
  /** The real present in milliseconds. */
  readonly present: () => number;
}

/** A clock that shows the real present was read a little before the real one is. */
const READ_BEFORE_MS = 1_000;

/**
 * Makes a source that knows nothing later than the moment of a question. Events come from where the stream and the webhooks
 * read them; everything else is what was public then, as far as the mirror knows what was public at a moment of the past.
 */
export function createReplaySource({ history, events, present }: ReplaySources): Source {
  return {
    ask(question, replayed) {
      if (question.endpoint.id === EVENTS) return events.ask(question, replayed);
      const { now } = replayed;
      const presentAt = present();
      const context = { ...replayed, presentAt: isJustBefore(now, presentAt) ? now : presentAt };
      const { as_of: seconds } = question.args;
      // A question about an earlier moment keeps it; one about a later moment gets what is known now.
      if (typeof seconds === 'number' && seconds * 1000 <= now) return history.ask(question, context);
      return history.ask(question, { ...context, asOf: { at: now, by: 'public' } });
    },
  };
}

function isJustBefore(moment: number, presentAt: number): boolean {
  return moment <= presentAt && presentAt - moment < READ_BEFORE_MS;
}
