import type { AsOf } from '../../../contract/time/moments.ts';
import type { KeyValue, Vintage } from '../../api/rows.ts';
import type { RowVersion } from '../row-versions.ts';
import { compareKeys, keyId } from '../rows.ts';
import type { Table } from '../tables.ts';
import type { KeptVintage } from '../vintages.ts';
import type { CommitClock } from './commit-clock.ts';
import { datedOf } from './dated.ts';
import type { Dated } from './dated-value.ts';
import { publicHistory } from './never-public.ts';
import { momentOf } from './past-row.ts';
import type { UndoneDates } from './undone.ts';

/** Vintages of rows by the texts that they had and the entries that they listed; with a moment, those known then. */
export function vintagesOfRow(
  table: Table,
  { stages, listed }: { readonly stages: readonly RowVersion[]; readonly listed: readonly KeptVintage[] },
  {
    clock,
    asOf,
    undone,
  }: { readonly clock: CommitClock; readonly asOf: AsOf | undefined; readonly undone: readonly UndoneDates[] },
): readonly Vintage[] {
  const byKey = new Map<string | number, { stages: RowVersion[]; listed: KeptVintage[] }>();
  const of = (key: readonly KeyValue[]) => {
    const id = keyId(key);
    const found = byKey.get(id) ?? { stages: [], listed: [] };
    byKey.set(id, found);
    return found;
  };
  for (const version of stages) of(version.key).stages.push(version);
  for (const vintage of listed) of(vintage.key).listed.push(vintage);
  const isPublic = asOf === undefined || asOf.by === 'public';
  const known = asOf ? knownThen(asOf, clock) : (dated: readonly Dated[]) => dated.map((one) => timed(one));
  return [...byKey.values()]
    .map((row) => known(datedOf(table, isPublic ? publicHistory(table, row, undone) : row, clock)))
    .sort((a, b) => compareKeys(a[0]?.key ?? [], b[0]?.key ?? []))
    .flat();
}

/** Texts in the order of commits; most rows have had one only. */
export function sortedVersions(past: readonly RowVersion[], present: readonly RowVersion[]): readonly RowVersion[] {
  return past.length === 0 ? present : [...past, ...present].sort((a, b) => a.seen - b.seen);
}

/** A vintage with what it is replayed by. */
function timed({ vintage, known, value, dispute, shown, isUnlisted, withdrawnAt }: Dated): Vintage {
  return {
    ...vintage,
    times: {
      known: { public: known.public, captured: known.captured },
      value,
      isUnlisted,
      ...(dispute && { dispute }),
      ...(shown && { shown }),
      ...(withdrawnAt !== undefined && { withdrawnAt }),
    },
  };
}

/** What was known of a row at a moment; that it vanished is known when it did. */
function knownThen(asOf: AsOf, clock: CommitClock) {
  const { ns } = momentOf(asOf, clock, []);
  return (dated: readonly Dated[]): readonly Vintage[] =>
    dated
      .filter(({ known }) => known[asOf.by] <= ns)
      .map((one) => {
        if (one.withdrawnAt === undefined || one.withdrawnAt <= ns) return timed(one);
        const { withdrawnAt: _, vintage, ...rest } = one;
        const { withdrawnAt: __, ...left } = vintage;
        return timed({ ...rest, vintage: left });
      });
}
