import { setImmediate } from 'node:timers/promises';
import { BUSY_TIMEOUT, connectForReading } from '../connect.ts';
import { translating } from '../failures.ts';
import { quote } from '../tables.ts';
import type { View } from './views.ts';

export interface ViewAsk {
  /** The mirror file. */
  readonly path: string;
  readonly view: View;
  /** Ids of the series, in the order in which their rows are wanted. */
  readonly series: readonly number[];
  /** Rows at most in one page. */
  readonly page: number;
  readonly signal: AbortSignal;
}

export type ViewCell = string | number | bigint | null;

/** Rows of some series as a view shows them, page by page and all of one state of the mirror, each in its table's order. */
export async function* readView(ask: ViewAsk): AsyncGenerator<readonly (readonly ViewCell[])[]> {
  const db = translating(ask.path, () => connectForReading(ask.path, BUSY_TIMEOUT));
  try {
    const names = ask.view.columns.map(({ name }) => quote(name)).join(', ');
    db.exec('begin');
    const rows = db
      .prepare<[number], ViewCell[]>(`select ${names} from ${quote(ask.view.name)} where series = ?`)
      .raw()
      .safeIntegers();
    for (const series of ask.series) {
      let page: ViewCell[][] = [];
      for (const row of rows.iterate(series)) {
        page.push(row);
        if (page.length < ask.page) continue;
        yield page;
        page = [];
        // Lets the wish to stop come in.
        await setImmediate();
        ask.signal.throwIfAborted();
      }
      if (page.length > 0) yield page;
    }
  } finally {
    db.close();
  }
}
