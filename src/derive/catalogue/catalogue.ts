import { needsKey, PUBLIC_CURRENCY } from '../../contract/access.ts';
import type { Derived, Envelope, PageView, SeriesRoute } from '../../contract/hooks.ts';
import { patchRow } from '../../contract/json/body.ts';
import { type JsonText, objectIn, readJson, toJsonText } from '../../contract/json/json.ts';
import { dateOf, daysBetween, isCalendarDate } from '../../contract/time/time.ts';

export interface CatalogueArgs {
  readonly currency: string;
  readonly include_capabilities: boolean;
  readonly include_coverage: boolean;
  readonly indicator?: string | undefined;
}

/**
 * The catalogue as of the day of the question, with the members that it adds when asked: how complete the series are, and
 * what the routes of a currency need.
 */
export function deriveCatalogue(view: PageView<CatalogueArgs>): Derived {
  const { args, now } = view;
  const rows = view.rows.map((text) => asOfDay(text, dateOf(now * 1000)));
  return {
    rows,
    envelope: {
      coverage: args.include_coverage ? coverageOf({ ...view, rows }) : undefined,
      capabilities: args.include_capabilities ? capabilitiesOf(args.currency, view.routes ?? []) : undefined,
    },
  };
}

/** An entry whose lag and freshness are those of a day. See docs/interface.md#catalogue. */
function asOfDay(text: JsonText, today: string): JsonText {
  const coverage = coverageIn(text);
  const newest = coverage.latest_release_date ?? coverage.latest_available_date;
  if (typeof coverage.data_lag_days !== 'number' || typeof newest !== 'string' || !isCalendarDate(newest)) return text;
  const lag = daysBetween(newest, today);
  if (lag === coverage.data_lag_days) return text;
  const limit = coverage.stale_after_days;
  const fresh = typeof limit === 'number' ? lag <= limit : undefined;
  const moved = {
    ...coverage,
    data_lag_days: lag,
    ...(fresh !== undefined &&
      coverage.freshness_quality !== undefined && { freshness_quality: fresh ? 'fresh' : 'stale' }),
    // Data may be missing for other reasons than its age.
    ...(fresh === false && coverage.has_recent_data === true && { has_recent_data: false }),
  };
  return patchRow(text, { coverage: toJsonText(moved) });
}

/** The older list: the coverage of each entry under its slug. `indicator` filters it and nothing else. */
function coverageOf({ args, rows, names = [] }: PageView<CatalogueArgs>): readonly Envelope[] {
  return rows.flatMap((text, i) => {
    const indicator = names[i];
    if (indicator === undefined || (args.indicator !== undefined && indicator !== args.indicator)) return [];
    return [{ indicator, ...coverageIn(text) }];
  });
}

function coverageIn(text: JsonText): Envelope {
  const entry: unknown = readJson(text);
  return objectIn(objectIn(entry).coverage);
}

/** What each route that takes the currency asks for. See docs/interface.md#catalogue. */
export function capabilitiesOf(currency: string, routes: readonly SeriesRoute[]): Envelope {
  const offered = routes.filter(({ currencies }) => currencies === undefined || currencies.includes(currency));
  return {
    currency,
    endpoints: offered.map(({ path, method, access }) => ({
      path,
      method,
      // A list filter that is narrowed answers a keyless caller with the public currency only.
      requires_api_key: access.narrows === undefined ? needsKey(access, { currency }) : currency !== PUBLIC_CURRENCY,
    })),
    auth: {
      header: 'X-API-Key',
      bearer: 'Authorization: Bearer',
      keyless_scope:
        currency === PUBLIC_CURRENCY
          ? 'Public routes, and USD announcements of the last 90 days, 15 minutes after their release.'
          : 'Public routes only: this currency needs a key.',
    },
  };
}
