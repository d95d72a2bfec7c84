import type { LoadedSeries, MissingPart } from '../../contract/hooks.ts';
import {
  type Bound,
  type Coverage,
  commonTo,
  missingRangesIn,
  type Range,
  unionOf,
} from '../../contract/time/coverage.ts';
import { isoSeconds } from '../../contract/time/time.ts';
import { nearest } from '../../contract/words/nearest.ts';
import { fxPublisherOf } from '../../contract/words/publishers.ts';
import { missingAll, missingOfEach, missingOfSeriesList } from '../../coverage/missing-parts.ts';
import { compareTexts, isTimedFile, REFERENCE } from './observations.ts';
import { type Pair, pairText } from './paths.ts';
import { type Rate, sourceOfRate } from './published-rates.ts';

/** The min share of a source's rows at a regular time of day. Daylight saving time makes two such times. */
const USUAL_SHARE = 0.1;

/** Whether the service's series leaves a bound to other pairs; undefined when it decides the whole range. */
export function undecidedBy(own: LoadedSeries | undefined, range: Range): ((bound: Bound) => boolean) | undefined {
  if (!own) return () => true;
  const missingRanges = missingRangesIn(own.coverage, range);
  return missingRanges.length === 0
    ? undefined
    : (bound) => missingRanges.some(({ from, to }) => from <= bound && bound <= to);
}

/** Missing parts by the service's series, which alone shows that there is no other rate; else by all inputs. */
export function missingAround(
  own: LoadedSeries | undefined,
  loaded: readonly LoadedSeries[],
  range: Range,
): readonly MissingPart[] {
  return own ? missingOfSeriesList([own], range) : missingOfEach(loaded, range);
}

interface PublisherQuestion {
  readonly range: Range;
  readonly source: string | undefined;
  /** Sources with stored rows. */
  readonly known: ReadonlySet<string>;
  readonly pair: { readonly base: string; readonly quote: string };
}

/** The same for any publisher: the end of its files is missing only if it was asked for or nobody else covers it. */
export function missingOfPublishers(
  own: LoadedSeries | undefined,
  loaded: readonly LoadedSeries[],
  { range, source, known, pair }: PublisherQuestion,
) {
  // If nothing of a source is stored, only the service can tell that it has no such rates.
  if (!own && source !== undefined && !known.has(source))
    return { missingParts: [missingAll(REFERENCE, pair)], absent: [] };
  const files = loaded.filter(({ ref }) => isTimedFile(ref));
  if (own || files.length === 0) return { missingParts: missingAround(own, loaded, range), absent: [] };
  const others = missingOfEach(
    loaded.filter(({ ref }) => !isTimedFile(ref)),
    range,
  );
  if (source !== undefined) {
    const ofSource = files.filter(({ ref }) => fxPublisherOf(ref.origin)?.id === source);
    return { missingParts: missingOfEach(ofSource.length > 0 ? ofSource : loaded, range), absent: [] };
  }
  const publishers = [...Map.groupBy(files, ({ ref }) => ref.origin)];
  const covered = publishers.map(([origin, series]) => ({ origin, coverage: coverageOfAll(series) }));
  const missingRanges = missingRangesIn(unionOf(covered.map(({ coverage }) => coverage)), range);
  return {
    missingParts: [...others, ...missingRanges.flatMap((missingRange) => missingOfEach(files, missingRange))],
    absent: covered.flatMap(({ origin, coverage }) =>
      missingRangesIn(coverage, range).length > 0 ? (fxPublisherOf(origin)?.name ?? []) : [],
    ),
  };
}

/** The common coverage of all series of a publisher: a cross needs each of its legs. */
function coverageOfAll(series: readonly LoadedSeries[]): Coverage {
  const bySeries = Map.groupBy(series, ({ ref }) => JSON.stringify([ref.endpoint, ref.scope]));
  return commonTo([...bySeries.values()].map((one) => unionOf(one.map(({ coverage }) => coverage))));
}

/** Who contributes to a window: each source with its rows, their dates and the times at which it usually fixes. */
export function sourcesOf(rates: readonly Rate[]) {
  const bySource = new Map<string, Rate[]>();
  for (const rate of rates) {
    const known = bySource.get(rate.sourceId);
    if (known) known.push(rate);
    else bySource.set(rate.sourceId, [rate]);
  }
  return [...bySource].sort(([a], [b]) => compareTexts(a, b)).map(([source, own]) => describe(source, own));
}

function describe(source: string, rates: readonly Rate[]) {
  let [from, to] = [rates[0]?.date ?? '', rates[0]?.date ?? ''];
  const times = new Map<number, number>();
  for (const { date, at } of rates) {
    if (date < from) from = date;
    if (date > to) to = date;
    const minute = Math.floor(at / 60) % 1440;
    times.set(minute, (times.get(minute) ?? 0) + 1);
  }
  const usual = [...times]
    .filter(([, count]) => count >= rates.length * USUAL_SHARE)
    .map(([minute]) => minute)
    .sort((a, b) => a - b);
  const name = rates[0] && sourceOfRate(rates[0]).name;
  return {
    source,
    ...(typeof name === 'string' && { name }),
    row_count: rates.length,
    start_date: from,
    end_date: to,
    usual_fix_times_utc: usual.map((minute) => isoSeconds(minute * 60).slice(11, 16)),
  };
}

/** Notes that mark computed rates and assumed times, so that nobody takes them for published ones. */
export function rateNotes(pair: Pair, rates: readonly Rate[]): readonly string[] {
  const notes: string[] = [];
  const pairs = new Set<string>();
  for (const { isDerived, isStored, sourcePair } of rates) if (isDerived && !isStored) pairs.add(sourcePair);
  if (pairs.size > 0)
    notes.push(`${pairText(pair)} is computed from ${[...pairs].join('; ').replaceAll(',', ' and ')}.`);
  return [...notes, ...assumedTimes(rates)];
}

/** The file of a publisher states no times: the note that says which ones are assumed, where any is. */
export function assumedTimes(rates: readonly Pick<Rate, 'assumed' | 'parts'>[]): readonly string[] {
  const origins = new Set<string>();
  for (const { assumed, parts } of rates) if (assumed) for (const { origin } of parts) origins.add(origin);
  const times = [...origins].flatMap((origin) => {
    const publisher = fxPublisherOf(origin);
    return publisher ? [`${publisher.name}: ${publisher.when}`] : [];
  });
  if (times.length === 0) return [];
  return [`Times of imported rates are assumed: the scheduled hour of publication (${times.join('; ')}).`];
}

/** Publishers whose rates an answer may miss. */
export function absentNotes(names: readonly string[], { from, to }: Range): readonly string[] {
  if (names.length === 0) return [];
  const dates = from === to ? from : `all of ${from} to ${to}`;
  return [`No imported file covers ${dates} for: ${names.join(', ')}.`];
}

/** The notes of an answer about an unknown source: the valid ids. `known` are the ids of `what`. */
export function unknownSourceNotes(
  source: string | undefined,
  { known, what }: { readonly known: Iterable<string>; readonly what: string },
): readonly string[] {
  const ids = [...new Set(known)].sort();
  if (source === undefined || ids.length === 0 || ids.includes(source)) return [];
  const guess = nearest(source, ids);
  const meant = guess === undefined ? '' : ` Did you mean ${guess}?`;
  return [`'${source}' is no source of ${what} here: sources are ${ids.join(', ')}.${meant}`];
}
