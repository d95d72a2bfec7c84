import { asJsonText, type JsonObject } from '../../../contract/json/json.ts';
import type { Availability } from '../../../contract/time/moments.ts';
import type { PublicTime, TimedValue } from '../../../contract/time/vintages.ts';
import type { Vintage } from '../../api/rows.ts';
import { momentNs } from '../columns.ts';
import type { RowVersion } from '../row-versions.ts';
import type { Table } from '../tables.ts';
import type { KeptVintage } from '../vintages.ts';

/** A value of a row, since when it was known to whom, and the commit that brought it. */
export interface Dated extends TimedValue {
  readonly vintage: Omit<Vintage, 'times'>;
  /** Unix nanoseconds. */
  readonly known: Readonly<Record<Availability, bigint>>;
  readonly seen: number;
  /** What tells an entry of the row's list from the others, however it is spelled; undefined for our own vintages. */
  readonly entry?: string;
}

/** What tells one entry of a list from another: when it was known (0 when it does not say), and its value. */
export const entryOf = ({ known, value }: { known: bigint; value: string }): string => `${known} ${value}`;

/** Unix nanoseconds of a time in milliseconds. */
export const nsOf = (ms: number): bigint => BigInt(ms) * 1_000_000n;

const secondsNs = (seconds: number): bigint => BigInt(seconds) * 1_000_000_000n;

/** The publication time that an entry states. */
export function publishedOf({ epoch }: KeptVintage): bigint | undefined {
  return epoch === undefined ? undefined : secondsNs(epoch);
}

/** An entry of a row's list. */
export function datedListed(one: KeptVintage, seenAt: number, { at, dispute }: PublicTime = { at: undefined }): Dated {
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
export type OwnTime = 'lent' | { readonly public?: bigint; readonly captured?: bigint };

/** The value that a row itself had when the mirror saw it (Unix nanoseconds). */
export function datedOwn(table: Table, version: RowVersion, seen: bigint, time: OwnTime): Dated {
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
