import { isContested, ownsEpoch, publicTimes, stepsOf } from '../../../contract/time/vintages.ts';
import { parseStoredRow } from '../columns.ts';
import type { RowVersion } from '../row-versions.ts';
import type { Table } from '../tables.ts';
import { type KeptVintage, knownAt, listedVintages } from '../vintages.ts';
import type { CommitClock } from './commit-clock.ts';
import { type Dated, datedListed, datedOwn, entryOf, nsOf, publishedOf } from './dated-value.ts';

/** Everything that the mirror knows of one row. */
export interface RowHistory {
  /** In the order of commits. */
  readonly stages: readonly RowVersion[];
  /** In the order in which the public knew them. */
  readonly dated: readonly Dated[];
}

interface Kept {
  readonly stages: readonly RowVersion[];
  readonly listed: readonly KeptVintage[];
}

type Clock = Pick<CommitClock, 'at'>;

/** An entry of a row's list, and whether its publication time is its own. */
interface OwnedEntry {
  readonly vintage: KeptVintage;
  readonly owns: boolean;
  /** It took the place of another value under the same publication time: no list has it beside the other one. */
  readonly isReplacement: boolean;
}

/**
 * Dates the values of one row: those that it listed, and our own, because a value that changed without saying since when is
 * known from the moment we first saw it. Walk: `publicTimes` dates what was listed; what came with a row's return is known
 * since the return; where the value of a stage does not follow from all that, it counts since the mirror saw it, as a listed
 * value that showed again or as one of ours. The first stage of a row without a list lends it its release and its capture, a
 * later one never does.
 */
export function datedOf(table: Table, { stages, listed }: Kept, clock: Clock): readonly Dated[] {
  const dated = datedList(table, { stages, listed }, clock);
  const [only] = stages;
  // Most rows never changed: the value that they have is one that they list.
  if (only && stages.length === 1 && dated.length === 1 && only.ended === undefined && dated[0]?.value === only.value)
    return dated;
  let back = 0;
  for (const [i, version] of stages.entries()) {
    const before = stages[i - 1];
    const continues = before !== undefined && before.ended === version.seen;
    if (i > 0 && !continues) back = version.seen;
    const known = dated.filter(({ seen }) => seen >= back && seen <= version.seen);
    const lacking = notToldBy(known, version);
    if (lacking.length === 0) continue;
    const at = nsOf(clock.at(version.seen));
    const shown = lacking.map(({ by, last }) => ({ by, at: last !== undefined && last > at ? last : at }));
    const own = known.findLast(
      (one) =>
        one.value === version.value && (one.seen === version.seen || (continues && before.value === version.value)),
    );
    if (own) dated[dated.indexOf(own)] = { ...own, shown: [...(own.shown ?? []), ...shown] };
    else if (known.length === 0)
      dated.push(sinceReturn(datedOwn(table, version, at, i === 0 ? 'lent' : {}), stages, clock));
    else dated.push(datedOwn(table, version, at, Object.fromEntries(shown.map((one) => [one.by, one.at]))));
  }
  if (dated.length > 1) dated.sort(byKnown(table, stages));
  return withWithdrawals(dated, stages, clock);
}

/** Whose knowledge, as told until a stage, does not end with the value of the stage; and since when it ends otherwise. */
function notToldBy(known: readonly Dated[], { value }: RowVersion) {
  return (['public', 'captured'] as const).flatMap((by) => {
    const last = stepsOf(known, by).at(-1);
    const isTold =
      last?.state === 'ambiguous'
        ? by === 'public' && known.some((one) => one.value === value && isContested(one, last.at))
        : last?.known?.value === value;
    return isTold ? [] : [{ by, last: last?.at }];
  });
}

function datedList(table: Table, kept: Kept, clock: Clock): Dated[] {
  const entries = rivalEntries(table, kept);
  const times = publicTimes(
    entries.map(({ vintage, owns, isReplacement }) => ({
      epoch: isReplacement ? undefined : publishedOf(vintage),
      captured: vintage.observed,
      value: vintage.value,
      owns,
      seen: nsOf(clock.at(vintage.seen)),
    })),
  );
  return entries.map(({ vintage }, i) =>
    sinceReturn(datedListed(vintage, clock.at(vintage.seen), times[i]), kept.stages, clock),
  );
}

/** What first came when a row came back was not there while it was gone. */
function sinceReturn(one: Dated, stages: readonly RowVersion[], clock: Clock): Dated {
  if (stages.length < 2) return one;
  const back = stages.findLast(
    (version, i) => i > 0 && version.seen <= one.seen && stages[i - 1]?.ended !== version.seen,
  );
  if (!back) return one;
  const since = nsOf(clock.at(back.seen));
  const later = (moment: bigint) => (moment > since ? moment : since);
  const { known, dispute } = one;
  return {
    ...one,
    known: { ...known, public: later(known.public), captured: later(known.captured) },
    ...(dispute && {
      dispute: { ...dispute, from: later(dispute.from), until: dispute.until && later(dispute.until) },
    }),
  };
}

/** By when the public knew; of one moment what came earlier; of one answer what its list has first, and the row's own last. */
function byKnown(table: Table, stages: readonly RowVersion[]) {
  return (a: Dated, b: Dated): number => {
    if (a.known.public !== b.known.public) return a.known.public < b.known.public ? -1 : 1;
    if (a.seen !== b.seen) return a.seen - b.seen;
    const version = stages.find(({ seen }) => seen === a.seen);
    const { vintages: member } = table.mapping;
    if (!version || member === undefined) return 0;
    const list = listedVintages(member, version.text);
    const place = ({ entry }: Dated) => {
      const at = list.findIndex((one) => entryOf({ known: knownAt(one), value: one.value }) === entry);
      return at < 0 ? list.length : at;
    };
    return place(a) - place(b);
  };
}

/** A row that vanished without a successor ends with the newest vintage that was known until then. */
function withWithdrawals(dated: readonly Dated[], stages: readonly RowVersion[], clock: Clock): readonly Dated[] {
  const ends = new Map<Dated, number>();
  for (const [i, { ended }] of stages.entries()) {
    if (ended === undefined || stages[i + 1]?.seen === ended) continue;
    const last = dated.findLast((one) => one.seen < ended);
    if (last) ends.set(last, clock.at(ended));
  }
  if (ends.size === 0) return dated;
  return dated.map((one) => {
    const at = ends.get(one);
    if (at === undefined) return one;
    return { ...one, withdrawnAt: nsOf(at), vintage: { ...one.vintage, withdrawnAt: at / 1000 } };
  });
}

/**
 * The entries of a row's lists. The mirror keeps one for a publication time and a value. Where several values state one
 * time, the texts of the row are read too, because another entry may say who owns the time or when it was captured.
 */
function rivalEntries({ mapping }: Table, { stages, listed }: Kept): readonly OwnedEntry[] {
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
