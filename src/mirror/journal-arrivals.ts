import { readEvent } from '../contract/release-event.ts';
import type { Connection } from './connect.ts';
import type { Via } from './journal.ts';
import type { NewRow } from './mirror.ts';

/**
 * Notes events that came as rows of a changes series. Runs inside the transaction of the commit, so that an event is in the
 * journal when, and only when, changes shows it. Gives the positions of those that are new.
 */
export function arrivalWriter(db: Connection) {
  const find = db
    .prepare<[string, number], number>('select position from journal where event = ? and series = ?')
    .pluck();
  const insert = db.prepare(
    `insert into journal (series, event, timestamp, currency, indicator, release, text)
     values (?, ?, ?, ?, ?, ?, ?)`,
  );
  const arrive = db.prepare('insert or ignore into arrivals (position, via, at) values (?, ?, ?)');

  return (series: number, rows: readonly NewRow[], { via, at }: { via: Via; at: number }): readonly number[] => {
    const fresh: number[] = [];
    for (const row of rows) {
      const { eventId, timestamp, currency, indicator, release, text } = readEvent(row.text);
      const held = find.get(eventId, series);
      const position =
        held ??
        Number(insert.run(series, eventId, timestamp, currency, indicator, release ?? null, text).lastInsertRowid);
      if (held === undefined) fresh.push(position);
      arrive.run(position, via, at);
    }
    return fresh;
  };
}
