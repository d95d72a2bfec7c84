import { type AsOf, isKnownAt, type KnownSpan, knownUntil } from '../../contract/time/moments.ts';
import { isNextRelease, type VintageState } from '../../contract/time/vintages.ts';
import { vintageStates } from '../../derive/file-vintages.ts';
import { perObject } from '../../derive/memory.ts';
import type { MirrorReader } from '../../mirror/api/mirror.ts';
import type { StoredSeries } from '../../mirror/api/series.ts';
import { type KnownPeriods, type PeriodReader, periodsOfFiles, STATISTICS } from './file-periods.ts';
import { lastLookAt } from './last-look.ts';

/**
 * The spans of time of which the mirror knows what was known of a series. Of a service, and of values that nobody revises,
 * that is all up to the last look. A file of vintages, or one that is known from its own date or from its import, shows one
 * state of the series each time: what was known between two of them follows only where no release can lie between.
 */
export async function knownSpansOf(series: StoredSeries, reader: PeriodReader): Promise<readonly KnownSpan[]> {
  const periods = await periodsOfFiles(series, reader);
  return periods ? spansOf(periods) : knownUntil(await lastLookAt(series, reader.proofs));
}

/** True when the mirror can tell what was known of a series at a moment, be it that nothing was. */
export async function tellsOf(
  series: StoredSeries,
  asOf: AsOf,
  reader: PeriodReader & Pick<MirrorReader, 'knowledge'>,
): Promise<boolean> {
  return (await reader.knowledge(series, asOf)).tells && asOf.at >= (await tellsFrom(series, asOf, reader));
}

/** The same, and no release that the files leave out can have come before the moment. */
export async function knowsStateOf(
  series: StoredSeries,
  asOf: AsOf,
  reader: PeriodReader & Pick<MirrorReader, 'knowledge'>,
): Promise<boolean> {
  const spans = await spansOfFiles(series, asOf, reader);
  return (await reader.knowledge(series, asOf)).tells && (spans === undefined || isKnownAt(spans, asOf.at));
}

/**
 * From when on (milliseconds) files tell anything of a series, where all of them show states of it: from the first of these.
 * -Infinity of any other series.
 */
export async function tellsFrom(series: StoredSeries, asOf: AsOf, reader: PeriodReader): Promise<number> {
  const [first] = (await spansOfFiles(series, asOf, reader)) ?? [];
  return first?.from ?? Number.NEGATIVE_INFINITY;
}

async function spansOfFiles(series: StoredSeries, { by }: AsOf, reader: PeriodReader) {
  // Rates and positions are published by a rule, and there are many of them.
  if (by !== 'public' || !STATISTICS.has(series.endpoint)) return undefined;
  const periods = await periodsOfFiles(series, reader);
  return periods && spansOf(periods);
}

/** A span begins with a state that something unknown came before, and lasts until the last state that follows. */
const spansOf = perObject((periods: KnownPeriods): readonly KnownSpan[] => {
  const { states, rhythm } = vintageStates(periods);
  const spans: KnownSpan[] = [];
  let before: VintageState | undefined;
  for (const state of states) {
    const at = Math.round(state.at * 1000);
    const last = spans.at(-1);
    const follows = before && !periods.looks.has(state.at) && isNextRelease(before, state, rhythm);
    if (last && follows) spans[spans.length - 1] = { from: last.from, to: at };
    else spans.push({ from: at, to: at });
    before = state;
  }
  return spans;
});
