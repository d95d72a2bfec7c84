import type { KeptValue } from '../../contract/hooks.ts';
import { asJsonText, type JsonObject, type JsonText, jsonEqual, parseObject } from '../../contract/json/json.ts';
import { memberSpans, memberTexts } from '../../contract/json/scan.ts';
import type { Availability } from '../../contract/time/moments.ts';
import { instantOf } from '../../contract/time/time.ts';
import {
  type KnownStep,
  ownsEpoch,
  publicTimes,
  rhythmOf,
  statesOf,
  stepAt,
  stepsOf,
  type TimedValue,
} from '../../contract/time/vintages.ts';
import { type Print, releaseOfPrint } from './print.ts';

/** A value that a period had. Times are nanoseconds since the epoch; undefined when nobody said. */
export interface PrintVintage extends TimedValue {
  readonly val: number | null;
  readonly valText: JsonText;
  /** When the mirror first saw this value, where it remembers. */
  readonly seenAt?: bigint | undefined;
  readonly isFirst: boolean | undefined;
  /** The publisher's own time is confirmed. */
  readonly confirmed: boolean;
  /** The entry of `revisions[]`; undefined where the row stands for itself. */
  readonly entry: { readonly text: JsonText; readonly value: JsonObject } | undefined;
  /** Several values claim the moment, and nobody can tell which of them it was. */
  readonly isAmbiguous?: true;
  /** Only the mirror knows it: the row does not list it. */
  readonly remembered?: true;
}

const NANO = 1_000_000_000n;

/** All vintages, oldest first. A row without a list is public since its release; an unlisted value comes last. */
export function printVintages({ text, row, kept = [] }: Print): readonly PrintVintage[] {
  const listed = listedVintages(text);
  if (kept.length > 0) return withKept(listed, kept.map(keptVintage));
  if (listed.length === 0) return [ownVintage(text, row, secondsToNs(instantOf(row.announcement_datetime)))];
  if (listed.some((vintage) => Object.is(vintage.val, numberOf(row.val)))) return listed;
  // The row's release time belongs to its first value, so a revised value must not take it. A capture time must not
  // count either if it is older than the newest vintage of the list.
  const own = ownVintage(text, row, undefined);
  const { captured } = own.known;
  const isLast =
    captured !== undefined && listed.every(({ known }) => known.public === undefined || known.public < captured);
  return [...listed, isLast ? own : { ...own, known: { public: undefined, captured: undefined } }];
}

function ownVintage(text: JsonText, row: JsonObject, release: bigint | undefined): PrintVintage {
  const [exact] = memberTexts(text, ['observed_at_ns']);
  const captured = nanosecondsOf(row, exact);
  return {
    ...toldBy(text, row),
    known: { public: release ?? captured ?? secondsToNs(releaseOfPrint(row)), captured },
    isUnlisted: true,
    entry: undefined,
  };
}

function listedVintages(text: JsonText): readonly PrintVintage[] {
  const [list] = memberTexts(text, ['revisions']);
  if (!list?.startsWith('[')) return [];
  const entries = memberSpans(list).map(({ start, end }) => {
    const own = asJsonText(list.slice(start, end));
    const value = parseObject(own);
    const [exact] = memberTexts(own, ['observed_at_ns']);
    return { own, value, epoch: secondsToNs(instantOf(value.epoch)), captured: nanosecondsOf(value, exact) };
  });
  const times = publicTimes(
    entries.map(({ value, epoch, captured }) => ({
      epoch,
      captured,
      value: comparable(value),
      owns: ownsEpoch(value),
    })),
  );
  return entries.map(({ own, value, captured }, i) => ({
    ...toldBy(own, value),
    known: { public: times[i]?.at, captured },
    dispute: times[i]?.dispute,
    isUnlisted: false,
    entry: { text: own, value },
  }));
}

/** The list of a row, which knows the service's order, dated by the mirror, with what the mirror remembers beyond it. */
function withKept(listed: readonly PrintVintage[], kept: readonly PrintVintage[]): readonly PrintVintage[] {
  const [ofKept, ofListed] = [Map.groupBy(kept, claimOf), Map.groupBy(listed, claimOf)];
  const dated = listed.map((vintage) => {
    const found = counterpartOf(vintage, ofKept);
    if (!found) return vintage;
    const captured = vintage.known.captured ?? found.known.captured;
    const { dispute, shown, seenAt } = found;
    return { ...vintage, known: { ...found.known, captured }, dispute, shown, seenAt };
  });
  const others = kept
    .filter((one) => !counterpartOf(one, ofListed))
    .map((one) => ({ ...one, remembered: true as const }));
  if (others.length === 0) return dated;
  const timeOf = ({ known }: PrintVintage) => known.public ?? known.captured ?? 0n;
  return [...dated, ...others].sort((a, b) => (timeOf(a) < timeOf(b) ? -1 : timeOf(a) > timeOf(b) ? 1 : 0));
}

/** The same entry, else the one with its publication time and value: of such the mirror keeps one. */
function counterpartOf(
  vintage: PrintVintage,
  others: ReadonlyMap<string, readonly PrintVintage[]>,
): PrintVintage | undefined {
  const { entry } = vintage;
  if (!entry) return undefined;
  const rivals = (others.get(claimOf(vintage)) ?? []).filter((one) => one.entry);
  const same = rivals.find((one) => one.entry && jsonEqual(one.entry.value, entry.value));
  return same ?? (instantOf(entry.value.epoch) === undefined ? undefined : rivals[0]);
}

