import { asJsonText, type JsonObject } from '../../../contract/json/json.ts';
import type { Availability } from '../../../contract/time/moments.ts';
import {
  isContested,
  ownsEpoch,
  type PublicTime,
  publicTimes,
  stepsOf,
  type TimedValue,
} from '../../../contract/time/vintages.ts';
import type { KeyValue, Vintage } from '../../api/series.ts';
import { momentNs, parseStoredRow } from '../columns.ts';
import { selectionBounds, type Where } from '../select.ts';
import { quote, type Table } from '../tables.ts';
import { knownAt, listedVintages, type RowVersion, type StoredVintage } from '../vintages.ts';
import type { UndoneDates } from './undone.ts';

/** Everything that the mirror knows of one row. */
export interface DatedStages {
  /** In the order of commits. */
  readonly stages: readonly RowVersion[];
  /** In the order in which the public knew them. */
  readonly dated: readonly Dated[];
}

interface StoredStages {
  readonly stages: readonly RowVersion[];
  readonly listed: readonly StoredVintage[];
}

type Clock = Pick<CommitClock, 'at'>;

/** An entry of a row's list, and whether its publication time is its own. */
interface OwnedEntry {
  readonly vintage: StoredVintage;
  readonly owns: boolean;
  /** It took the place of another value under the same publication time: no list has it beside the other one. */
  readonly isReplacement: boolean;
}

/** A value of a row, since when it was known to whom, and the commit that brought it. */
export interface Dated extends TimedValue {
  readonly vintage: Omit<Vintage, 'times'>;
  /** Unix nanoseconds. */
  readonly known: Readonly<Record<Availability, bigint>>;
  readonly seen: number;
  /** Tells an entry of the row's list from the others, however it is spelled; undefined for our own vintages. */
  readonly entry?: string;
}
export interface CommitClock {
  /** When a commit was, in milliseconds. */
  at(commit: number): number;
  /** Number of the last commit at or before a moment in milliseconds; 0 when there was none. */
  lastBy(at: number): number;
}

/** The conditions of rows, for the tables that hold their texts. */
interface UndoneConditions {
  /** The text came by a commit that was taken back; `table` is a name with a dot, or empty. */
  hidden(table: string): Where;
  /** A commit that was taken back after `commit` ended the text: the public did not see it end. */
  goesOn(commit: number): Where;
}

/**
 * Dates the values of a row: listed ones by `publicTimes`, or by its return; others since first seen. A first stage
 * without a list lends it its release and capture.
 */
