import type { PageArgs } from '../contract/endpoint.ts';
import type { Derived, PageView } from '../contract/hooks.ts';
import { parseObject } from '../contract/json/json.ts';
import { dateOf } from '../contract/time/time.ts';
import { marksOf, sourceQuality, windowCounts } from '../coverage/data-quality.ts';
import { hasRows } from '../coverage/missing-parts.ts';

export interface PriceArgs extends PageArgs {
  readonly currency: string;
  readonly source: string | undefined;
  readonly measure: string | undefined;
  readonly instrument_id: string | undefined;
  readonly issuer: string | undefined;
  readonly start_date: string | undefined;
  readonly end_date: string | undefined;
}

/** Members beside prices: the filters and the newest date. See docs/interface-endpoints.md#financial-prices. */
export async function derivePrices(view: PageView<PriceArgs>): Promise<Derived> {
  const { args, stored, now } = view;
  const { currency, source, measure, instrument_id, issuer, start_date, end_date } = args;
  const newest = await view.edge('newest');
  const latest = newest && String(parseObject(newest.text).date);
  const filters = { source, measure, instrument_id, issuer, start_date, end_date };
  return {
    envelope: {
      currency,
      count: view.rows.length,
      filters: Object.fromEntries(Object.entries(filters).map(([name, value]) => [name, value ?? null])),
      data_quality: marksOf({
        about: sourceQuality(stored),
        counts: await windowCounts(view),
        latest,
        today: dateOf(now * 1000),
        staleAfter: undefined,
        hasData: await hasRows(view),
      }),
    },
  };
}
