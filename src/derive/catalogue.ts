import { needsKey, PUBLIC_CURRENCY } from '../contract/access.ts';
import type {
  Compose,
  Derived,
  Envelope,
  HookContext,
  LoadedSeries,
  PageView,
  SeriesRef,
  SeriesRoute,
} from '../contract/hooks.ts';
import { patchRow } from '../contract/json/body.ts';
import { type Json, type JsonObject, type JsonText, objectIn, readJson, toJsonText } from '../contract/json/json.ts';
import { dateOf, daysBetween, isCalendarDate } from '../contract/time/time.ts';
import { MAIN_CURRENCIES } from '../contract/words/words.ts';

export interface CatalogueArgs {
  readonly currency: string;
  readonly include_capabilities: boolean;
  readonly include_coverage: boolean;
  readonly indicator?: string | undefined;
}

interface CapabilitiesArgs {
  readonly currency: string | undefined;
}

interface MatrixArgs extends CapabilitiesArgs {
  readonly indicator: string | undefined;
}

/** The access that the routes of each currency need: currencies of the table, and those with a stored catalogue. */
export const composeCapabilities: Compose<CapabilitiesArgs> = {
  version: 1,
  reads: cataloguesOf,
  needs: 'none',
  // That there is a catalogue is enough.
  rowsNeeded: () => ({ newest: 0 }),
  vouches: () => undefined,
  build(loaded, { args, routes = [] }) {
    const stored = loaded.map(currencyOf);
    const currencies = args.currency === undefined ? [...MAIN_CURRENCIES, ...stored] : [args.currency];
    const rows = [...new Set(currencies)].sort().map((currency) => {
      const { endpoints } = capabilitiesOf(currency, routes);
      return toJsonText({ currency, endpoints });
    });
    return listOf(rows);
  },
};

/** Indicators of each currency, with their first and last dates: the catalogues as one list. */
export const composeCoverageMatrix: Compose<MatrixArgs> = {
  version: 1,
  reads: cataloguesOf,
  // Nobody can tell from some catalogues that there are no others.
  vouches: ({ currency }, picked) => (currency === undefined ? undefined : { series: picked }),
  build: buildMatrix,
};

/** The catalogue on the day of the question, with completeness and needs of routes where asked. */
export function deriveCatalogue(view: PageView<CatalogueArgs>): Derived {
  const { args, now } = view;
  const rows = view.rows.map(({ key, text }) => ({ key, text: asOfDay(text, dateOf(now * 1000)) }));
  return {
    rows: rows.map(({ text }) => text),
    envelope: {
      coverage: args.include_coverage ? coverageOf({ args, rows }) : undefined,
      capabilities: args.include_capabilities ? capabilitiesOf(args.currency, view.routes ?? []) : undefined,
    },
  };
}

/** An entry whose lag and freshness are those of a day. See docs/interface-endpoints.md#catalogue. */
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
function coverageOf({ args, rows }: Pick<PageView<CatalogueArgs>, 'args' | 'rows'>): readonly Envelope[] {
  return rows.flatMap(({ key: [name], text }) => {
    const indicator = String(name);
    if (args.indicator !== undefined && indicator !== args.indicator) return [];
    return [{ indicator, ...coverageIn(text) }];
  });
}

function coverageIn(text: JsonText): Envelope {
  const entry: unknown = readJson(text);
  return objectIn(objectIn(entry).coverage);
}

/** The access that each route of a currency needs. See docs/interface-endpoints.md#catalogue. */
function capabilitiesOf(currency: string, routes: readonly SeriesRoute[]): Envelope {
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

function buildMatrix(loaded: readonly LoadedSeries[], { args }: HookContext<MatrixArgs>) {
  const rows = [...loaded]
    .sort((a, b) => (currencyOf(a) < currencyOf(b) ? -1 : 1))
    .flatMap((series) =>
      series.rows.flatMap(({ columns, text }) => {
        const indicator = String(columns.slug);
        if (args.indicator !== undefined && args.indicator !== indicator) return [];
        return [toJsonText({ currency: currencyOf(series), indicator, ...extentIn(readJson(text)) })];
      }),
    );
  const codes = loaded.map(currencyOf).sort().join(', ');
  return {
    ...listOf(rows),
    notes: args.currency === undefined ? [`Made from the stored catalogues: ${codes}.`] : [],
  };
}

/** Members of an entry's coverage that the matrix has; what an entry does not say is left out. */
function extentIn(entry: Json): JsonObject {
  const coverage = objectIn(objectIn(entry).coverage);
  const names = ['available', 'row_count', 'earliest_available_date', 'latest_available_date'];
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = coverage[name];
      return value === undefined || value === null ? [] : [[name, value]];
    }),
  );
}

function cataloguesOf({ currency }: CapabilitiesArgs): readonly SeriesRef[] {
  return [{ endpoint: 'data_catalogue', scope: currency === undefined ? {} : { currency } }];
}

function currencyOf({ ref }: LoadedSeries): string {
  return ref.scope.currency ?? '';
}

function listOf(rows: readonly JsonText[]) {
  return { envelope: { count: rows.length }, rows, total: rows.length };
}
