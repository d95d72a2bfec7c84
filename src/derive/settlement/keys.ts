import type { Compose, Composed, HookContext, LoadedSeries } from '../../contract/hooks.ts';
import { type JsonText, toJsonText } from '../../contract/json/json.ts';
import { byOrigin } from '../announcements/series-choice.ts';

/**
 * Public keys: those of the services whose records are stored, as published, and those that answers of this server are
 * signed with. A server without any has an empty list.
 */
export const composeKeys: Compose<Readonly<Record<never, never>>> = {
  version: 1,
  signs: true,
  needs: 'none',
  reads: () => [{ endpoint: 'settlement_keys', scope: {} }],
  build: buildKeys,
};

function buildKeys(loaded: readonly LoadedSeries[], { signing, now }: HookContext<unknown>): Composed {
  const published = [...loaded].sort(byOrigin);
  const byId = new Map<string, JsonText>();
  for (const { rows } of published)
    for (const { columns, text } of rows) if (!byId.has(String(columns.key_id))) byId.set(String(columns.key_id), text);
  for (const key of signing?.keys(now) ?? []) byId.set(key.key_id, toJsonText(key));
  const rows = [...byId].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text);
  return { envelope: { ...published[0]?.envelope, count: rows.length }, rows, total: rows.length };
}
