// Rows of a pair by the source that speaks for them, and indicators over the rows of one source alone.
import type { PlaceRange } from '../../contract/hooks.ts';
import { dayRangeWithin } from '../places.ts';
import type { Technicals } from '../technicals/technicals.ts';
import type { RowTechnicals } from './forex-rows.ts';
import type { Rates } from './routes.ts';

/** Technical indicators of a pair; rows are counted from its newest one. */
export interface Indicators {
  /** Those that every row has. */
  readonly fields: readonly string[];
  ofRow(place: number): RowTechnicals;
  /** Is a value of any of these rows null because a bar that it rests on is not covered? */
  hasWithheld(range: PlaceRange): boolean;
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
 * Indicators of rows of several sources: each row has those of its own source, computed over all rows of that source, also
 * over those of dates for which another source speaks. `ownRows` gives undefined for a row that needs all sources: it has
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
      const { own, of } = ofSpan(spanAt(spans, place));
      return { of, place: own ? placeWithin(own, dates[place] ?? '') : place };
    };
    return {
      fields: at(0).of.fields,
      ofRow(place) {
        const found = at(place);
        return found.of.ofRow(found.place);
      },
      newestAt(place) {
        const found = at(place ?? 0);
        return found.of.newestAt(place === undefined ? undefined : found.place);
      },
      hasWithheld: ({ start, end }) =>
        spans.some((span) => {
          const [from, to] = [Math.max(start, span.start), Math.min(end, span.end)];
          if (from >= to) return false;
          const [first, last] = [at(from), at(to - 1)];
          return first.of.hasWithheld({ start: first.place, end: last.place + 1 });
        }),
    };
  };
}

function spanAt(spans: readonly SourceSpan[], place: number): SourceSpan | undefined {
  let [low, high] = [0, spans.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((spans[middle]?.end ?? 0) <= place) low = middle + 1;
    else high = middle;
  }
  return spans[low];
}

/** The place of a date, or of the first one before it. */
function placeWithin({ dates }: OwnRows, date: string): number {
  return dayRangeWithin(dates, date, date).start;
}
