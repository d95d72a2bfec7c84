import type { Availability } from '../../contract/as-of.ts';
import type { KeptValue } from '../../contract/hooks.ts';
import { asJsonText, type JsonObject, type JsonText, jsonEqual } from '../../contract/json.ts';
import { memberTexts, spansOf } from '../../contract/scan.ts';
import { instantOf } from '../../contract/time.ts';
import { type Print, parseRow, releaseOf } from './print.ts';

/** A value that a period had. Times are nanoseconds since the epoch; undefined when nobody said. */
export interface Vintage {
  readonly val: number | null;
  readonly valText: JsonText;
  /** When the public knew this value. */
  readonly publicAt: bigint | undefined;
  /** When the service had captured it. */
  readonly capturedAt: bigint | undefined;
  /** When the mirror first saw it, where it remembers. */
  readonly seenAt?: bigint | undefined;
  /** The publication time that a list states for it, shared with another value or not. */
  readonly statedAt?: bigint | undefined;
  readonly isFirst: boolean | undefined;
  /** The publisher's own time is confirmed. */
  readonly confirmed: boolean;
  /** The entry of `revisions[]`; undefined where the row stands for itself. */
  readonly entry: { readonly text: JsonText; readonly value: JsonObject } | undefined;
  /** When the mirror saw the row vanish that had this value. */
  readonly withdrawnAt?: bigint | undefined;
  /** Only the mirror knows it: the row does not list it. */
  readonly remembered?: true;
}

const NANO = 1_000_000_000n;

/**
 * All vintages of a row, oldest first: as the row lists them, and those that only the mirror remembers. A row without a
 * list is its only vintage, public since its release. A value of the row that nobody listed came after all of the list.
 */
export function vintagesOf({ text, row, kept = [] }: Print): readonly Vintage[] {
  const listed = listedVintages(text);
  if (kept.length > 0) return withKept(listed, keptVintages(kept));
  if (listed.length === 0) return [ownVintage(text, row, secondsToNs(instantOf(row.announcement_datetime)))];
  if (listed.some((vintage) => Object.is(vintage.val, numberOf(row.val)))) return listed;
  // The row's release time belongs to its first value and must not lend itself to a revised one; nor may a capture do so
  // that is older than what the list knows.
  const own = ownVintage(text, row, undefined);
  const { capturedAt } = own;
  const isLast =
    capturedAt !== undefined && listed.every(({ publicAt }) => publicAt === undefined || publicAt < capturedAt);
  return [...listed, isLast ? own : { ...own, publicAt: undefined, capturedAt: undefined }];
}

function ownVintage(text: JsonText, row: JsonObject, release: bigint | undefined): Vintage {
  const [exact] = memberTexts(text, ['observed_at_ns']);
  const capturedAt = nanosecondsOf(row, exact);
  return {
    ...toldBy(text, row),
    publicAt: release ?? capturedAt ?? secondsToNs(releaseOf(row)),
    capturedAt,
    entry: undefined,
  };
}

function listedVintages(text: JsonText): readonly Vintage[] {
  const [list] = memberTexts(text, ['revisions']);
  if (!list?.startsWith('[')) return [];
  const borrows = borrowing();
  return spansOf(list).map(({ start, end }) => {
    const own = asJsonText(list.slice(start, end));
    const value = parseRow(own);
    const [exact] = memberTexts(own, ['observed_at_ns']);
    const capturedAt = nanosecondsOf(value, exact);
    const epoch = secondsToNs(instantOf(value.epoch));
    const publicAt = borrows(epoch, numberOf(value.val)) ? capturedAt : (epoch ?? capturedAt);
    return { ...toldBy(own, value), publicAt, capturedAt, statedAt: epoch, entry: { text: own, value } };
  });
}

/** The list of a row, which knows the service's order, with what the mirror remembers beyond it. */
function withKept(listed: readonly Vintage[], kept: readonly Vintage[]): readonly Vintage[] {
  const isSame = (a: Vintage, b: Vintage) =>
    a.entry !== undefined && b.entry !== undefined && jsonEqual(a.entry.value, b.entry.value);
  const dated = listed.map((vintage) => {
    const found = kept.find((one) => isSame(one, vintage));
    const seen = { ...vintage, seenAt: found?.seenAt };
    if (vintage.publicAt !== undefined) return seen;
    return { ...seen, publicAt: found?.capturedAt, capturedAt: found?.capturedAt };
  });
  const others = kept
    .filter((one) => !listed.some((vintage) => isSame(one, vintage)))
    .map((one) => ({ ...one, remembered: true as const }));
  if (others.length === 0) return dated;
  const known = ({ publicAt, capturedAt }: Vintage) => publicAt ?? capturedAt ?? 0n;
  return [...dated, ...others].sort((a, b) => (known(a) < known(b) ? -1 : known(a) > known(b) ? 1 : 0));
}

