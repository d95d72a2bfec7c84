import { KEYLESS_DAYS, releaseCutoff } from '../../contract/access.ts';
import type { Caller, LoadedSeries } from '../../contract/hooks.ts';
import { addDays, dateOf } from '../../contract/time/time.ts';
import { type Print, readPrint } from '../announcements/print.ts';
import { selectVintage } from '../announcements/selection.ts';
import { byReach, isBaseSeries } from '../announcements/series-choice.ts';
import { provenFirstPrint } from './proven-release.ts';
import type { ContractSubject } from './templates.ts';

/** What a caller may see of releases. */
export interface Sight {
  /** Unix seconds. */
  readonly now: number;
  /** Newest release (Unix seconds) that is readable without a key; undefined for everybody else. */
  readonly cutoff: number | undefined;
  /** First reference date that is readable without a key; undefined for everybody else. */
  readonly cutoffDate: string | undefined;
}

export function sightOf(caller: Caller, now: number): Sight {
  if (caller.kind !== 'keyless') return { now, cutoff: undefined, cutoffDate: undefined };
  return { now, cutoff: releaseCutoff(now), cutoffDate: addDays(dateOf(now * 1000), -KEYLESS_DAYS) };
}

/** One release of a series as a caller sees it. */
export interface SettlementRelease {
  readonly series: LoadedSeries;
  readonly print: Print;
  /** The value of the period as it stands now, as far as the caller may see it. */
  readonly latest: number | null;
  /** The value of the period before it, which a decision changed. */
  readonly previous: number | null;
  /** When the mirror first saw the row as it is, in milliseconds. */
  readonly seenAt: number | undefined;
}

/** A release, or why there is none for this caller. `withheld` are release times inside the keyless delay. */
export type FoundRelease =
  | { readonly release: SettlementRelease; readonly withheld?: undefined }
  | { readonly release?: undefined; readonly withheld: readonly number[] };

/**
 * The histories of an indicator in canonical form, in the order in which an answer about the indicator prefers them: the
 * service's own first, then the file that reaches furthest. An older file may have other release times and older values.
 */
export function historiesOf(loaded: readonly LoadedSeries[], subject: ContractSubject): readonly LoadedSeries[] {
  const { currency, indicator } = subject;
  const isHistory = ({ ref }: LoadedSeries) => ref.endpoint === 'announcements' && isBaseSeries(ref);
  return loaded
    .filter((series) => isHistory(series) && series.ref.scope.currency === currency)
    .filter(({ ref }) => ref.scope.indicator === indicator)
    .sort(byReach);
}

/**
 * Finds the release of a period, or the newest one that the caller may read. Rows are newest first. Of several files the
 * first one that proves the first print tells the release; how the value stands now tells the one that reaches furthest.
 */
export function findRelease(histories: readonly LoadedSeries[], period: string, sight: Sight): FoundRelease {
  const withheld: number[] = [];
  let newest: SettlementRelease | undefined;
  for (const series of histories)
    for (const [place, row] of series.rows.entries()) {
      const date = String(row.columns.date);
      if (period !== 'latest' && date !== period) continue;
      const print = readPrint(row.text);
      if (!isPublished(print, sight.now)) continue;
      if (sight.cutoffDate !== undefined && date < sight.cutoffDate) break;
      if (sight.cutoff !== undefined && print.release !== undefined && print.release > sight.cutoff) {
        withheld.push(print.release);
        continue;
      }
      const release = { series, print, seenAt: row.seenAt, ...valuesOf(series, place, { print, sight }) };
      if (!newest || newest.print.date < date) newest = release;
      else if (newest.print.date === date && isProvenBy(release, newest))
        newest = { ...release, latest: newest.latest, seenAt: later(release.seenAt, newest.seenAt) };
      break;
    }
  return newest ? { release: newest } : { withheld };
}

/** Does a file prove the first print that the one before it does not? What a service leaves open no file decides. */
function isProvenBy(release: SettlementRelease, before: SettlementRelease): boolean {
  if (!before.series.ref.origin.startsWith('import:')) return false;
  const isProven = ({ print, series }: SettlementRelease) => provenFirstPrint(print, series) !== undefined;
  return !isProven(before) && isProven(release);
}

/** The record rests on both rows: one that was received before either of them is outdated. */
function later(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : Math.max(a, b);
}

/** A row may stand there before its release: a placeholder has no value, and a scheduled one has its time ahead. */
function isPublished({ release, val }: Print, now: number): boolean {
  return release === undefined ? val !== null : release <= now;
}

function valuesOf(
  { rows }: LoadedSeries,
  place: number,
  { print, sight }: { readonly print: Print; readonly sight: Sight },
): { readonly latest: number | null; readonly previous: number | null } {
  const { now, cutoff } = sight;
  const question = { revisions: 'latest', asOf: undefined, availability: 'public', cutoff, now } as const;
  const before = rows[place + 1];
  const older = before && readPrint(before.text);
  return {
    latest: (selectVintage(print, question) ?? print).val,
    previous: older ? (selectVintage(older, question) ?? older).val : null,
  };
}

/** The value of a series that was in force on a date: of its newest release up to then. */
export function valueOn(histories: readonly LoadedSeries[], date: string): number | null {
  for (const { rows } of histories) {
    const row = rows.find(({ columns }) => String(columns.date) <= date);
    if (row) return readPrint(row.text).val;
  }
  return null;
}
