import type { JsonObject } from '../../src/contract/json/json.ts';
import fc from '../support/properties.ts';

/**
 * Lists of vintages whose entries claim few moments and few values, so that they meet, and a model that says in terms of the
 * rule alone what was known. Times are steps of five minutes. See docs/interface.md#two-vintages-at-one-instant.
 */

/** 2026-11-01T00:00:00Z in Unix seconds. */
const BEGIN = 1_793_491_200;
const STEP = 300;
export const second = (step: number) => BEGIN + step * STEP;
/** When the mirror sees the list: after everything in it. */
export const SEEN = 9;

export interface Entry {
  readonly epoch: number | undefined;
  readonly capture: number | undefined;
  readonly val: number;
  readonly says: 'confirmed' | 'first' | 'later' | 'nothing';
}

/** Captures come in between: a capture in the very second of a publication would be one entry with it. */
const moment = fc.option(
  fc.integer({ min: 0, max: 6 }).map((step) => step - 0.5),
  { nil: undefined, freq: 3 },
);
const entry: fc.Arbitrary<Entry> = fc.record({
  epoch: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined, freq: 6 }),
  capture: moment,
  val: fc.integer({ min: 1, max: 3 }),
  says: fc.constantFrom('confirmed', 'first', 'later', 'nothing', 'nothing'),
});
export const lists = fc.uniqueArray(entry, {
  minLength: 1,
  maxLength: 5,
  // What differs in nothing that dates it is one entry.
  selector: ({ epoch, capture, val }) => JSON.stringify([epoch ?? null, epoch === undefined ? capture : null, val]),
});

/** The row that the service would send. */
export function rowOf(entries: readonly Entry[]): JsonObject {
  return {
    date: '2026-10-31',
    val: entries.at(-1)?.val ?? null,
    announcement_datetime: second(0),
    revisions: entries.map(({ epoch, capture, val, says }) => ({
      val,
      ...(epoch !== undefined && { epoch: second(epoch) }),
      ...(capture !== undefined && { observed_at_ns_string: `${second(capture)}000000007` }),
      ...(says === 'confirmed' && { publication_time_status: 'confirmed' }),
      ...((says === 'first' || says === 'later') && { is_first_release: says === 'first' }),
    })),
  };
}

/** What became known at a step; without a value, that nobody can tell. */
interface Fact {
  readonly at: number;
  readonly val: number | undefined;
}

interface Ruled {
  /** When the public knew the entry. */
  readonly at: number;
  /** When it begins to claim its moment. */
  readonly from: number;
  readonly facts: readonly Fact[];
}

function ruled(one: Entry, entries: readonly Entry[]): Ruled {
  const { epoch, val } = one;
  const captured = one.capture ?? SEEN;
  if (epoch === undefined) return { at: captured, from: captured, facts: [{ at: captured, val }] };
  const same = entries.filter((other) => other.epoch === epoch);
  const owners = same.filter(({ says }) => says === 'confirmed' || says === 'first').map((other) => other.val);
  const isTold = same.every((other) => other.val === val) || owners.includes(val);
  // Two owners that contradict each other are two facts of one moment.
  if (isTold) return { at: epoch, from: epoch, facts: [{ at: epoch, val }] };
  if (owners.length > 0) return { at: captured, from: captured, facts: [{ at: captured, val }] };
  const captures = same.flatMap(({ capture }) => capture ?? []);
  const last = captures.length > 0 ? Math.max(...captures) : SEEN;
  const holds = Math.max(last, epoch);
  const isLast = captures.length > 0 ? one.capture === last : true;
  const unknown = holds > epoch ? [{ at: epoch, val: undefined }] : [];
  return { at: Math.max(epoch, captured), from: epoch, facts: [...unknown, ...(isLast ? [{ at: holds, val }] : [])] };
}

/** The value known at a step; null when nobody can tell, undefined when nothing was known. */
export function known(entries: readonly Entry[], step: number): number | null | undefined {
  const facts = entries.flatMap((one) => ruled(one, entries).facts).filter(({ at }) => at <= step);
  const newest = Math.max(...facts.map(({ at }) => at));
  const values = new Set(facts.filter(({ at }) => at === newest).map(({ val }) => val));
  const [only] = values;
  return facts.length === 0 ? undefined : values.size > 1 ? null : (only ?? null);
}

/** The step at which the first release became known. */
export function firstStep(entries: readonly Entry[]): number {
  const said = (what: Entry['says']) => entries.filter(({ says }) => says === what);
  const some = [said('first'), said('later'), entries].find((list) => list.length > 0) ?? [];
  return Math.min(...some.map((one) => ruled(one, entries).from));
}

/** Values of the entries that the public knew at a step. */
export function publicEntries(entries: readonly Entry[], step: number): readonly number[] {
  return entries.filter((one) => ruled(one, entries).at <= step).map(({ val }) => val);
}
