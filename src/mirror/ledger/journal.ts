import type { Journal } from '../api/journal.ts';
import { eventById, newestPosition, readEvents, subjectsAfter } from './journal-events.ts';
import { forgetFailure, moveConsumer, noteFailure, readConsumers, readFailures } from './journal-followers.ts';
import { closeGap, noteJournalGap, readGaps } from './journal-gaps.ts';
import type { LedgerAccess } from './statements/execute.ts';

/** The journal of a mirror of any engine. */
export function createJournal({ read, change, changeOnce }: LedgerAccess): Journal {
  return {
    events: (ask) => read(() => readEvents(ask)),
    event: (id) => read(() => eventById(id)),
    newest: () => read(newestPosition),
    subjects: (after) => read(() => subjectsAfter({ after })),
    consumers: () => read(() => readConsumers()),
    consumer: async (name) => (await read(() => readConsumers(name)))[0],
    moveConsumer: (name, position, at) => changeOnce(() => moveConsumer(name, position, at)),
    noteFailure: (failure) => changeOnce(() => noteFailure(failure)),
    failures: (consumer) => read(() => readFailures(consumer)),
    forgetFailure: (consumer, position) => changeOnce(() => forgetFailure(consumer, position)),
    noteGap: (gap) => change(() => noteJournalGap(gap)),
    closeGap: (id, at) => changeOnce(() => closeGap(id, at)),
    gaps: (limit) => read(() => readGaps(limit)),
  };
}
