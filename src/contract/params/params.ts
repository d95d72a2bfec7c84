import { isCalendarDate, isoSeconds, parseInstant } from '../time/time.ts';
import {
  boundsFault,
  type Decoded,
  type Fault,
  fault,
  type Membership,
  notAmong,
  type Param,
  required,
  textFault,
} from './param.ts';

export * from './param.ts';

/** A code of three letters or `COMM`, upper-cased. `formed`: unknown codes are `unknown`, other words are findings. */
export function currency(
  doc: string,
  set: readonly string[],
  unknown: 404 | 422,
  options: { formed?: true } = {},
): Param<string, true> {
  return required(doc, {
    kind: 'currency',
    schema: { type: 'string', enum: [...set] },
    words: set,
    member: { set, unknown, noun: 'currency', ...options },
    decode(raw) {
      const code = raw.trim().toUpperCase();
      if (/^([A-Z]{3}|COMM)$/.test(code)) return { value: code };
      return fault('string_pattern_mismatch', "String should match pattern '^[A-Za-z]{3}$'", {
        pattern: '^[A-Za-z]{3}$',
      });
    },
  });
}

/** An indicator slug, in any letter case; lower-cased. */
export function slug(doc: string, set: readonly string[]): Param<string, true> {
  return required(doc, {
    kind: 'slug',
    schema: { type: 'string', enum: [...set] },
    words: set,
    member: { set, unknown: 404, noun: 'indicator' },
    decode(raw) {
      const word = raw.trim().toLowerCase();
      if (/^[a-z0-9][a-z0-9_]{0,79}$/.test(word)) return { value: word };
      return fault('string_pattern_mismatch', "String should match pattern '^[a-z0-9_]+$'", {
        pattern: '^[a-z0-9_]+$',
      });
    },
  });
}

/** One of a closed list, exact unless `anyCase`; a synonym is read as the word that it stands for. */
export function choice(
  doc: string,
  words: readonly string[],
  options: { anyCase?: boolean; synonyms?: Readonly<Record<string, string>> } = {},
): Param<string, true> {
  const { anyCase, synonyms = {} } = options;
  return required(doc, {
    kind: 'choice',
    schema: { type: 'string', enum: [...words, ...Object.keys(synonyms)] },
    words,
    decode(raw) {
      const typed = anyCase ? raw.trim().toLowerCase() : raw;
      const word = Object.hasOwn(synonyms, typed) ? (synonyms[typed] ?? typed) : typed;
      return words.includes(word) ? { value: word } : notAmong(words);
    },
  });
}

/** A comma-separated list of exact words of a closed list; `all` stands for every one of them. */
export function choices(
  doc: string,
  words: readonly string[],
  options: { all: boolean },
): Param<readonly string[], true> {
  const legal = options.all ? [...words, 'all'] : words;
  return required(doc, {
    kind: 'choices',
    schema: { type: 'string' },
    words: legal,
    decode(raw) {
      const values = listOf(raw);
      if (values.length === 0 || !values.every((word) => legal.includes(word))) return notAmong(legal);
      return { value: options.all && values.includes('all') ? words : values };
    },
  });
}

/** A comma-separated list of free words (codes, slugs), lower-cased; blanks and repeats are ignored. */
function words(doc: string): Param<readonly string[], true> {
  return required(doc, {
    kind: 'words',
    schema: { type: 'string' },
    decode: (raw) => ({ value: listOf(raw.toLowerCase()) }),
  });
}

/** Such a list that filters by a table; a word that the table does not know is noted and filters all the same. */
export function filterWords(
  doc: string,
  noun: Membership['noun'],
  known: readonly string[],
): Param<readonly string[], true> {
  const member: Membership = { set: known.map((word) => word.toLowerCase()), unknown: 'noted', noun };
  return { ...words(doc), parts: (value) => value.map((word) => ({ name: noun, word, member })) };
}

/** A whole number within bounds. `5`, `+5` and `05` are five. */
export function integerParam(doc: string, bounds: { min?: number; max?: number }): Param<number, true> {
  return required(doc, {
    kind: 'integer',
    schema: {
      type: 'integer',
      ...(bounds.min !== undefined && { minimum: bounds.min }),
      ...(bounds.max !== undefined && { maximum: bounds.max }),
    },
    decode(raw) {
      const text = raw.trim();
      const value = Number(text);
      if (!/^[+-]?\d{1,15}$/.test(text))
        return fault('int_parsing', 'Input should be a valid integer, unable to parse string as an integer');
      return boundsFault(value, bounds) ?? { value };
    },
  });
}

/** A finite decimal number, optionally above a bound. */
export function decimal(doc: string, bounds: { above?: number } = {}): Param<number, true> {
  return required(doc, {
    kind: 'decimal',
    schema: { type: 'number', ...(bounds.above !== undefined && { exclusiveMinimum: bounds.above }) },
    decode(raw) {
      const value = Number(raw.trim());
      if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i.test(raw.trim()) || !Number.isFinite(value))
        return fault('float_parsing', 'Input should be a valid number, unable to parse string as a number');
      if (bounds.above !== undefined && value <= bounds.above)
        return fault('greater_than', `Input should be greater than ${bounds.above}`, { gt: bounds.above });
      return { value };
    },
  });
}

