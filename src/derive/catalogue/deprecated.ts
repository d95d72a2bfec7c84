import type { Compose, HookContext, LoadedSeries, SeriesRef } from '../../contract/hooks.ts';
import { type Json, type JsonObject, type JsonText, objectIn, readJson, toJsonText } from '../../contract/json/json.ts';
import { MAIN_CURRENCIES } from '../../contract/words/words.ts';
import { capabilitiesOf } from './catalogue.ts';

interface CapabilitiesArgs {
  readonly currency: string | undefined;
}

interface MatrixArgs extends CapabilitiesArgs {
  readonly indicator: string | undefined;
}

/** What the routes of each currency need: of the table's currencies and of those whose catalogue is stored. */
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

/** Which indicators are there for each currency, and from when to when: the catalogues as one list. */
export const composeCoverageMatrix: Compose<MatrixArgs> = {
  version: 1,
  reads: cataloguesOf,
  // Nobody can tell from some catalogues that there are no others.
  vouches: ({ currency }, picked) => (currency === undefined ? undefined : { series: picked }),
  build: buildMatrix,
};

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
    notes: args.currency === undefined ? [`Made of the catalogues that are held: ${codes}.`] : [],
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
