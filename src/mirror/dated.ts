import type { Availability } from '../contract/as-of.ts';
import { asJsonText } from '../contract/json.ts';
import { momentNs } from './columns.ts';
import type { CommitClock } from './commit-clock.ts';
import type { Vintage } from './mirror.ts';
import type { Stage } from './stages.ts';
import type { Table } from './tables.ts';
import { type KeptVintage, knownAt, listedVintages } from './vintages.ts';

/** A value of a row, since when it was known to whom, and the commit that brought it. */
export interface Dated {
  readonly vintage: Vintage;
  /** Unix nanoseconds. */
  readonly known: Readonly<Record<Availability, bigint>>;
  readonly seen: number;
  /** The value as comparable text. */
  readonly value: string;
  /** What tells an entry of the row's list from the others, however it is spelled; undefined for our own vintages. */
  readonly entry?: string;
}

/** What tells one entry of a list from another: when it was known (0 when it does not say), and its value. */
export const entryOf = ({ known, value }: { known: bigint; value: string }): string => `${known} ${value}`;

/** Everything that the mirror knows of one row. */
export interface RowHistory {
  /** In the order of commits. */
  readonly stages: readonly Stage[];
  /** In the order in which the public knew them. */
  readonly dated: readonly Dated[];
}

interface Kept {
  readonly stages: readonly Stage[];
  readonly listed: readonly KeptVintage[];
}

/**
 * Dates the values of one row: those that it listed, and our own, because a value that changed without saying since when is
 * known from the moment we first saw it. Walk: a stage that brought a new value adds a vintage unless it listed that value
 * itself; the first stage of a row lends it its release and its capture, a later one never does; a second value under one
 * publication time was not public then; what came with a row's return is known since the return.
 */
export function datedOf(table: Table, { stages, listed }: Kept, clock: Pick<CommitClock, 'at'>): readonly Dated[] {
  const dated = listed.map((one) => datedListed(one, clock));
  const [only] = stages;
  // Most rows never changed: the value that they have is one that they list.
  if (only && stages.length === 1 && listed.length === 1 && only.ended === undefined && dated[0]?.value === only.value)
    return dated;
  for (const [i, stage] of stages.entries()) {
    const before = stages[i - 1];
    const continues = before !== undefined && before.ended === stage.seen;
    if (continues && before.value === stage.value) continue;
    const newest = newestOf(listed.filter((one) => one.seen === stage.seen));
    if (newest && newest.value === stage.value) continue;
    dated.push(datedOwn(table, stage, { clock, lends: i === 0 && newest === undefined }));
  }
  if (dated.length < 2) return withWithdrawals(dated, stages, clock);
  const ordered = dated.map((one) => sinceReturn(one, stages, clock)).sort(byKnown(table, stages));
  return withWithdrawals(withoutBorrowed(ordered).sort(byKnown(table, stages)), stages, clock);
}

function newestOf(listed: readonly KeptVintage[]): KeptVintage | undefined {
  return listed.reduce<KeptVintage | undefined>(
    (best, one) => (best && best.known > one.known ? best : one),
    undefined,
  );
}

const ns = (ms: number): bigint => BigInt(ms) * 1_000_000n;
const secondsNs = (seconds: number): bigint => BigInt(seconds) * 1_000_000_000n;

function datedListed(one: KeptVintage, clock: Pick<CommitClock, 'at'>): Dated {
  const at = clock.at(one.seen);
  const captured = one.observed ?? ns(at);
  return {
    vintage: {
      key: one.key,
      epoch: one.epoch,
      observedAt: one.observed === undefined ? undefined : Number(one.observed) / 1e9,
      ...(one.observed !== undefined && { observedNs: String(one.observed) }),
      seenAt: at / 1000,
      text: asJsonText(one.text),
    },
    known: { public: one.epoch === undefined ? captured : secondsNs(one.epoch), captured, mirrored: ns(at) },
    seen: one.seen,
    value: one.value,
    entry: entryOf(one),
  };
}

