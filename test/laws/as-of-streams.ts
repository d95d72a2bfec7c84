import type { JsonObject } from '../../src/contract/json/json.ts';
import fc from '../support/properties.ts';

/**
 * Streams of what a service does, for the law of `--as-of`. Everything here is told in terms of the model alone: seconds
 * from `BEGIN`, periods, and looks of the mirror, after each of which it holds what the service said.
 */

/** 2026-11-01T00:00:00Z in Unix seconds. */
export const BEGIN = 1_793_491_200;
export const PERIODS = ['2026-08-31', '2026-09-30', '2026-10-31'] as const;

/** One thing that happens, some seconds after the one before. */
interface Happening {
  readonly after: number;
  readonly what: 'release' | 'revise' | 'silently' | 'late' | 'withdraw' | 'look' | 'look again';
  readonly period: string;
  readonly val: number;
}

export interface Listed {
  readonly epoch: number;
  readonly val: number;
}

/** One period as the service tells it. */
export interface Told {
  readonly val: number;
  readonly release: number;
  /** Undefined for a series whose rows list nothing. */
  readonly listed: readonly Listed[] | undefined;
}

export type State = ReadonlyMap<string, Told>;

/** A look of the mirror at the service: all that there is. */
export interface Look {
  readonly at: number;
  readonly state: State;
}

const happening: fc.Arbitrary<Happening> = fc.record({
  after: fc.integer({ min: 1, max: 50 }),
  what: fc.constantFrom(
    'release',
    'release',
    'revise',
    'revise',
    'silently',
    'late',
    'withdraw',
    'look',
    'look',
    'look again',
  ),
  period: fc.constantFrom(...PERIODS),
  val: fc.integer({ min: 1, max: 4 }),
});

/** Looks at a service whose rows list their vintages, or do not. */
export function looks(lists: boolean): fc.Arbitrary<readonly Look[]> {
  return fc.array(happening, { minLength: 4, maxLength: 24 }).map((happenings) => looksAt(happenings, lists));
}

function looksAt(happenings: readonly Happening[], lists: boolean): readonly Look[] {
  const state = new Map<string, Told>();
  const found: Look[] = [];
  let now = BEGIN;
  for (const one of happenings) {
    now += one.after;
    happen(state, one, { now, lists });
    if (one.what === 'look' || one.what === 'look again') found.push({ at: now, state: new Map(state) });
    // The same answer a moment later.
    if (one.what === 'look again') found.push({ at: now, state: new Map(state) });
  }
  return [...found, { at: now + 1, state: new Map(state) }];
}

function happen(
  state: Map<string, Told>,
  { what, period, val }: Happening,
  { now, lists }: { now: number; lists: boolean },
): void {
  const told = state.get(period);
  if (what === 'withdraw') state.delete(period);
  if (what === 'release' && !told)
    state.set(period, { val, release: now, listed: lists ? [{ epoch: now, val }] : undefined });
  if (!told) return;
  const listed = told.listed ?? [];
  if (what === 'silently') state.set(period, { ...told, val });
  if (what === 'revise' && lists && !listed.some(({ epoch }) => epoch === now))
    state.set(period, { ...told, val, listed: [...listed, { epoch: now, val }] });
  // What the publisher had corrected long ago, and the service only now heard of. Values that claim one moment have a law
  // of their own.
  const isRival = listed.some((one) => one.epoch === told.release + 1 && one.val !== val);
  if (what === 'late' && lists && !isRival)
    state.set(period, {
      ...told,
      listed: [...listed, { epoch: told.release + 1, val }].sort((a, b) => a.epoch - b.epoch),
    });
}

/** The row of a period as the service answers it. */
function rowOf(date: string, { val, release, listed }: Told, isDated: boolean): JsonObject {
  return {
    date,
    val,
    ...(isDated && { announcement_datetime: release }),
    ...(listed && { revisions: listed.map((one) => ({ ...one })) }),
  };
}

