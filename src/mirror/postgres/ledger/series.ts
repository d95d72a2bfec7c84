import type { SeriesRef } from '../../../contract/hooks.ts';
import type { SeriesKey, StoredSeries } from '../../api/series.ts';
import { isWhole, scopeText, storedSeriesOf } from '../../ledger/series.ts';
import type { ServerConnection } from '../connection.ts';

/** Finds series by reference. `scopeNames` are all names that series of the endpoint can have. */
export async function findServerSeries(
  { ledger }: ServerConnection,
  ref: SeriesRef,
  scopeNames: readonly string[],
): Promise<readonly StoredSeries[]> {
  const all = ledger.selectFrom('series').selectAll('series').where('endpoint', '=', ref.endpoint).orderBy('series.id');
  if (isWhole(ref, scopeNames))
    return (await all.where('scope', '=', scopeText(ref.scope)).execute()).map(storedSeriesOf);
  const pairs = Object.entries(ref.scope);
  let matching = all;
  for (const [name, value] of pairs)
    matching = matching.where('series.id', 'in', (from) =>
      from.selectFrom('scopes').select('series').where('name', '=', name).where('value', '=', value),
    );
  return (await matching.execute()).map(storedSeriesOf);
}

export async function serverSeriesOf({ ledger }: ServerConnection, key: SeriesKey): Promise<StoredSeries | undefined> {
  const row = await ledger
    .selectFrom('series')
    .selectAll()
    .where('endpoint', '=', key.endpoint)
    .where('scope', '=', scopeText(key.scope))
    .where('origin', '=', key.origin)
    .executeTakeFirst();
  return row && storedSeriesOf(row);
}

/** Makes a series known; gives its id. */
export async function addSeries(
  { ledger }: ServerConnection,
  key: SeriesKey,
  { commit, at }: { commit: number; at: number },
): Promise<number> {
  const { endpoint, origin } = key;
  const { id } = await ledger
    .insertInto('series')
    .values({ endpoint, scope: scopeText(key.scope), origin, generation: commit, checked_at: at })
    .returning('id')
    .executeTakeFirstOrThrow();
  const pairs = Object.entries(key.scope).map(([name, value]) => ({ name, value, series: id }));
  if (pairs.length > 0) await ledger.insertInto('scopes').values(pairs).execute();
  return id;
}
