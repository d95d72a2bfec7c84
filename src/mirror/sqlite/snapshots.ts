import type { MirrorReader } from '../api/mirror.ts';
import type { SqliteConnection } from './database-file.ts';
import { requireOwnVersion } from './own-version.ts';

/** Connections that hold a snapshot at once; further ones wait for their turn. */
const MAX_SNAPSHOTS = 8;

interface Seat {
  readonly db: SqliteConnection;
  readonly reader: MirrorReader;
}

/**
 * Read transactions on connections of their own: one that waits inside never holds up a commit, never sees one, and never
 * mixes with another snapshot.
 */
export function createSnapshots(path: string, open: () => Seat) {
  const seats: Seat[] = [];
  const free: Seat[] = [];
  const waiting: ((seat: Seat) => void)[] = [];

  async function take(): Promise<Seat> {
    const seat = free.pop();
    if (seat) return seat;
    if (seats.length >= MAX_SNAPSHOTS) return new Promise((resolve) => void waiting.push(resolve));
    const opened = open();
    seats.push(opened);
    return opened;
  }

  function give(seat: Seat): void {
    const next = waiting.shift();
    if (next) next(seat);
    else free.push(seat);
  }

  return {
    async run<T>(read: (reader: MirrorReader) => Promise<T>): Promise<T> {
      const seat = await take();
      try {
        seat.db.exec('begin');
        // A transaction stands still from its first read on, which is this one.
        requireOwnVersion(seat.db, path);
        return await read(seat.reader);
      } finally {
        if (seat.db.open && seat.db.inTransaction) seat.db.exec('commit');
        give(seat);
      }
    },
    close() {
      for (const { db } of seats) db.close();
    },
  };
}