/** The rows of a state, newest first; `isDated` when they say when they were released. */
export function rowsOf(state: State, isDated: boolean): readonly JsonObject[] {
  return [...state].sort(([a], [b]) => (a < b ? 1 : -1)).map(([date, told]) => rowOf(date, told, isDated));
}

/** That a period had a value is known since a second; a look told it. */
interface Fact {
  readonly known: number;
  readonly period: string;
  readonly val: number;
  /** Place of the look. */
  readonly look: number;
}

/**
 * What the public knew, and since when, as the looks tell it. A listed value counts since its epoch, a second one under the
 * same epoch since the look; a first value without a list since its release, where such rows are dated; any other change
 * since the look that showed it; and what first showed when a period came back, since that look.
 */
function publicFacts(all: readonly Look[], isDated: boolean): readonly Fact[] {
  return PERIODS.flatMap((period) => factsOf(period, all, isDated));
}

function factsOf(period: string, all: readonly Look[], isDated: boolean): readonly Fact[] {
  const facts: Fact[] = [];
  const entries = new Set<string>();
  const epochs = new Map<number, number>();
  let before: Told | undefined;
  let [wasSeen, back] = [false, 0];
  for (const [look, { at, state }] of all.entries()) {
    const told = state.get(period);
    if (told && wasSeen && !before) back = at;
    const learn = (known: number, val: number) => facts.push({ known: Math.max(known, back), period, val, look });
    for (const { epoch, val } of told?.listed ?? []) {
      if (entries.has(`${epoch} ${val}`)) continue;
      entries.add(`${epoch} ${val}`);
      learn((epochs.get(epoch) ?? val) === val ? epoch : at, val);
      if (!epochs.has(epoch)) epochs.set(epoch, val);
    }
    const isKnown = facts.some(
      (fact) => fact.look === look && fact.val === told?.val && fact.known >= newestOf(facts, look),
    );
    if (told && !isKnown && (!before || before.val !== told.val))
      learn(!wasSeen && told.listed === undefined && isDated ? told.release : at, told.val);
    if (told) wasSeen = true;
    before = told;
  }
  return facts;
}

function newestOf(facts: readonly Fact[], look: number): number {
  return Math.max(...facts.filter((fact) => fact.look === look).map(({ known }) => known));
}

/**
 * What the public held at a moment. Of a period that a look had shown, the value of the last look is the newest of all that
 * was told until then; what later looks told comes before it when it was known no earlier; one that the last look did not
 * show any more is gone.
 */
export function publicState(all: readonly Look[], { isDated, moment }: { isDated: boolean; moment: number }): State {
  const facts = publicFacts(all, isDated).filter(({ known }) => known <= moment);
  const last = all.findLastIndex(({ at }) => at <= moment);
  const held = new Map<string, Told>();
  for (const period of PERIODS) {
    const own = facts.filter((fact) => fact.period === period).sort((a, b) => a.known - b.known || a.look - b.look);
    const told = all[last]?.state.get(period);
    const wasSeen = all.slice(0, last + 1).some(({ state }) => state.has(period));
    if (!told && wasSeen) continue;
    const shown = told && own.findLast((fact) => fact.look <= last && fact.val === told.val);
    const later = shown ? own.filter((fact) => fact.look > last && fact.known >= shown.known) : own;
    const chosen = later.at(-1) ?? shown;
    const shows = ({ state }: Look) => state.get(period)?.val === chosen?.val;
    // Its other members are those of the newest look that showed the value, else of the first later one, else of that which
    // listed it. A period that went and came again between two looks was released again.
    const teller = all.slice(0, last + 1).findLast(shows) ?? all.slice(last + 1).find(shows) ?? all[chosen?.look ?? 0];
    const release = teller?.state.get(period)?.release ?? 0;
    if (chosen) held.set(period, { val: chosen.val, release, listed: undefined });
  }
  return held;
}

/** Every second at which the public may have come to hold something else. */
export function publicMoments(all: readonly Look[], isDated: boolean): readonly number[] {
  const moments = [...publicFacts(all, isDated).map(({ known }) => known), ...all.map(({ at }) => at)];
  return [...new Set(moments)].sort((a, b) => a - b);
}
