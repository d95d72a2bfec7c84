import { type AsOf, isKnownAt, type KnownSpan, knownUntil, zonedInstants } from '../../contract/time/moments.ts';
import { addDays, dateToMs } from '../../contract/time/time.ts';
import { isNextRelease, type VintageState } from '../../contract/time/vintages.ts';
import { fxPublisherOf, publicationLag } from '../../contract/words/fx-publishers.ts';
import { vintageStates } from '../../derive/announcements/vintages.ts';
import { isBusinessDay } from '../../derive/sessions.ts';
import type { MirrorReader } from '../../mirror/api/mirror.ts';
import type { CoverageInterval, StoredSeries } from '../../mirror/api/series.ts';
import { GENERATED_ACCESS } from '../../mirror/rules/coverage.ts';
import { type KnownPeriods, type PeriodReader, periodsOfFiles, STATISTICS } from './file-periods.ts';

const DAY = 86_400_000;

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
function spansOf(periods: KnownPeriods): readonly KnownSpan[] {
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
}

/**
 * Until when the mirror knows what was known of a series, in milliseconds: when it last asked the service, or the moment
 * from which an official file lacks a row, however late it was read. Generated data is known at any moment.
 */
export async function lastLookAt(series: StoredSeries, proofs: MirrorReader['proofs']): Promise<number> {
  if ((await proofs(series, GENERATED_ACCESS)).length > 0) return Number.POSITIVE_INFINITY;
  if (!series.origin.startsWith('import:')) return series.checkedAt;
  const last = lastDayOf(await proofs(series, 'keyless'));
  return last === undefined ? 0 : Math.min(series.checkedAt, nextDue(series, last));
}

function lastDayOf(proofs: readonly CoverageInterval[]): string | undefined {
  return proofs
    .map(({ to }) => String(to))
    .reduce<string | undefined>((a, b) => (a !== undefined && a > b ? a : b), undefined);
}

/**
 * From when on a file that ends with a date lacks a row: publishers of exchange rates publish on business days, at their
 * hour. A holiday of theirs is not known, so a file is called old a little too soon then. Of another publisher nobody knows
 * its days, so its file is old when its last day is over.
 */
function nextDue({ origin, endpoint }: StoredSeries, last: string): number {
  const publisher = endpoint === 'forex' ? fxPublisherOf(origin) : undefined;
  let day = dateToMs(addDays(last, 1));
  if (!publisher) return day;
  while (!isBusinessDay(day)) day += DAY;
  return zonedInstants(publisher.zone, publisher.hour)(day + publicationLag(publisher, day) * DAY) * 1000;
}