function datedOwn(
  table: Table,
  stage: Stage,
  { clock, lends }: { clock: Pick<CommitClock, 'at'>; lends: boolean },
): Dated {
  const at = clock.at(stage.seen);
  const epoch = lends ? stage.release : undefined;
  const observed = lends ? captureOf(table, stage) : undefined;
  const captured = observed ?? ns(at);
  return {
    vintage: {
      key: stage.key,
      epoch,
      observedAt: observed === undefined ? undefined : Number(observed) / 1e9,
      ...(observed !== undefined && { observedNs: String(observed) }),
      seenAt: at / 1000,
      text: asJsonText(stage.text),
      ...(epoch !== undefined && stage.assumed && { assumed: true }),
    },
    known: { public: epoch === undefined ? captured : secondsNs(epoch), captured, mirrored: ns(at) },
    seen: stage.seen,
    value: stage.value,
  };
}

/** The service's own capture of a row, where the row states it. */
function captureOf({ mapping }: Table, { row }: Stage): bigint | undefined {
  for (const moment of mapping.captured ?? []) {
    const told = momentNs(row, moment);
    if (told !== undefined) return told;
  }
  return undefined;
}

/** What first came when a row came back was not there while it was gone. */
function sinceReturn(one: Dated, stages: readonly Stage[], clock: Pick<CommitClock, 'at'>): Dated {
  const back = stages.findLast((stage, i) => i > 0 && stage.seen <= one.seen && stages[i - 1]?.ended !== stage.seen);
  if (!back) return one;
  const since = ns(clock.at(back.seen));
  const later = (moment: bigint) => (moment > since ? moment : since);
  const { known } = one;
  return { ...one, known: { ...known, public: later(known.public), captured: later(known.captured) } };
}

/** Values under the publication time of another one were not public then, but from the moment they were captured. */
function withoutBorrowed(ordered: readonly Dated[]): Dated[] {
  const owners = new Map<number, string>();
  return ordered.map((one) => {
    const { epoch } = one.vintage;
    if (epoch === undefined) return one;
    const owner = owners.get(epoch) ?? one.value;
    owners.set(epoch, owner);
    return owner === one.value ? one : { ...one, known: { ...one.known, public: one.known.captured } };
  });
}

/** By when the public knew; of one moment what came earlier; of one answer what its list has first, and the row's own last. */
function byKnown(table: Table, stages: readonly Stage[]) {
  return (a: Dated, b: Dated): number => {
    if (a.known.public !== b.known.public) return a.known.public < b.known.public ? -1 : 1;
    if (a.seen !== b.seen) return a.seen - b.seen;
    const stage = stages.find(({ seen }) => seen === a.seen);
    const { vintages: member } = table.mapping;
    if (!stage || member === undefined) return 0;
    const list = listedVintages(member, stage.text);
    const place = ({ entry }: Dated) => {
      const at = list.findIndex((one) => entryOf({ known: knownAt(one), value: one.value }) === entry);
      return at < 0 ? list.length : at;
    };
    return place(a) - place(b);
  };
}

/** A row that vanished without a successor ends with the newest vintage that was known until then. */
function withWithdrawals(
  dated: readonly Dated[],
  stages: readonly Stage[],
  clock: Pick<CommitClock, 'at'>,
): readonly Dated[] {
  const ends = new Map<Dated, number>();
  for (const [i, { ended }] of stages.entries()) {
    if (ended === undefined || stages[i + 1]?.seen === ended) continue;
    const last = dated.findLast((one) => one.seen < ended);
    if (last) ends.set(last, clock.at(ended) / 1000);
  }
  if (ends.size === 0) return dated;
  return dated.map((one) => {
    const withdrawnAt = ends.get(one);
    return withdrawnAt === undefined ? one : { ...one, vintage: { ...one.vintage, withdrawnAt } };
  });
}