/** `true`, `false`, `1` or `0`, in any letter case. */
export function booleanParam(doc: string): Param<boolean, true> {
  return required(doc, {
    kind: 'boolean',
    schema: { type: 'boolean' },
    words: ['true', 'false'],
    decode(raw) {
      const word = raw.trim().toLowerCase();
      if (word === 'true' || word === '1') return { value: true };
      if (word === 'false' || word === '0') return { value: false };
      return fault('bool_parsing', 'Input should be a valid boolean, unable to interpret input');
    },
  });
}

export function textParam(doc: string, bounds: { max: number; pattern?: RegExp }): Param<string, true> {
  return required(doc, {
    kind: 'text',
    schema: { type: 'string', maxLength: bounds.max, ...(bounds.pattern && { pattern: bounds.pattern.source }) },
    decode: (raw) => textFault(raw, { min: 1, ...bounds }) ?? { value: raw },
  });
}

function listOf(raw: string): readonly string[] {
  return [...new Set(raw.split(',').map((part) => part.trim()))].filter((part) => part !== '');
}

/** A real calendar date, `YYYY-MM-DD`. */
export function dateParam(doc: string): Param<string, true> {
  return required(doc, {
    kind: 'date',
    schema: { type: 'string', format: 'date' },
    decode(raw) {
      if (isCalendarDate(raw)) return { value: raw };
      return fault('date_from_datetime_parsing', 'Input should be a valid date in the format YYYY-MM-DD');
    },
  });
}

/** A date (midnight UTC), an ISO date-time (UTC without an offset) or Unix seconds; read as Unix seconds. */
export function instant(doc: string, bounds: { from?: number; to?: number } = {}): Param<number, true> {
  return required(doc, {
    kind: 'instant',
    schema: { type: 'string' },
    decode(raw) {
      const value = parseInstant(raw);
      if (value === undefined)
        return fault('value_error', 'Input should be a date, an ISO 8601 date-time or Unix seconds');
      if (bounds.from !== undefined && value < bounds.from)
        return fault('greater_than_equal', `Input should be ${isoSeconds(bounds.from)} or later`, {
          ge: isoSeconds(bounds.from),
        });
      if (bounds.to !== undefined && value > bounds.to)
        return fault('less_than_equal', `Input should be ${isoSeconds(bounds.to)} or earlier`, {
          le: isoSeconds(bounds.to),
        });
      return { value };
    },
  });
}

/** The same, read as an ISO date-time in UTC with whole seconds, for parameters that are sent as such. */
export function dateTimeParam(doc: string): Param<string, true> {
  return required(doc, {
    kind: 'instant',
    schema: { type: 'string', format: 'date-time' },
    decode(raw) {
      const value = parseInstant(raw);
      if (value !== undefined) return { value: isoSeconds(value) };
      return fault('value_error', 'Input should be an RFC 3339 date-time');
    },
  });
}

/** An IANA time zone, named as asked: the runtime knows some zones by an older name only (Asia/Calcutta for Asia/Kolkata). */
export function zone(doc: string): Param<string, true> {
  return required(doc, {
    kind: 'zone',
    schema: { type: 'string' },
    decode(raw) {
      const unknown = fault('value_error', 'Value error, unknown IANA time zone');
      // Newer runtimes take an offset for a zone.
      if (/^[+-]/.test(raw)) return unknown;
      try {
        const own = new Intl.DateTimeFormat('en', { timeZone: raw }).resolvedOptions().timeZone;
        return { value: own.toLowerCase() === raw.toLowerCase() ? own : raw };
      } catch {
        return unknown;
      }
    },
  });
}

const listFault = (msg: string): { readonly fault: Fault } => ({
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
  return required(doc, {
    kind: 'instants',
    schema: { type: 'string' },
    decode(raw): Decoded<readonly string[]> {
      const items = itemsOf(raw);
      const counted = countFault(items, bounds.max);
      if (counted) return counted;
      const times = items.map((item) => parseInstant(item));
      const odd = times.indexOf(undefined);
      if (odd >= 0) return listFault(`'${items[odd]}' is no date, no ISO 8601 date-time and no Unix seconds`);
      return { value: times.map((time) => isoSeconds(time ?? 0)) };
    },
  });
}

/** One series of a list: `USD:inflation`, or with an age in days that its values may have, `USD:inflation:60`. */
export interface SeriesWord {
  readonly currency: string;
  readonly indicator: string;
  readonly maxAgeDays: number | undefined;
}

/** The max age of a request; see docs/interface-endpoints.md#panel. */
export const MAX_AGE_DAYS = 36_500;

/** A comma-separated list of series. People type `usd/inflation`, the wire has `usd:inflation`. */
export function seriesList(
  doc: string,
  options: { max: number; currencies: Membership; indicators: Membership },
): Param<readonly string[], true> {
  return {
    ...required<readonly string[]>(doc, {
      kind: 'series',
      schema: { type: 'string' },
      decode(raw) {
        const items = itemsOf(raw);
        const counted = countFault(items, options.max);
        if (counted) return counted;
        const read = items.map(canonicalSeries);
        const odd = read.indexOf(undefined);
        if (odd >= 0) return listFault(`'${items[odd]}' is no series like usd:inflation or usd:inflation:60`);
        return { value: read.map(String) };
      },
    }),
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
  if (items.length === 0) return listFault('at least 1 of them is needed');
  return items.length > max ? listFault(`at most ${max} of them are allowed, got ${items.length}`) : undefined;
}
