import type { AsOf } from '../../contract/time/as-of.ts';
import { type KnownSpan, knownUntil } from '../../contract/time/known-spans.ts';
import { isNextRelease, rhythmOf, statesOf, type VintageState } from '../../contract/time/release-steps.ts';
import { perObject } from '../../derive/per-object.ts';
import { MAPPINGS } from '../../endpoints/index.ts';
import type { MirrorReader, StoredSeries, Vintage } from '../../mirror/api/mirror.ts';
import { GENERATED_ACCESS } from '../../mirror/ledger/certain.ts';
import { lastLookAt } from './last-look.ts';

/** What tells of which time the mirror knows what was known. */
export type SpanReader = Pick<MirrorReader, 'proofs' | 'rows' | 'vintages'>;

/**
 * The spans of time of which the mirror knows what was known of a series. Of a service, and of values that nobody revises,
 * that is all up to the last look. A file of vintages, or one that is known from its own date or from its import, shows one
 * state of the series each time: what was known between two of them follows only where no release can lie between.
 */
export async function knownSpansOf(series: StoredSeries, reader: SpanReader): Promise<readonly KnownSpan[]> {
  const states = await statesOfFiles(series, reader);
  return states ? spansOf(states) : knownUntil(await lastLookAt(series, reader.proofs));
}

/** True when the mirror can tell what was known of a series at a moment, be it that nothing was. */
export async function tellsOf(
  series: StoredSeries,
  asOf: AsOf,
  reader: SpanReader & Pick<MirrorReader, 'knowledge'>,
): Promise<boolean> {
  return (await reader.knowledge(series, asOf)).tells && asOf.at >= (await tellsFrom(series, asOf, reader));
}

/**
 * From when on (milliseconds) files tell anything of a series, where all of them show states of it: from the first of these.
 * -Infinity of any other series.
 */
export async function tellsFrom(series: StoredSeries, { by }: AsOf, reader: SpanReader): Promise<number> {
  // Rates and positions are published by a rule, and there are many of them.
  if (by !== 'public' || !STATISTICS.has(series.endpoint)) return Number.NEGATIVE_INFINITY;
  const states = await statesOfFiles(series, reader);
  return (states && spansOf(states)[0]?.from) ?? Number.NEGATIVE_INFINITY;
}

/** Endpoints whose files may show a state with one date for all of its values. */
const STATISTICS: ReadonlySet<string> = new Set(['announcements', 'commodities']);

/** All that is known of the values of such a series; undefined for one that has no such states. */
async function statesOfFiles(series: StoredSeries, reader: SpanReader): Promise<readonly Vintage[] | undefined> {
  if (!series.origin.startsWith('import:')) return undefined;
  if ((await reader.proofs(series, GENERATED_ACCESS)).length > 0) return undefined;
  return (await isByRule(series, reader)) ? undefined : reader.vintages(series, []);
}

/** Behind so many dates a rule has another time, even one that is the same for all days of a month. */
const FAR_ROWS = 31;

/** True where a rule says of each value when it was published: its oldest values then have times of their own. */
async function isByRule(series: StoredSeries, reader: SpanReader): Promise<boolean> {
  const first = await firstOf(series, reader, 0);
  if (!first?.assumed) return false;
  if (!STATISTICS.has(series.endpoint)) return true;
  const others = await Promise.all([1, FAR_ROWS].map((offset) => firstOf(series, reader, offset)));
  return others.some((other) => other && other.times.known.public !== first.times.known.public);
}

/** The first value of a row, counted from the oldest one. */
async function firstOf(series: StoredSeries, reader: SpanReader, offset: number): Promise<Vintage | undefined> {
  const reverse = MAPPINGS[series.endpoint]?.order === 'newest';
  const [found] = await reader.rows(series, {}, { limit: 1, offset, reverse });
  return found && (await reader.vintages(series, found.key))[0];
}

/** A span begins with a state that something unknown came before, and lasts until the last state that follows. */
const spansOf = perObject((vintages: readonly Vintage[]): readonly KnownSpan[] => {
  const begins = new Map<string, number>();
  const moments: number[] = [];
  const imports = new Set<number>();
  for (const { key, assumed, times } of vintages) {
    const { public: known } = times.known;
    if (known === undefined) continue;
    const at = Number(known / 1_000_000n) / 1000;
    const date = String(key[0]);
    const begin = begins.get(date);
    if (begin === undefined || at < begin) begins.set(date, at);
    moments.push(at);
    if (times.isUnlisted && !assumed) imports.add(at);
  }
  const rhythm = rhythmOf([...begins.keys()].sort());
  const spans: KnownSpan[] = [];
  let before: VintageState | undefined;
  for (const state of statesOf(begins.values(), moments)) {
    const at = Math.round(state.at * 1000);
    const last = spans.at(-1);
    // What is known from an import alone was published nobody knows when.
    const follows = before && !imports.has(state.at) && isNextRelease(before, state, rhythm);
    if (last && follows) spans[spans.length - 1] = { from: last.from, to: at };
    else spans.push({ from: at, to: at });
    before = state;
  }
  return spans;
});
