import type { SeriesRef } from '../../../contract/hooks.ts';
import type { HeldSeries, SeriesKey } from '../../api/mirror.ts';
import { heldOf, isWhole, scopeText } from '../../ledger/series.ts';
import type { Seat } from '../connection.ts';

/** Finds series by reference. `scopeNames` are all names that series of the endpoint can have. */
export async function findSeries(
  { ledger }: Seat,
  ref: SeriesRef,
  scopeNames: readonly string[],
): Promise<readonly HeldSeries[]> {
  const all = ledger.selectFrom('series').selectAll('series').where('endpoint', '=', ref.endpoint).orderBy('series.id');
  if (isWhole(ref, scopeNames)) return (await all.where('scope', '=', scopeText(ref.scope)).execute()).map(heldOf);
  const pairs = Object.entries(ref.scope);
  let matching = all;
  for (const [name, value] of pairs)
    matching = matching.where('series.id', 'in', (from) =>
      from.selectFrom('scopes').select('series').where('name', '=', name).where('value', '=', value),
    );
  return (await matching.execute()).map(heldOf);
}

export async function seriesOf({ ledger }: Seat, key: SeriesKey): Promise<HeldSeries | undefined> {
  const row = await ledger
    .selectFrom('series')
    .selectAll()
    .where('endpoint', '=', key.endpoint)
    .where('scope', '=', scopeText(key.scope))
    .where('origin', '=', key.origin)
    .executeTakeFirst();
  return row && heldOf(row);
}

/** Makes a series known; gives its id. */
export async function addSeries(
  { ledger }: Seat,
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
