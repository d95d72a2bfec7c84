import type { LoadedRow, LoadedSeries, StoredRef } from '../../contract/hooks.ts';
import { parseObject } from '../../contract/json/json.ts';
import { byOrigin, isBaseSeries } from '../announcements/series-choice.ts';
import { byYears, type Maturity, maturityOfLabel, maturityOfSlug } from './maturity.ts';
import {
  confirmedAt,
  type MarketObservation,
  mergeByDate,
  type ObservedMoment,
  observeMarket,
} from './observations.ts';

/** A value of a maturity, and the row in which the service itself listed it as a node, if it did. */
export interface NodeObservation extends MarketObservation {
  readonly listed?: LoadedRow;
}

/** What is known of one maturity, newest first. */
export interface NodeLine {
  readonly maturity: Maturity;
  readonly observations: readonly NodeObservation[];
}

/** True for a series that can give nodes of a curve: yields of one maturity, or the service's own nodes. */
export function givesNodes(ref: StoredRef): boolean {
  if (ref.endpoint === 'curves') return true;
  return (
    ref.endpoint === 'announcements' && isBaseSeries(ref) && maturityOfSlug(ref.scope.indicator ?? '') !== undefined
  );
}

/** The maturities of one currency, shortest first, from its yields and from the nodes that the service listed. */
export function nodeLines(loaded: readonly LoadedSeries[], moment: ObservedMoment): readonly NodeLine[] {
  const parts = [...loaded]
    .filter(({ ref }) => givesNodes(ref))
    .sort((a, b) => byOrigin(a, b) || (a.ref.endpoint < b.ref.endpoint ? -1 : 1))
    .flatMap((series) =>
      series.ref.endpoint === 'curves' ? listedLines(series, moment) : [yieldLine(series, moment)],
    );
  return [...Map.groupBy(parts, ({ maturity }) => maturity.label).values()]
    .flatMap((same) => (same[0] ? [{ maturity: same[0].maturity, observations: merge(same, moment) }] : []))
    .sort((a, b) => byYears(a.maturity, b.maturity));
}

interface Part extends NodeLine {
  readonly series: LoadedSeries;
}

function yieldLine(series: LoadedSeries, moment: ObservedMoment): Part {
  const maturity = maturityOfSlug(series.ref.scope.indicator ?? '');
  if (!maturity) throw new RangeError(`${series.ref.scope.indicator} is no yield`);
  return { series, maturity, observations: observeMarket(series, moment) };
}

function listedLines(series: LoadedSeries, moment: ObservedMoment): readonly Part[] {
  const labels = new Map(series.rows.map((row) => [String(row.columns.maturity), row]));
  return [...labels].flatMap(([label, example]) => {
    const maturity = maturityOfLabel(label) ?? maturityOfRow(label, example);
    if (!maturity) return [];
    const own = observeMarket(series, moment, (row) => row.columns.maturity === label);
    return [{ series, maturity, observations: own.map((one) => ({ ...one, listed: one.row })) }];
  });
}

/** A label that we cannot read still has its years beside it. */
function maturityOfRow(label: string, row: LoadedRow): Maturity | undefined {
  const { maturity_years: years } = parseObject(row.text);
  return typeof years === 'number' ? { label, years } : undefined;
}

/**
 * The observations of one maturity. Where a yield and a listed node differ, the one confirmed last speaks, of the past
 * the yield, which remembers its values; where they agree, the listed row is kept, which may say more than we know.
 */
function merge(parts: readonly Part[], { asOf }: ObservedMoment): readonly NodeObservation[] {
  const ranked = asOf === undefined ? [...parts].sort((a, b) => confirmedAt(b.series) - confirmedAt(a.series)) : parts;
  const listed = new Map(
    parts.flatMap(({ observations }) => observations.flatMap((one) => (one.listed ? [[one.date, one] as const] : []))),
  );
  return mergeByDate<NodeObservation>(ranked.map(({ observations }) => observations)).map((one) => {
    const twin = listed.get(one.date);
    return twin?.listed && twin.val === one.val ? { ...one, listed: twin.listed } : one;
  });
}
