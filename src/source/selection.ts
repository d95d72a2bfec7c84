import type { Endpoint } from '../contract/endpoint.ts';
import { boundsOf } from '../coverage/windows.ts';
import type { KeyValue, Selection } from '../mirror/api/series.ts';
import type { Visibility } from './answer/keyless.ts';

/** The rows of the endpoint's own series that these arguments ask for and this caller may see. */
export function selectionOf(endpoint: Endpoint, visible: Visibility, now: number): Selection {
  const mapping = endpoint.mirror;
  const where: Record<string, KeyValue> = {};
  for (const [param, effect] of Object.entries(mapping?.effects ?? {})) {
    const column = effect.does === 'selects' ? effect.column : undefined;
    const value = visible.args[param];
    if (column === undefined) continue;
    if (typeof value === 'string' || typeof value === 'number') where[column] = value;
  }
  return {
    ...(mapping?.window && boundsOf(mapping.window, visible.args, now)),
    ...(Object.keys(where).length > 0 && { where }),
    ...(visible.cutoff !== undefined && mapping?.release && { releasedBy: visible.cutoff }),
  };
}

/** The rows that the caller may see at all, whatever the window: for neighbours and edges. */
export function everythingVisible(endpoint: Endpoint, visible: Visibility): Selection {
  const { window, release } = endpoint.mirror ?? {};
  return {
    ...(visible.window && window?.unit === 'date' && { from: visible.window.cutoffDate }),
    ...(visible.cutoff !== undefined && release && { releasedBy: visible.cutoff }),
  };
}
