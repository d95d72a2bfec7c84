import type { KeptValue, LoadedSeries } from '../../../src/contract/hooks.ts';
import { asJsonText, type JsonObject } from '../../../src/contract/json/json.ts';
import { FULL_COVERAGE, NO_COVERAGE } from '../../../src/contract/time/coverage.ts';

export interface Held {
  readonly endpoint?: string;
  readonly scope: Readonly<Record<string, string>>;
  readonly origin?: string;
  readonly source?: string;
  readonly envelope?: JsonObject;
  readonly checkedAt?: number;
  readonly proven?: boolean;
  readonly rows: readonly JsonObject[];
  readonly kept?: ReadonlyMap<string, readonly KeptValue[]>;
}

/** A series as the mirror would load it: all members of a row are its columns. */
export function held(one: Held): LoadedSeries {
  const { endpoint = 'announcements', scope, origin = 'service', checkedAt = 1, proven = true, kept } = one;
  return {
    ref: { endpoint, scope, origin, checkedAt },
    envelope: { ...(one.source !== undefined && { source: one.source }), ...one.envelope },
    coverage: proven ? FULL_COVERAGE : NO_COVERAGE,
    proven,
    rows: one.rows.map((row) => {
      const text = asJsonText(JSON.stringify(row));
      return { text, columns: JSON.parse(text) };
    }),
    ...(kept && { kept }),
  };
}

/** The history of one rate; `[date, value]` or `[date, value, release]`, newest first. */
export function rate(
  currency: string,
  indicator: string,
  values: readonly (readonly [date: string, val: number | null, release?: number])[],
  more: Partial<Held> = {},
): LoadedSeries {
  const rows = values.map(([date, val, release]) => ({
    date,
    val,
    ...(release !== undefined && { announcement_datetime: release }),
  }));
  return held({ scope: { currency, indicator }, source: `${currency} treasury`, rows, ...more });
}

/** The catalogue of a currency: a list of its indicators. */
export function catalogue(currency: string, slugs: readonly string[]): LoadedSeries {
  return held({ endpoint: 'data_catalogue', scope: { currency }, rows: slugs.map((slug) => ({ slug })) });
}

/** The catalogues of series that list those and nothing else. */
export function cataloguesOf(loaded: readonly LoadedSeries[]): readonly LoadedSeries[] {
  return [...Map.groupBy(loaded, ({ ref }) => ref.scope.currency ?? '')].map(([currency, all]) =>
    catalogue(
      currency,
      all.flatMap(({ ref }) => ref.scope.indicator ?? []),
    ),
  );
}
