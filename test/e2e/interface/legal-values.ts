import type { Endpoint } from '../../../src/contract/endpoint.ts';
import { isJsonObject, type Json } from '../../../src/contract/json/json.ts';
import type { Param } from '../../../src/contract/params/params.ts';

/** Legal values where the name says more than the kind: windows that go together, and moments that the sandbox has. */
const BY_NAME: Readonly<Record<string, readonly [string, string]>> = {
  start_date: ['2026-09-14', '2026-11-02'],
  end_date: ['2026-11-20', '2026-10-30'],
  before_date: ['2026-11-30', '2026-10-31'],
  date: ['2026-11-19', '2026-10-30'],
  start_time: ['2026-11-20T00:00:00Z', '2026-11-18'],
  end_time: ['2026-11-20T15:00:00Z', '2026-11-13T00:00:00'],
  as_of: ['2026-11-16', '2026-10-15T12:00:00Z'],
  at: ['2026-11-20T14:00:00Z', '2026-11-14'],
  series: ['usd:inflation', 'usd:inflation:60,eur:policy_rate'],
  decision_times: ['2026-10-14T12:30:00Z', '2026-11-14,2026-03-02T09:00:00Z'],
  currencies: ['usd', 'usd,eur'],
  indicators: ['inflation', 'policy_rate,gdp'],
  start_tenor_years: ['1', '3'],
  end_tenor_years: ['7', '10'],
  strike: ['2.5', '-1'],
  page: ['2', '1'],
  offset: ['1', '7'],
  after_sequence: ['1', '4'],
  official_limit: ['1', '0'],
};

/** Legal values of a kind; a new kind has to be added here. */
const BY_KIND: Readonly<Record<string, (param: Param, told: readonly string[]) => readonly string[]>> = {
  currency: () => ['usd', 'EUR'],
  slug: () => ['inflation', 'POLICY_RATE'],
  choice: ({ words }) => words,
  choices: ({ words }) => [words[0] ?? '', words.includes('all') ? 'all' : words.join(',')],
  integer: ({ schema: { minimum } }) => [String(minimum), '30'],
  boolean: () => ['true', '0'],
  zone: () => ['Asia/Tokyo', 'America/New_York'],
  period: (_, told) => ['latest', ...told],
  // A word that nobody has: a filter that finds nothing.
  text: (_, told) => (told.length > 0 ? told : ['nobody']),
};

/** Legal values of a query parameter; `told` is an answer of the endpoint, from which names and positions are taken. */
export function legalValues(name: string, param: Param, told: Json, endpoint: Endpoint): readonly string[] {
  // A schedule looks ahead, and is brought from a few days ago on.
  if (endpoint.mirror?.window?.opens && name === 'start_date') return ['2026-11-16', '2026-11-20'];
  if (endpoint.mirror?.window?.opens && name === 'end_date') return ['2026-12-31', '2026-12-05'];
  const chosen = BY_NAME[name];
  if (chosen && param.kind !== 'choices') return chosen;
  const named = [...new Set(valuesNamed(name, told))].slice(0, 2);
  if (PINS.includes(name)) return named;
  const values = BY_KIND[param.kind]?.(param, named);
  if (!values) throw new Error(`There is no legal value of the kind ${param.kind} for ${name}`);
  return values;
}

/** Parameters that hold a question to the state, or to the place, that an answer named; they fit that question alone. */
export const PINS: readonly string[] = ['dataset_version', 'checkpoint', 'cursor', 'since', 'before_id'];

/** Where an answer tells what a parameter takes. */
const TOLD_AS: Readonly<Record<string, readonly string[]>> = {
  since: ['next_cursor'],
  before_id: ['next_cursor'],
  cursor: ['next_cursor'],
};

/** All texts that stand under a name anywhere in an answer; of an object its id. */
function valuesNamed(name: string, told: Json | undefined): readonly string[] {
  if (Array.isArray(told)) return told.flatMap((item) => valuesNamed(name, item));
  if (!isJsonObject(told)) return [];
  const names = [name, ...(TOLD_AS[name] ?? [])];
  return Object.entries(told).flatMap(([member, value]): readonly string[] => {
    const found = isJsonObject(value) ? value.id : value;
    return names.includes(member) && typeof found === 'string' ? [found] : valuesNamed(name, value);
  });
}
