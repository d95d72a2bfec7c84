import type { Envelope } from '../../contract/hooks.ts';
import { isJsonObject, type JsonObject, toJsonText } from '../../contract/json/json.ts';
import { type Print, patched } from './print.ts';

/** The selectors that answers echo. */
const SELECTORS = ['seasonality', 'frequency', 'annualization', 'period_aggregation', 'basis', 'revisions'] as const;

export type SelectorArgs = { readonly [Name in (typeof SELECTORS)[number]]?: string | undefined };

export interface SeriesName extends SelectorArgs {
  readonly currency: string;
  readonly indicator: string;
}

/**
 * What the answer says of the series itself: the stored members, and for series that came without them (imported or
 * generated ones) what follows from their unit and the asked selectors. Sections 8 and 9.19.
 */
export function seriesMembers(args: SeriesName, stored: JsonObject): Envelope {
  const selected = selectedSeries(args, stored);
  const { unit } = stored;
  return {
    currency: args.currency,
    indicator: args.indicator,
    is_proxy: stored.is_proxy ?? false,
    remap: stored.remap ?? {
      applied: false,
      rule_id: null,
      transform: 'raw',
      canonical_indicator: args.indicator,
    },
    filters: Object.fromEntries(SELECTORS.map((name) => [name, args[name] ?? null])),
    selected_series_id: selected.series_id,
    selected_series: selected,
    supported_options: stored.supported_options ?? supportedBy(selected),
    value_metadata:
      stored.value_metadata ??
      (typeof unit === 'string' ? { source_unit: unit, normalization_applied: false } : undefined),
  };
}

/** The stored description with the asked vintage, or one made by the service's own rule for series ids. */
function selectedSeries(args: SeriesName, stored: JsonObject): JsonObject {
  const revisions = args.revisions ?? 'latest';
  if (isJsonObject(stored.selected_series)) return { ...stored.selected_series, revisions };
  const frequency = args.frequency ?? transformationOf(stored.unit);
  const seasonality = args.seasonality ?? seasonalityOf(stored.seasonal_adjustment);
  const { annualization = null, period_aggregation = null, basis = null } = args;
  const period = [annualization, period_aggregation].filter((word) => word !== null);
  const tail = period.length > 0 ? period.join('_') : 'standard_period';
  const made = `${args.currency.toLowerCase()}_${args.indicator}_canonical_${frequency}_${seasonality ?? 'default'}_${tail}`;
  const label = [stored.name ?? args.indicator, frequency.toUpperCase(), seasonality?.toUpperCase()];
  return {
    series_id: typeof stored.selected_series_id === 'string' ? stored.selected_series_id : made,
    label: label.filter((part) => part !== undefined).join(', '),
    source_series_id: stored.source_series_id ?? null,
    seasonality: seasonality ?? null,
    frequency,
    annualization,
    period_aggregation,
    basis,
    revisions,
  };
}

function transformationOf(unit: unknown): string {
  const match = typeof unit === 'string' ? /%\s?(yoy|qoq|mom)/i.exec(unit) : null;
  return match?.[1]?.toLowerCase() ?? 'level';
}

function seasonalityOf(adjustment: unknown): string | undefined {
  return adjustment === 'SA' || adjustment === 'NSA' ? adjustment.toLowerCase() : undefined;
}

/** Only what the series is, and every choice of vintages: those are computed here. */
function supportedBy(selected: JsonObject): Envelope {
  const only = (name: string) => (typeof selected[name] === 'string' ? [selected[name]] : []);
  return {
    ...Object.fromEntries(SELECTORS.map((name) => [name, only(name)])),
    revisions: ['latest', 'first', 'final', 'all'],
  };
}

/** The print with the identifiers of its row, where it came without them. */
export function withIdentity(print: Print, args: SeriesName, seriesId: unknown): Print {
  const { row, date } = print;
  return patched(print, {
    ...(row.announcement_id === undefined && {
      announcement_id: toJsonText(`${args.currency.toLowerCase()}_${args.indicator}_${date}`),
    }),
    ...(row.observation_id === undefined && { observation_id: toJsonText(`${seriesId}_${date}`) }),
  });
}
