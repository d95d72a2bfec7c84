import type { JsonObject } from '../contract/json/json.ts';
import { seriesId } from './announced/announcements-envelope.ts';
import type { Series } from './calendar/schedule.ts';
import { type GeneratedSeries, rowOf, SANDBOX_LABEL, SANDBOX_URL } from './rows.ts';

/** One contract template for each series: a decision for the policy rate, a threshold for everything else. */
export function generateContracts(all: readonly Series[]): GeneratedSeries {
  const templates = all.map(templateOf).sort((a, b) => (a.contract_id < b.contract_id ? -1 : 1));
  return {
    endpoint: 'settlement_contracts',
    scope: {},
    envelope: { count: templates.length },
    rows: templates.map((template) => rowOf('settlement_contracts', template)),
  };
}

function templateOf(series: Series): JsonObject & { readonly contract_id: string } {
  const { currency, indicator } = series;
  const decides = indicator.slug === 'policy_rate';
  const type = decides ? 'decision' : 'threshold';
  const code = currency.toLowerCase();
  return {
    contract_id: `${code}_${indicator.slug}_${type}`,
    title: `${currency} ${indicator.name} ${decides ? 'decision' : 'above strike'}, synthetic`,
    currency,
    indicator: indicator.slug,
    series_id: seriesId(series),
    unit: indicator.unit,
    publisher: SANDBOX_LABEL,
    source_url: `${SANDBOX_URL}${code}/${indicator.slug}`,
    precision: indicator.decimals,
    outcome_rule: decides
      ? { type, outcomes: ['hike', 'hold', 'cut'] }
      : { type, comparison: 'gt', outcomes: ['yes', 'no'] },
    settles_on: 'first_print',
  };
}
