import { isoSeconds, parseInstant } from '../time/time.ts';
import { type Decoded, type Fault, type Membership, type Param, required } from './params.ts';

const fault = (msg: string): { readonly fault: Fault } => ({
  fault: { type: 'value_error', msg: `Value error, ${msg}` },
});

/** Splits a comma-separated list; blanks are ignored, and repeats stay: answers follow the question item by item. */
function itemsOf(raw: string): readonly string[] {
  return raw
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** A comma-separated list of instants in any order, each a date, an ISO date-time or Unix seconds; read as ISO. */
export function instants(doc: string, bounds: { max: number }): Param<readonly string[], true> {
  return required(
    {
      kind: 'instants',
      schema: { type: 'string' },
      decode(raw): Decoded<readonly string[]> {
        const items = itemsOf(raw);
        const counted = countFault(items, bounds.max);
        if (counted) return counted;
        const times = items.map((item) => parseInstant(item));
        const odd = times.indexOf(undefined);
        if (odd >= 0) return fault(`'${items[odd]}' is no date, no ISO 8601 date-time and no Unix seconds`);
        return { value: times.map((time) => isoSeconds(time ?? 0)) };
      },
    },
    doc,
  );
}

/** One series of a list: `USD:inflation`, or with an age in days that its values may have, `USD:inflation:60`. */
export interface SeriesWord {
  readonly currency: string;
  readonly indicator: string;
  readonly maxAgeDays: number | undefined;
}

/** Longest age that may be asked for; see docs/interface.md#panel. */
export const MAX_AGE_DAYS = 36_500;

/** A comma-separated list of series. People type `usd/inflation`, the wire has `usd:inflation`. */
export function seriesList(
  doc: string,
  options: { max: number; currencies: Membership; indicators: Membership },
): Param<readonly string[], true> {
  return {
    ...required<readonly string[]>(
      {
        kind: 'series',
        schema: { type: 'string' },
        decode(raw) {
          const items = itemsOf(raw);
          const counted = countFault(items, options.max);
          if (counted) return counted;
          const read = items.map(canonicalSeries);
          const odd = read.indexOf(undefined);
          if (odd >= 0) return fault(`'${items[odd]}' is no series like usd:inflation or usd:inflation:60`);
          return { value: read.map(String) };
        },
      },
      doc,
    ),
    parts: (value) =>
      value.map(namedSeries).flatMap(({ currency, indicator }) => [
        { name: 'currency', word: currency, member: options.currencies },
        { name: 'indicator', word: indicator, member: options.indicators },
      ]),
  };
}

function canonicalSeries(text: string): string | undefined {
  const [, currency, indicator, age] =
    /^([a-z]{3})[:/]([a-z][a-z0-9_]{0,79})(?::(\d{1,5}))?$/i.exec(text.replace(/\s*([:/])\s*/g, '$1')) ?? [];
  if (currency === undefined || indicator === undefined || Number(age ?? 0) > MAX_AGE_DAYS) return undefined;
  const name = `${currency.toUpperCase()}:${indicator.toLowerCase()}`;
  return age === undefined ? name : `${name}:${Number(age)}`;
}

/** Reads one item of a list that `seriesList` has read. */
export function namedSeries(item: string): SeriesWord {
  const [currency = '', indicator = '', age] = item.split(':');
  return { currency, indicator, maxAgeDays: age === undefined ? undefined : Number(age) };
}

function countFault(items: readonly string[], max: number) {
  if (items.length === 0) return fault('at least 1 of them is needed');
  return items.length > max ? fault(`at most ${max} of them are allowed, got ${items.length}`) : undefined;
}