const claimOf = ({ entry }: PrintVintage): string =>
  `${instantOf(entry?.value.epoch)} ${entry && comparable(entry.value)}`;

/** A remembered value as a vintage: all that is left of a row that has vanished. */
function keptVintage({ seenAt, text, times }: KeptValue): PrintVintage {
  const value = parseObject(text);
  return {
    ...toldBy(text, value),
    ...times,
    seenAt: secondsToNs(seenAt),
    entry: times.isUnlisted ? undefined : { text, value },
  };
}

function toldBy(
  text: JsonText,
  value: JsonObject,
): Pick<PrintVintage, 'val' | 'valText' | 'value' | 'isFirst' | 'confirmed'> {
  const [valText] = memberTexts(text, ['val']);
  return {
    val: numberOf(value.val),
    valText: valText ?? asJsonText('null'),
    value: comparable(value),
    isFirst: typeof value.is_first_release === 'boolean' ? value.is_first_release : undefined,
    confirmed: value.publication_time_status === 'confirmed',
  };
}

function comparable({ val }: JsonObject): string {
  return JSON.stringify(val ?? null);
}

/** Nanoseconds exceed 2^53: the string twin first, then the digits as they stand. See docs/interface.md#numbers. */
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
export function vintageKnownAt(vintage: PrintVintage, availability: Availability): bigint | undefined {
  return availability === 'mirrored' ? vintage.seenAt : vintage.known[availability];
}

export function publicAt(vintages: readonly PrintVintage[], moment: bigint): KnownStep<PrintVintage> | undefined {
  return stepAt(stepsOf(vintages, 'public'), moment);
}

/** The one known last; of several known at once, the one listed last. Undated ones count by their place in the list. */
export function newestVintage(vintages: readonly PrintVintage[], availability: Availability): PrintVintage | undefined {
  let newest: PrintVintage | undefined;
  let newestAt: bigint | undefined;
  for (const vintage of vintages) {
    const at = vintageKnownAt(vintage, availability) ?? newestAt;
    if (newestAt !== undefined && at !== undefined && at < newestAt) continue;
    newest = vintage;
    newestAt = at;
  }
  return newest;
}

/** The first release, else the earliest that is said not to be one, else the earliest. */
export function firstVintage(vintages: readonly PrintVintage[]): PrintVintage | undefined {
  const first =
    earliest(vintages.filter(({ isFirst }) => isFirst === true)) ??
    earliest(vintages.filter(({ isFirst }) => isFirst === false)) ??
    earliest(vintages);
  const at = first && claimedAt(first);
  const step = at === undefined ? undefined : publicAt(vintages, at);
  return step?.state === 'ambiguous' ? unknownSince(step.at) : (step?.known ?? first);
}

/** The vintage with the earliest public time, those without one in the order of the list. */
function earliest(vintages: readonly PrintVintage[]): PrintVintage | undefined {
  return vintages.reduce<PrintVintage | undefined>((best, one) => {
    const [at, since] = [claimedAt(one), best && claimedAt(best)];
    return !best || (at !== undefined && since !== undefined && at < since) ? one : best;
  }, undefined);
}

const claimedAt = ({ dispute, known }: PrintVintage) => dispute?.from ?? known.public;

/** The placeholder of an unknown value. */
export function unknownSince(moment: bigint): PrintVintage {
  return {
    val: null,
    valText: asJsonText('null'),
    value: 'null',
    known: { public: moment, captured: undefined },
    isUnlisted: true,
    isAmbiguous: true,
    isFirst: undefined,
    confirmed: false,
    entry: undefined,
  };
}

/**
 * Vintages public by the cutoff, or the first values of a released row. See docs/interface-access.md#release-delay and
 * docs/interface.md#two-vintages-at-one-instant.
 */
export function releasedBy(vintages: readonly PrintVintage[], cutoff: bigint): readonly PrintVintage[] {
  const known = vintages.filter((vintage) => vintage.known.public === undefined || vintage.known.public <= cutoff);
  if (known.length > 0 || publicAt(vintages, cutoff)) return known;
  const later = vintages.findIndex(({ value }) => value !== vintages[0]?.value);
  return later < 0 ? vintages : vintages.slice(0, later);
}

/** Since when the periods of a series had values. Times are Unix seconds. */
export interface VintageTimes {
  /** The first value of each period, by its date. */
  readonly begins: ReadonlyMap<string, number>;
  /** All values. */
  readonly moments: ReadonlySet<number>;
}

/** When each vintage of an imported file begins. Importers write an epoch in the list of vintages only. */
export function fileVintages(texts: readonly JsonText[]): VintageTimes {
  const begins = new Map<string, number>();
  const moments = new Set<number>();
  for (const text of texts) {
    const [, date] = /"date":"([^"]+)"/.exec(text) ?? [];
    const epochs = [...text.matchAll(/"epoch":(-?\d+)/g)].map(([, digits]) => Number(digits));
    if (date === undefined || epochs.length === 0) continue;
    begins.set(date, Math.min(...epochs));
    for (const epoch of epochs) moments.add(epoch);
  }
  return { begins, moments };
}

/** Does a row tell what it was published with, and when it was revised? */
export function isListingVintages(text: JsonText): boolean {
  return text.includes('"revisions":[{');
}

export function vintageStates({ begins, moments }: VintageTimes) {
  return { states: statesOf(begins.values(), moments), rhythm: rhythmOf([...begins.keys()].sort()) };
}
