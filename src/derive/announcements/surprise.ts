// Surprises: the differences between first prints and their forecasts.
import { decimalOf, roundHalfEven, subtract, toNumber } from '../decimal.ts';

/** A forecast of the print of a period. */
export interface MadeForecast {
  readonly date: string;
  readonly val: number;
  readonly source: string;
  /** When it was made, in Unix seconds. */
  readonly madeAt: number;
  /** Among forecasts of one print, the lowest rank counts. */
  readonly rank: number;
}

export interface Surprise {
  readonly source: string;
  /** The first print less the forecast, in the unit of the series. */
  readonly surprise: number;
  /** The same in sample deviations of the earlier surprises of the source; null while there are fewer than eight. */
  readonly standardized: number | null;
}

const MIN_EARLIER = 8;

/** Decimals of a surprise in deviations. */
const DIGITS = 6;

/** Surprises by the date of their period, against the newest forecast of each source from before the release. */
export function surprisesOf(
  prints: readonly { readonly date: string; readonly val: number; readonly release: number }[],
  forecasts: readonly MadeForecast[],
): ReadonlyMap<string, Surprise> {
  const byDate = Map.groupBy(forecasts, ({ date }) => date);
  const earlier = new Map<string, number[]>();
  const found = new Map<string, Surprise>();
  // Prints of one moment know nothing of each other.
  const moments = Map.groupBy(prints, ({ release }) => release);
  for (const [release, together] of [...moments].sort(([a], [b]) => a - b)) {
    const made = together.flatMap((print) =>
      newestBySource(byDate.get(print.date) ?? [], release).map((forecast) => ({ print, forecast })),
    );
    const misses = made.map(({ print, forecast }) => ({
      print,
      forecast,
      surprise: difference(print.val, forecast.val),
    }));
    for (const { print, forecast, surprise } of misses) {
      // The first one is of the lowest rank.
      if (found.has(print.date)) continue;
      const deviation = deviationOf(earlier.get(forecast.source) ?? []);
      found.set(print.date, {
        source: forecast.source,
        surprise,
        standardized: deviation === undefined ? null : roundHalfEven(surprise / deviation, DIGITS),
      });
    }
    for (const { forecast, surprise } of misses)
      earlier.set(forecast.source, [...(earlier.get(forecast.source) ?? []), surprise]);
  }
  return found;
}

/** The newest forecast of each source before a release; lowest rank first, then the newest. */
function newestBySource(forecasts: readonly MadeForecast[], release: number): readonly MadeForecast[] {
  const known = forecasts.filter(({ madeAt }) => madeAt < release);
  const sorted = known.toSorted((a, b) => a.rank - b.rank || b.madeAt - a.madeAt || (a.source < b.source ? -1 : 1));
  return sorted.filter(({ source }, i) => sorted.findIndex((one) => one.source === source) === i);
}

/** In decimals: 0.3 - 0.1 is 0.2. */
function difference(a: number, b: number): number {
  const [left, right] = [decimalOf(a), decimalOf(b)];
  return left && right ? toNumber(subtract(left, right)) : a - b;
}

/** Undefined of fewer than eight, and where all are equal. */
function deviationOf(values: readonly number[]): number | undefined {
  if (values.length < MIN_EARLIER) return undefined;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return values.every((value) => value === values[0]) ? undefined : Math.sqrt(squares / (values.length - 1));
}
