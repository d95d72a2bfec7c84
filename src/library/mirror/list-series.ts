import { MAPPINGS } from '../../endpoints/index.ts';
import { MacroError } from '../../errors.ts';
import type { MirrorReader } from '../../mirror/api/mirror.ts';
import type { MirroredSeries } from '../api/mirror.ts';

/**
 * The series that a mirror holds, with the ranges of each that are held whole, in the order of the endpoints.
 * @throws MacroError of kind `usage`.
 */
export async function listSeries(reader: MirrorReader, only?: string): Promise<readonly MirroredSeries[]> {
  if (only !== undefined && !Object.hasOwn(MAPPINGS, only))
    throw new MacroError('usage', `No mirror holds series of '${only}'.`, {
      hint: `Legal endpoints: ${Object.keys(MAPPINGS).join(', ')}.`,
    });
  const endpoints = only === undefined ? Object.keys(MAPPINGS) : [only];
  const lists: (readonly MirroredSeries[])[] = [];
  for (const endpoint of endpoints) {
    const found = await reader.find({ endpoint, scope: {} });
    lists.push(
      await Promise.all(
        found.map(async (series) => {
          const proofs = await reader.proofs(series, 'keyless');
          const { scope, origin, checkedAt } = series;
          return {
            ...{ endpoint, scope, origin },
            checkedAt: checkedAt === 0 ? undefined : new Date(checkedAt),
            coverage: proofs.map(({ from, to, rows, provenAt }) => ({
              from,
              to,
              rows,
              confirmedAt: new Date(provenAt),
            })),
          };
        }),
      ),
    );
  }
  return lists.flat();
}
