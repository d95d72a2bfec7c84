// Which path and which source stands behind each rate of a pair: what windows count of them, and indicators by source.
import type { LoadedSeries, PlaceRange } from '../../contract/hooks.ts';
import { asJsonText, type JsonText } from '../../contract/json/json.ts';
import { firstPlace } from '../../contract/time/coverage.ts';
import { dayRangeWithin } from '../places.ts';
import type { Technicals } from '../technicals/technicals.ts';
import { type CheckedPoint, endText, isWhollyMade, type RowTechnicals, tailText } from './forex-rows.ts';
import type { Rates } from './path-rates.ts';
import type { Path } from './paths.ts';
import type { Consistency } from './rates.ts';

/** Facts about all rows of a window together. */
export interface WindowFacts {
  readonly rows: number;
  /** All of them are made here, of nothing but dates and values. */
  readonly areMade: boolean;
  /** Where the value of such a row comes from, and the end of its text. */
  tailAt(place: number): JsonText;
  endAt(place: number): string;
  /** Equal in windows whose rows came by the same paths in the same order, from the same series, and passed the same checks. */
  readonly name: string;
  /** How many rows came by each path, that of the newest row first. */
  readonly paths: ReadonlyMap<Path, number>;
  readonly series: ReadonlySet<LoadedSeries>;
  /** The check of all these series; not applicable without any. */
  readonly check: Consistency;
}

/** How rates came about that say the same of themselves. */
interface Derivation {
  readonly path: Path;
  readonly series: readonly LoadedSeries[];
  readonly check: Consistency;
  /** Nothing of it was stored but dates and values. */
  readonly isMade: boolean;
  readonly tail: JsonText;
  readonly end: string;
}

export interface Derivations {
  /** Their size in memory, roughly. */
  readonly bytes: number;
  factsOf(range: PlaceRange): WindowFacts;
}

/** The derivation of each row of a range. Many rows in succession have the same one, so a window counts such runs. */
export function derivationsOf({ start, end }: PlaceRange, pointAt: (place: number) => CheckedPoint): Derivations {
  const of = new Uint16Array(end - start);
  const derivations: Derivation[] = [];
  const starts: number[] = [];
  let last = -1;
  for (let at = 0; at < of.length; at += 1) {
    const point = pointAt(start + at);
    const isMade = isWhollyMade(point);
    let derivation = isOfDerivation(derivations[last], point, isMade)
      ? last
      : derivations.findIndex((one) => isOfDerivation(one, point, isMade));
    if (derivation < 0) {
      const { path, check, parts } = point;
      const tail = isMade ? tailText(point) : asJsonText('null');
      derivation =
        derivations.push({ path, check, isMade, series: parts.map(({ series }) => series), tail, end: endText(tail) }) -
        1;
    }
    if (derivation !== last) starts.push(at);
    of[at] = derivation;
    last = derivation;
  }
  return {
    bytes: of.byteLength + derivations.length * DERIVATION_BYTES,
    factsOf: (range) => factsOver({ derivations, of, start, starts }, range),
  };
}

const DERIVATION_BYTES = 2_000;

function isOfDerivation(
  derivation: Derivation | undefined,
  { path, check, parts }: CheckedPoint,
  isMade: boolean,
): boolean {
  if (derivation?.path !== path || derivation.check !== check || derivation.isMade !== isMade) return false;
  return derivation.series.every((series, leg) => series === parts[leg]?.series);
}

/** Rows of a range by their derivations, and the first row of each run of one. */
interface Stretches {
  readonly derivations: readonly Derivation[];
  readonly of: Uint16Array;
  /** The first row, among all. */
  readonly start: number;
  readonly starts: readonly number[];
}

function factsOver({ derivations, of, start, starts }: Stretches, range: PlaceRange): WindowFacts {
  const counts = new Map<Derivation, number>();
  const [from, to] = [range.start - start, range.end - start];
  // The range that the first row is in.
  const begin = firstPlace(starts.length, (place) => (starts[place] ?? 0) > from) - 1;
  for (let i = begin; from < to && (starts[i] ?? to) < to; i += 1) {
    const first = Math.max(from, starts[i] ?? 0);
    const derivation = derivations[of[first] ?? 0];
    if (derivation) counts.set(derivation, (counts.get(derivation) ?? 0) + Math.min(to, starts[i + 1] ?? to) - first);
  }
  const used = [...counts.keys()];
  const has = (wanted: Consistency) => used.some(({ check }) => check === wanted);
  const check: Consistency = has('failed') ? 'failed' : has('passed') ? 'passed' : 'not_applicable';
  const derivationAt = (place: number) => derivations[of[place - start] ?? 0];
  return {
    rows: to - from,
    areMade: used.every(({ isMade }) => isMade),
    tailAt: (place) => derivationAt(place)?.tail ?? asJsonText('null'),
    endAt: (place) => derivationAt(place)?.end ?? '',
    get paths() {
      const paths = new Map<Path, number>();
      for (const [{ path }, count] of counts) paths.set(path, (paths.get(path) ?? 0) + count);
      return paths;
    },
    get series() {
      return new Set(used.flatMap(({ series }) => series));
    },
    check,
    get name() {
      const paths = new Set(used.map(({ path }) => derivations.findIndex((one) => one.path === path)));
      const places = used.map((derivation) => derivations.indexOf(derivation)).sort((a, b) => a - b);
      return `${check} ${[...paths]} ${places}`;
    },
  };
}

