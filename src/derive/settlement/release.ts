import { KEYLESS_DAYS, releaseCutoff } from '../../contract/access.ts';
import type { Caller, LoadedSeries } from '../../contract/hooks.ts';
import { isJsonObject } from '../../contract/json/json.ts';
import { addDays, dateOf, instantOf } from '../../contract/time/time.ts';
import { isFirstPrint } from '../../contract/time/vintages.ts';
import { newestWitness } from '../../coverage/period-source.ts';
import { nameOfSources, newestFirst, sourcePeriodsOf, speakersIn } from '../announcements/newest-source.ts';
import { type Print, readPrint } from '../announcements/print.ts';
import { isBaseSeries, selectVintage } from '../announcements/series.ts';
import {
  fileVintages,
  type PrintVintage,
  printVintages,
  publicAt,
  secondsToNs,
  vintageStates,
} from '../announcements/vintages.ts';
import { madeOf } from '../places.ts';

/** The rule that settles an indicator: all that a record needs of a template. */
export interface ContractSubject {
  readonly currency: string;
  readonly indicator: string;
}

/** The part of releases that a caller may see. */
export interface Sight {
  /** Unix seconds. */
  readonly now: number;
  /** Newest release (Unix seconds) that is readable without a key; undefined for everybody else. */
  readonly cutoff: number | undefined;
  /** First reference date that is readable without a key; undefined for everybody else. */
  readonly cutoffDate: string | undefined;
}

