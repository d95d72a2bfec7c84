import { setImmediate } from 'node:timers/promises';
import type { ViewAsk, ViewCell, ViewPage } from '../api/mirror.ts';
import type { Shared } from '../rules/tables.ts';
import { viewFor } from '../rules/views.ts';
import { BUSY_TIMEOUT, connectForReading } from './connect.ts';
import { translating } from './failures.ts';
import { requireOwnVersion } from './version.ts';

/** Reads rows of some series of a mirror file as a view shows them. */
export async function readView(shared: Shared, ask: ViewAsk, take: (page: ViewPage) => void): Promise<void> {
  const { path } = shared;
  const db = translating(path, () => connectForReading(path, BUSY_TIMEOUT));
  try {
    db.exec('begin');
    requireOwnVersion(db, path);
    const rows = db.prepare<[number], ViewCell[]>(viewFor(ask, shared).rows).raw().safeIntegers();
    for (const series of ask.series) {
      let page: ViewCell[][] = [];
      for (const row of rows.iterate(series)) {
        page.push(row);
        if (page.length < ask.page) continue;
        take(page);
        page = [];
        // Lets an abort come in.
        await setImmediate();
        ask.signal.throwIfAborted();
      }
      if (page.length > 0) take(page);
    }
  } finally {
    db.close();
  }
}
