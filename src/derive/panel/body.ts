import { isJsonObject, type JsonObject } from '../../contract/json/json.ts';
import type { RawArgs } from '../../contract/params/param.ts';
import { MAX_AGE_DAYS, namedSeries } from '../../contract/params/params.ts';
import type { PostRead } from '../../contract/params/post.ts';
import { addDays, BEGINNING, dateOf, parseInstant } from '../../contract/time/time.ts';

/** Bounds of a question; see docs/interface-endpoints.md#panel. */
export const MOST_SERIES = 6;
export const MOST_DECISIONS = 10_000;

/** Days before a decision in which the newest period of any series lies that still comes out, an annual one included. */
export const BACK = 730;

/** Days from today, or from the last decision, to the last period that may have been published already. */
const AHEAD = 366;

const closed = (required: readonly string[], properties: JsonObject): JsonObject => ({
  type: 'object',
  additionalProperties: false,
  required,
  properties,
});

/** The question as a body. An age of null is no age, and a pin of null is no pin. */
export const panelPost: PostRead = {
  body: closed(['series', 'decision_times', 'start_date', 'end_date'], {
    series: {
      type: 'array',
      minItems: 1,
      maxItems: MOST_SERIES,
      items: closed(['currency', 'indicator'], {
        currency: { type: 'string', pattern: '^[A-Za-z]{3}$' },
        indicator: { type: 'string', pattern: '^[A-Za-z][A-Za-z0-9_]{0,79}$' },
        max_age_days: { type: ['integer', 'null'], minimum: 0, maximum: MAX_AGE_DAYS },
      }),
    },
    decision_times: {
      type: 'array',
      minItems: 1,
      maxItems: MOST_DECISIONS,
      description: 'dates, ISO 8601 date-times (UTC without an offset) or Unix seconds, in any order',
      items: { type: ['string', 'integer'], format: 'instant' },
    },
    start_date: { type: 'string', format: 'date' },
    end_date: { type: 'string', format: 'date' },
    availability: { type: 'string', enum: ['public', 'captured'], default: 'public' },
    dataset_version: { type: ['string', 'null'], pattern: '^[0-9a-f]{64}$' },
  }),
  toQuery: (body) => ({
    series: listIn(body.series).flatMap(seriesText).join(','),
    decision_times: listIn(body.decision_times).map(String).join(','),
    ...textsIn(body, ['start_date', 'end_date', 'availability', 'dataset_version']),
  }),
  toBody: (args) => ({
    series: listIn(args.series).map((item) => {
      const { currency, indicator, maxAgeDays } = namedSeries(String(item));
      return { currency, indicator, ...(maxAgeDays !== undefined && { max_age_days: maxAgeDays }) };
    }),
    decision_times: listIn(args.decision_times).map(String),
    ...textsIn(args, ['start_date', 'end_date', 'availability', 'dataset_version']),
  }),
};

function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function seriesText(item: unknown): readonly string[] {
  if (!isJsonObject(item)) return [];
  const { currency, indicator, max_age_days: age } = item;
  const name = `${String(currency)}:${String(indicator)}`;
  return [typeof age === 'number' ? `${name}:${age}` : name];
}

function textsIn(from: Readonly<Record<string, unknown>>, names: readonly string[]): Readonly<Record<string, string>> {
  const given = names.flatMap((name) => {
    const value = from[name];
    return typeof value === 'string' ? [[name, value] as const] : [];
  });
  return Object.fromEntries(given);
}

/** The default window of periods: all that any decision could know, so that other decisions change nothing. */
export function fillWindow(query: RawArgs['query'], today: string): RawArgs['query'] {
  const times = (query.decision_times ?? '').split(',').flatMap((item) => parseInstant(item) ?? []);
  const last = times.reduce((latest, second) => {
    const day = dateOf(second * 1000);
    return day > latest ? day : latest;
  }, today);
  return { start_date: BEGINNING, end_date: addDays(last, AHEAD) };
}