/** Technical indicators of a pair; rows are counted from its newest one. */
export interface Indicators {
  /** Their size in memory, roughly. */
  readonly bytes: number;
  /** The fields of every row. */
  readonly fields: readonly string[];
  ofRow(place: number): RowTechnicals;
  /** The fields with a value that is null in any of these rows because a bar that it rests on is not covered. */
  withheld(range: PlaceRange): readonly string[];
  /** The top-level `indicators` of a row; every name null without one. */
  newestAt(place: number | undefined): ReturnType<Technicals['indicatorsAt']>;
}

/** Gives the indicators of at least so many of the newest rows. */
export type IndicatorsOf = (names: readonly string[], shown: number) => Indicators;

/** Rows that follow each other and come from the same sources, newest first. */
export interface SourceSpan extends PlaceRange {
  readonly origin: string;
  readonly origins: ReadonlySet<string>;
}

/** The pair as one source has it. */
interface OwnRows {
  readonly dates: readonly string[];
  readonly indicators: IndicatorsOf;
}

export function sourceSpans(rates: Rates): readonly SourceSpan[] {
  const spans: { start: number; end: number; readonly origin: string; readonly origins: ReadonlySet<string> }[] = [];
  for (let place = 0; place < rates.dates.length; place += 1) {
    const origins = new Set(rates.pointAt(place).parts.map(({ series }) => series.ref.origin));
    const origin = [...origins].sort().join(' and ');
    const last = spans.at(-1);
    if (last?.origin === origin) last.end = place + 1;
    else spans.push({ start: place, end: place + 1, origin, origins });
  }
  return spans;
}

/**
 * Indicators of rows of several sources. Each row has the indicators of its own source, computed over all rows of that
 * source, even on dates that another source decides. `ownRows` gives undefined for a row that needs all sources: it has
 * those of `joint`.
 */
export function indicatorsBySource(
  spans: readonly SourceSpan[],
  dates: readonly string[],
  { ownRows, joint }: { ownRows(span: SourceSpan): OwnRows | undefined; readonly joint: IndicatorsOf },
): IndicatorsOf {
  const kept = new Map<string, OwnRows | undefined>();
  const ownOf = (span: SourceSpan) => {
    if (!kept.has(span.origin)) kept.set(span.origin, ownRows(span));
    return kept.get(span.origin);
  };
  return (names, shown) => {
    const oldest = dates.slice(0, shown).at(-1) ?? '';
    const made = new Map<string, { readonly own: OwnRows | undefined; readonly of: Indicators }>();
    const ofSpan = (span: SourceSpan | undefined) => {
      const name = span?.origin ?? '';
      const before = made.get(name);
      if (before) return before;
      const own = span && ownOf(span);
      const one = { own, of: own ? own.indicators(names, placeWithin(own, oldest) + 1) : joint(names, shown) };
      made.set(name, one);
      return one;
    };
    /** The indicators that a row has, and its place there. */
    const at = (place: number): { readonly of: Indicators; readonly place: number } => {
      const { own, of } = ofSpan(spans[firstPlace(spans.length, (at) => (spans[at]?.end ?? 0) > place)]);
      return { of, place: own ? placeWithin(own, dates[place] ?? '') : place };
    };
    return {
      fields: at(0).of.fields,
      bytes: 0,
      ofRow(place) {
        const found = at(place);
        return found.of.ofRow(found.place);
      },
      newestAt(place) {
        const found = at(place ?? 0);
        return found.of.newestAt(place === undefined ? undefined : found.place);
      },
      withheld: ({ start, end }) => [
        ...new Set(
          spans.flatMap((span) => {
            const [from, to] = [Math.max(start, span.start), Math.min(end, span.end)];
            if (from >= to) return [];
            const [first, last] = [at(from), at(to - 1)];
            return first.of.withheld({ start: first.place, end: last.place + 1 });
          }),
        ),
      ],
    };
  };
}

/** The place of a date, or of the first one before it. */
function placeWithin({ dates }: OwnRows, date: string): number {
  return dayRangeWithin(dates, date, date).start;
}