/** Vintages as the mirror kept them, all there is of a row that has vanished. What nobody dated is known since the mirror saw it, and not a moment earlier. */
export function keptVintages(kept: readonly KeptValue[]): readonly Vintage[] {
  const borrows = borrowing();
  return kept.map(({ epoch, observedNs, seenAt, text, withdrawnAt }) => {
    const value = parseRow(text);
    const seen = secondsToNs(seenAt);
    const capturedAt = observedNs === undefined ? seen : BigInt(observedNs);
    const published = secondsToNs(epoch);
    const isListed = value.date === undefined;
    return {
      ...toldBy(text, value),
      publicAt: borrows(published, numberOf(value.val)) ? capturedAt : (published ?? capturedAt),
      capturedAt,
      seenAt: seen,
      // A whole row has a date; an entry of a list has none.
      ...(isListed && { statedAt: published }),
      entry: isListed ? { text, value } : undefined,
      withdrawnAt: secondsToNs(withdrawnAt),
    };
  });
}

function toldBy(text: JsonText, value: JsonObject): Pick<Vintage, 'val' | 'valText' | 'isFirst' | 'confirmed'> {
  const [valText] = memberTexts(text, ['val']);
  return {
    val: numberOf(value.val),
    valText: valText ?? asJsonText('null'),
    isFirst: typeof value.is_first_release === 'boolean' ? value.is_first_release : undefined,
    confirmed: value.publication_time_status === 'confirmed',
  };
}

/** Tells a second value under one epoch: it was not public then, but is known from the moment it was first seen. */
function borrowing(): (epoch: bigint | undefined, val: number | null) => boolean {
  const valueOfEpoch = new Map<bigint, number | null>();
  return (epoch, val) => {
    if (epoch === undefined) return false;
    const known = valueOfEpoch.get(epoch);
    if (known === undefined) valueOfEpoch.set(epoch, val);
    return known !== undefined && !Object.is(known, val);
  };
}

/** Nanoseconds exceed 2^53: the string twin first, then the digits as they stand. Wire facts, section 2.2. */
function nanosecondsOf(value: JsonObject, exact: JsonText | undefined): bigint | undefined {
  const digits = value.observed_at_ns_string ?? exact;
  if (typeof digits === 'string' && /^-?\d{1,20}$/.test(digits)) return BigInt(digits);
  const collected = value.collected_at_ns_string;
  return typeof collected === 'string' && /^-?\d{1,20}$/.test(collected) ? BigInt(collected) : undefined;
}

export function secondsToNs(seconds: number | undefined): bigint | undefined {
  return seconds === undefined ? undefined : BigInt(Math.trunc(seconds)) * NANO;
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}

/** Since when somebody knew a vintage. */
export function knownAt(vintage: Vintage, availability: Availability): bigint | undefined {
  if (availability === 'mirrored') return vintage.seenAt;
  return availability === 'public' ? vintage.publicAt : vintage.capturedAt;
}

/** The one known last; of several known at once, the one listed last. Undated ones count by their place in the list. */
export function newestVintage(vintages: readonly Vintage[], availability: Availability): Vintage | undefined {
  let newest: Vintage | undefined;
  let newestAt: bigint | undefined;
  for (const vintage of vintages) {
    const at = knownAt(vintage, availability) ?? newestAt;
    if (newestAt !== undefined && at !== undefined && at < newestAt) continue;
    newest = vintage;
    newestAt = at;
  }
  return newest;
}

/** The first release, else the earliest vintage that is said not to be one, else the earliest. */
export function firstVintage(vintages: readonly Vintage[]): Vintage | undefined {
  return (
    vintages.find((vintage) => vintage.isFirst === true) ??
    vintages.find((vintage) => vintage.isFirst === false) ??
    vintages[0]
  );
}

/**
 * The vintages that a keyless caller may read: revisions published or captured after the cutoff are hidden. The values
 * that the row had first belong to its release, however late they were captured. Wire facts, section 4.
 */
export function releasedBy(vintages: readonly Vintage[], cutoff: bigint): readonly Vintage[] {
  const [first] = vintages;
  let untouched = true;
  return vintages.filter((vintage) => {
    untouched &&= Object.is(vintage.val, first?.val);
    if (untouched) return true;
    return [vintage.publicAt, vintage.capturedAt].every((at) => at === undefined || at <= cutoff);
  });
}
