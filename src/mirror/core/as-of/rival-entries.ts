import { ownsEpoch } from '../../../contract/time/vintage-times.ts';
import { parseStoredRow } from '../columns.ts';
import type { RowVersion } from '../row-versions.ts';
import type { Table } from '../tables.ts';
import { type KeptVintage, knownAt, listedVintages } from '../vintages.ts';

/** An entry of a row's list, and whether its publication time is its own. */
export interface OwnedEntry {
  readonly vintage: KeptVintage;
  readonly owns: boolean;
  /** It took the place of another value under the same publication time: no list has it beside the other one. */
  readonly isReplacement: boolean;
}

interface Kept {
  readonly stages: readonly RowVersion[];
  readonly listed: readonly KeptVintage[];
}

/**
 * The entries of a row's lists. The mirror keeps one for a publication time and a value. Where several values state one
 * time, the texts of the row are read too, because another entry may say who owns the time or when it was captured.
 */
export function rivalEntries({ mapping }: Table, { stages, listed }: Kept): readonly OwnedEntry[] {
  const times = rivalTimes(listed);
  const { vintages: member } = mapping;
  if (times.size === 0 || member === undefined)
    return listed.map((vintage) => ({ vintage, owns: false, isReplacement: false }));
  const inTexts = stages.flatMap(({ key, seen, text }) =>
    listedVintages(member, text).map((one) => ({ ...one, key, seen, known: knownAt(one) })),
  );
  const isRival = ({ epoch }: KeptVintage) => epoch !== undefined && times.has(epoch);
  const rivals = [...listed, ...inTexts].filter(isRival);
  const entries = new Map([...rivals].reverse().map((one) => [nameOf(one), one]));
  const { owners, replacements } = ranksOf(rivals);
  return [...listed.filter((one) => !isRival(one)), ...[...entries.values()].reverse()].map((vintage) => {
    const claim = claimOf(vintage);
    const owns = owners.has(claim);
    return { vintage, owns, isReplacement: !owns && replacements.has(claim) };
  });
}

/** Publication times (Unix seconds) that several values state. */
function rivalTimes(listed: readonly KeptVintage[]): ReadonlySet<number> {
  const values = new Map<number, string>();
  const rivals = new Set<number>();
  if (listed.length < 2) return rivals;
  for (const { epoch, value } of listed) {
    if (epoch === undefined) continue;
    if ((values.get(epoch) ?? value) !== value) rivals.add(epoch);
    values.set(epoch, value);
  }
  return rivals;
}

/**
 * Which values own their publication time, and which replaced another one. Walk: the lists in the order of commits; a value
 * that comes after others of its rank, owners or not, competes with them only where its list has one of them too.
 */
function ranksOf(rivals: readonly KeptVintage[]) {
  const [owners, replacements] = [new Set<string>(), new Set<string>()];
  const ranks = { owned: new Map<number, Set<string>>(), unowned: new Map<number, Set<string>>() };
  const lists = Map.groupBy(rivals, ({ seen }) => seen);
  for (const [, list] of [...lists].sort(([a], [b]) => a - b)) {
    const claims = new Set(list.map(claimOf));
    const owned = new Set(list.filter(({ text }) => ownsEpoch(parseStoredRow(text))).map(claimOf));
    const rankOf = (claim: string) => (owned.has(claim) ? ranks.owned : ranks.unowned);
    for (const one of list) {
      const claim = claimOf(one);
      const before = rankOf(claim).get(one.epoch ?? 0);
      const isBeside = !before || before.has(claim) || [...before].some((other) => claims.has(other));
      if (!isBeside) replacements.add(claim);
      else if (owned.has(claim) && !replacements.has(claim)) owners.add(claim);
    }
    for (const one of list) {
      const rank = rankOf(claimOf(one));
      rank.set(one.epoch ?? 0, (rank.get(one.epoch ?? 0) ?? new Set()).add(claimOf(one)));
    }
  }
  return { owners, replacements };
}

const claimOf = ({ epoch, value }: KeptVintage): string => `${epoch} ${value}`;
const nameOf = ({ known, value, observed }: KeptVintage): string => `${known} ${value} ${observed}`;
