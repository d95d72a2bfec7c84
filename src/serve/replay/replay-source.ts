// A source that answers as the service did at the moment that its clock shows.
import type { Source } from '../../source/source.ts';

const EVENTS = 'announcements_changes';

export interface ReplaySources {
  /** Holds the whole history. */
  readonly history: Source;
  /** Holds the events that were told so far. */
  readonly events: Source;
}

/**
 * Makes a source that knows nothing later than the moment of a question. Events come from where the stream and the webhooks
 * read them; everything else is what was public then.
 */
export function createReplaySource({ history, events }: ReplaySources): Source {
  return {
    ask(question, context) {
      if (question.endpoint.id === EVENTS) return events.ask(question, context);
      const { as_of: seconds } = question.args;
      // A question about an earlier moment keeps it; one about a later moment gets what is known now.
      if (typeof seconds === 'number' && seconds * 1000 <= context.now) return history.ask(question, context);
      return history.ask(question, { ...context, asOf: { at: context.now, by: 'public' } });
    },
  };
}
