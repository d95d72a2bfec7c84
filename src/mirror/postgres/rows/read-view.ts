import type { ViewAsk, ViewCell, ViewPage } from '../../api/view-ask.ts';
import type { Shared } from '../../core/shared.ts';
import { viewFor } from '../../views/view-for.ts';
import type { ServerConnection } from '../connection.ts';
import { SERVER_VIEWS } from './view-dialect.ts';

/** Reads rows of some series as a view shows them, in the transaction of a seat. */
export async function readServerView(
  connection: ServerConnection,
  shared: Shared,
  { ask, take }: { ask: ViewAsk; take: (page: ViewPage) => void },
): Promise<void> {
  const { rows: sql } = viewFor(ask, shared, SERVER_VIEWS);
  for (const series of ask.series)
    for await (const page of connection.portions<ViewCell[]>({ sql, values: [series], isExact: true }, ask.page)) {
      ask.signal.throwIfAborted();
      take(page);
    }
}
