import type { Journal } from '../api/journal.ts';
import { once } from '../core/once.ts';
import type { SqliteConnection } from '../sqlite/connect.ts';
import type { OpenFile } from '../sqlite/open-file.ts';
import { followerStatements } from './journal-followers.ts';
import { gapStatements } from './journal-gaps.ts';
import { journalReader } from './journal-reader.ts';

/** The journal of an open file; its statements are made when it is first asked, since most programs never do. */
export function journalOver(db: SqliteConnection, file: OpenFile): Journal {
  const statements = once(() => ({ ...journalReader(db), ...followerStatements(db), ...gapStatements(db) }));
  const run = async <T>(work: (to: ReturnType<typeof statements>) => T): Promise<T> =>
    file.run(() => work(statements()));
  return {
    events: (ask) => run((to) => to.events(ask)),
    event: (id) => run((to) => to.event(id)),
    newest: () => run((to) => to.newest()),
    subjects: (after) => run((to) => to.subjects(after)),
    consumers: () => run((to) => to.consumers()),
    consumer: (name) => run((to) => to.consumer(name)),
    moveConsumer: (name, position, at) => run((to) => to.moveConsumer(name, position, at)),
    noteFailure: (failure) => run((to) => to.noteFailure(failure)),
    failures: (consumer) => run((to) => to.failures(consumer)),
    forgetFailure: (consumer, position) => run((to) => to.forgetFailure(consumer, position)),
    noteGap: (gap) => run((to) => to.noteGap(gap)),
    closeGap: (id, at) => run((to) => to.closeGap(id, at)),
    gaps: (limit) => run((to) => to.gaps(limit)),
  };
}