/** The value that a release was published with, and when whoever reports it had it. */
export interface FirstPrint {
  readonly val: number;
  /** Unix seconds. */
  readonly release: number;
  /** First capture of this value that was no later backfill, in Unix milliseconds; undefined when unknown. */
  readonly capturedAt: number | undefined;
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

/** Canonical histories in order of preference: the service, then the file that reaches furthest. */
export function historiesOf(loaded: readonly LoadedSeries[], subject: ContractSubject): readonly LoadedSeries[] {
  const { currency, indicator } = subject;
  const isHistory = ({ ref }: LoadedSeries) => ref.endpoint === 'announcements' && isBaseSeries(ref);
  return newestFirst(
    loaded
      .filter((series) => isHistory(series) && series.ref.scope.currency === currency)
      .filter(({ ref }) => ref.scope.indicator === indicator),
  );
}

/** The release of a period, or the newest visible one, from the first file that proves it. */
export function findRelease(histories: readonly LoadedSeries[], period: string, sight: Sight): FoundRelease {
  const withheld: number[] = [];
  const speaker = speakersIn(histories);
  let newest: SettlementRelease | undefined;
  for (const series of histories)
    for (const [place, row] of series.rows.entries()) {
      const date = String(row.columns.date);
      if (period !== 'latest' && date !== period) continue;
      const speaks = speaker(date) ?? series;
      if (nameOfSources(speaks) !== nameOfSources(series)) continue;
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
  return newest ? { release: withNewestValue(newest, histories, sight) } : { withheld };
}

/** The same with the present value of its period, of whichever source of the series has the newest vintage. */
function withNewestValue(
  release: SettlementRelease,
  histories: readonly LoadedSeries[],
  sight: Sight,
): SettlementRelease {
  const { date } = release.print;
  const name = nameOfSources(release.series);
  const sources = histories.filter((series) => nameOfSources(series) === name);
  if (sources.length < 2) return release;
  const witnesses = sources.map((source) => madeOf(source, 'source periods', () => sourcePeriodsOf(source)));
  const newest = newestWitness(witnesses)(date)?.source;
  const place = newest?.rows.findIndex(({ columns }) => String(columns.date) === date) ?? -1;
  const row = newest?.rows[place];
  if (!newest || !row || newest === release.series) return release;
  const { latest } = valuesOf(newest, place, { print: readPrint(row.text), sight });
  return { ...release, latest, seenAt: later(release.seenAt, row.seenAt) };
}

/** Does a file prove the first print that the file before it does not? A file never decides for a service. */
function isProvenBy(release: SettlementRelease, before: SettlementRelease): boolean {
  if (!before.series.ref.origin.startsWith('import:')) return false;
  const isProven = ({ print, series }: SettlementRelease) => provenFirstPrint(print, series) !== undefined;
  return !isProven(before) && isProven(release);
}

/** The later of both times: the record needs both rows, so a record received before either of them is outdated. */
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

/** The first print by its vintage, by being public at release, or by capture without a list; undefined else. */
export function firstPrintOf(print: Print): FirstPrint | undefined {
  const stated = instantOf(print.row.announcement_datetime);
  const vintages = printVintages(print);
  const first = vintages.find((vintage) => vintage.isFirst === true) ?? valueAtRelease(print, vintages, stated);
  const release = stated ?? instantOf(first?.entry?.value.epoch);
  if (!first || first.val === null || release === undefined || isDisputed(first, vintages)) return undefined;
  const same = vintages.slice(0, vintages.indexOf(first) + 1).filter((vintage) => Object.is(vintage.val, first.val));
  const captures = same.filter((vintage) => !isBackfill(vintage, print)).flatMap(({ known }) => known.captured ?? []);
  const earliest = captures.reduce<bigint | undefined>(
    (least, at) => (least === undefined || at < least ? at : least),
    undefined,
  );
  return {
    val: first.val,
    release,
    capturedAt: earliest === undefined ? undefined : Number(earliest / 1_000_000n),
  };
}

/** Sources whose rows stand for themselves. */
const FRESH = new Set(['source_vintage', 'captured_snapshot']);

function valueAtRelease(
  print: Print,
  vintages: readonly PrintVintage[],
  release: number | undefined,
): PrintVintage | undefined {
  if (release === undefined) return undefined;
  const listed = vintages.some(({ entry }) => entry !== undefined);
  if (!listed) {
    const isFresh = FRESH.has(String(print.row.vintage_status)) && !startsAsBackfill(print.row.capture_time_basis);
    return isFresh ? vintages[0] : undefined;
  }
  const at = secondsToNs(release);
  const place = vintages.findIndex(({ known }) => known.public === at);
  const found = vintages[place];
  const isEarliest = vintages.slice(0, place).every(({ val }) => Object.is(val, found?.val));
  return found && isEarliest ? found : undefined;
}

/** Nobody can tell which of several values was published then. */
function isDisputed({ dispute, known }: PrintVintage, vintages: readonly PrintVintage[]): boolean {
  return (
    dispute !== undefined || (known.public !== undefined && publicAt(vintages, known.public)?.state === 'ambiguous')
  );
}

function isBackfill({ entry }: PrintVintage, { row }: Print): boolean {
  return startsAsBackfill((entry?.value ?? row).capture_time_basis);
}

function startsAsBackfill(basis: unknown): boolean {
  return typeof basis === 'string' && basis.startsWith('backfill');
}

/** The first print of a period; undefined where nothing establishes it. */
export function provenFirstPrint(print: Print, series: LoadedSeries): FirstPrint | undefined {
  return isReleaseProven(print, series) ? firstPrintOf(print) : undefined;
}

/** False where a file may leave out vintages before the first value; what a service says stands. */
function isReleaseProven({ row, date }: Print, series: LoadedSeries): boolean {
  if (!series.ref.origin.startsWith('import:')) return true;
  const [first] = Array.isArray(row.revisions) ? row.revisions.filter(isJsonObject) : [];
  const at = first && instantOf(first.epoch);
  // A row without a list states no release. A vintage of a month has no known day.
  if (!first || at === undefined) return true;
  if (first.is_first_release !== true || first.publication_time_precision !== 'day') return false;
  const { states, rhythm } = historyOf(series);
  const place = states.findIndex((state) => state.at === at);
  const state = states[place];
  return state !== undefined && isFirstPrint(states[place - 1], state, { date, rhythm });
}

function historyOf(series: LoadedSeries) {
  return madeOf(series, 'vintage states', () => vintageStates(fileVintages(series.rows.map(({ text }) => text))));
}