export function datedOf(table: Table, { stages, listed }: StoredStages, clock: Clock): readonly Dated[] {
  const dated = datedList(table, { stages, listed }, clock);
  const [only] = stages;
  // Most rows never changed: their list contains their value.
  if (only && stages.length === 1 && dated.length === 1 && only.ended === undefined && dated[0]?.value === only.value)
    return dated;
  let back = 0;
  for (const [i, version] of stages.entries()) {
    const before = stages[i - 1];
    const continues = before !== undefined && before.ended === version.seen;
    if (i > 0 && !continues) back = version.seen;
    const known = dated.filter(({ seen }) => seen >= back && seen <= version.seen);
    const lacking = notSaidBy(known, version);
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

/** Public or service, where it ends with another value than the version's, and since when. */
function notSaidBy(known: readonly Dated[], { value }: RowVersion) {
  return (['public', 'captured'] as const).flatMap((by) => {
    const last = stepsOf(known, by).at(-1);
    const isTold =
      last?.state === 'ambiguous'
        ? by === 'public' && known.some((one) => one.value === value && isContested(one, last.at))
        : last?.known?.value === value;
    return isTold ? [] : [{ by, last: last?.at }];
  });
}

function datedList(table: Table, kept: StoredStages, clock: Clock): Dated[] {
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

/** A value is dated no earlier than its row's return. */
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

/** The entries of a row's lists; texts are read too where values share a time, to find its owner. */
function rivalEntries({ mapping }: Table, { stages, listed }: StoredStages): readonly OwnedEntry[] {
  const times = rivalTimes(listed);
  const { vintages: member } = mapping;
  if (times.size === 0 || member === undefined)
    return listed.map((vintage) => ({ vintage, owns: false, isReplacement: false }));
  const inTexts = stages.flatMap(({ key, seen, text }) =>
    listedVintages(member, text).map((one) => ({ ...one, key, seen, known: knownAt(one) })),
  );
  const isRival = ({ epoch }: StoredVintage) => epoch !== undefined && times.has(epoch);
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
function rivalTimes(listed: readonly StoredVintage[]): ReadonlySet<number> {
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

/** Which values own their time or replace others, in order of commits; rivals compete only where a list has both. */
function ranksOf(rivals: readonly StoredVintage[]) {
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

const claimOf = ({ epoch, value }: StoredVintage): string => `${epoch} ${value}`;

const nameOf = ({ known, value, observed }: StoredVintage): string => `${known} ${value} ${observed}`;

/** The identity of an entry in a list: when it was known (0 if not stated), and its value. */
export const entryOf = ({ known, value }: { known: bigint; value: string }): string => `${known} ${value}`;

/** Unix nanoseconds of a time in milliseconds. */
const nsOf = (ms: number): bigint => BigInt(ms) * 1_000_000n;

const secondsNs = (seconds: number): bigint => BigInt(seconds) * 1_000_000_000n;

/** The publication time that an entry states. */
function publishedOf({ epoch }: StoredVintage): bigint | undefined {
  return epoch === undefined ? undefined : secondsNs(epoch);
}

/** An entry of a row's list. */
function datedListed(one: StoredVintage, seenAt: number, { at, dispute }: PublicTime = { at: undefined }): Dated {
  const captured = one.observed ?? nsOf(seenAt);
  return {
    vintage: {
      key: one.key,
      epoch: one.epoch,
      observedAt: one.observed === undefined ? undefined : Number(one.observed) / 1e9,
      ...(one.observed !== undefined && { observedNs: String(one.observed) }),
      seenAt: seenAt / 1000,
      text: asJsonText(one.text),
    },
    known: { public: at ?? captured, captured, mirrored: nsOf(seenAt) },
    seen: one.seen,
    value: one.value,
    ...(dispute && { dispute }),
    isUnlisted: false,
    entry: entryOf(one),
  };
}

/** Where the first value of a row is dated by the row, its release and its capture; else what the value came after. */
type OwnTime = 'lent' | { readonly public?: bigint; readonly captured?: bigint };

/** The value that a row itself had when the mirror saw it (Unix nanoseconds). */
function datedOwn(table: Table, version: RowVersion, seen: bigint, time: OwnTime): Dated {
  const lends = time === 'lent';
  const epoch = lends ? version.release : undefined;
  const observed = lends ? captureOf(table, version.row) : undefined;
  const captured = lends ? (observed ?? seen) : (time.captured ?? seen);
  const published = lends ? (epoch === undefined ? captured : secondsNs(epoch)) : (time.public ?? seen);
  return {
    vintage: {
      key: version.key,
      epoch,
      observedAt: observed === undefined ? undefined : Number(observed) / 1e9,
      ...(observed !== undefined && { observedNs: String(observed) }),
      seenAt: Number(seen / 1_000_000n) / 1000,
      text: asJsonText(version.text),
      ...(epoch !== undefined && version.assumed && { assumed: true }),
    },
    known: { public: published, captured, mirrored: seen },
    seen: version.seen,
    value: version.value,
    isUnlisted: true,
  };
}

/** The service's own capture of a row, where the row states it. */
export function captureOf({ mapping }: Table, row: JsonObject): bigint | undefined {
  for (const moment of mapping.captured ?? []) {
    const stated = momentNs(row, moment);
    if (stated !== undefined) return stated;
  }
  return undefined;
}

export function undoneConditions(table: Table, undone: readonly UndoneDates[]): UndoneConditions {
  const column = quote(windowOf(table)?.name ?? '');
  const any = (name: string, moved: 'seen' | 'superseded', some: readonly UndoneDates[]): Where => {
    const one = `(${name}${moved} >= ? and ${name}${moved} < ? and ${name}${column} >= ? and ${name}${column} <= ?)`;
    return {
      sql: some.length === 0 ? '(1 = 0)' : `(${some.map(() => one).join(' or ')})`,
      values: some.flatMap((dates) => [dates.since, dates.until, ...boundsOf(table, dates)]),
    };
  };
  return {
    hidden: (name) => any(name, 'seen', undone),
    goesOn: (commit) =>
      any(
        '',
        'superseded',
        undone.filter(({ until }) => until > commit),
      ),
  };
}

/** A row's history as the public knew it: undone texts go, restored ones continue, entries join their texts. */
export function publicStages(table: Table, row: StoredStages, undone: readonly UndoneDates[]): StoredStages {
  const own = undoneOfRow(table, row.stages[0]?.key ?? [], undone);
  if (own.length === 0) return row;
  const takenBack = (commit: number) =>
    own.filter(({ since, until }) => commit >= since && commit < until).sort((a, b) => b.until - a.until)[0];
  const stages: RowVersion[] = [];
  for (const version of row.stages) {
    if (takenBack(version.seen)) continue;
    const last = stages.at(-1);
    const goesOn = last?.ended !== undefined && takenBack(last.ended)?.until === version.seen;
    if (last && goesOn) stages[stages.length - 1] = { ...last, ended: version.ended };
    else stages.push(version);
  }
  return { stages, listed: row.listed.flatMap((one) => (takenBack(one.seen) ? storedIn(table, stages, one) : one)) };
}

/** The undone imports that cover the date of a row. */
export function undoneOfRow(
  table: Table,
  key: readonly KeyValue[],
  undone: readonly UndoneDates[],
): readonly UndoneDates[] {
  const date = key[windowOf(table)?.at ?? 0] ?? '';
  return undone.filter((dates) => {
    const [from, to] = boundsOf(table, dates);
    return date >= from && date <= to;
  });
}

/** The entry as the first text that lists it brought it; none where none does. */
function storedIn({ mapping }: Table, stages: readonly RowVersion[], one: StoredVintage): readonly StoredVintage[] {
  const { vintages: member } = mapping;
  if (member === undefined) return [];
  const version = stages.find(({ text }) =>
    listedVintages(member, text).some((listed) => entryOf({ ...listed, known: knownAt(listed) }) === entryOf(one)),
  );
  return version ? [{ ...one, seen: version.seen }] : [];
}

function windowOf({ key, mapping }: Table): { readonly name: string; readonly at: number } | undefined {
  const at = Math.max(
    0,
    key.findIndex(({ name }) => name === mapping.window?.column),
  );
  const column = key[at];
  return column && { name: column.name, at };
}

function boundsOf(table: Table, dates: UndoneDates): readonly [KeyValue, KeyValue] {
  const { from = dates.from, to = dates.to } = selectionBounds(table, dates);
  return [from, to];
}
