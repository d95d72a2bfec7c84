import type { Compose, HookContext, LoadedSeries, SeriesRef, StoredRef } from '../../../src/contract/hooks.ts';
import { asJsonText, type JsonObject, toJsonText } from '../../../src/contract/json/json.ts';
import { memberFor } from '../../../src/contract/mapping.ts';
import { FULL_COVERAGE, NO_COVERAGE } from '../../../src/contract/time/coverage.ts';
import { endpointById } from '../../../src/endpoints/index.ts';
import { columnValue } from '../../../src/mirror/rules/columns.ts';
import { imported as newestFirst } from '../forex/world.ts';

export const SERVICE = 'https://api.example.test';

/** A series of the service: rows as they were spelled, in the order of their endpoint. */
export function told(
  endpoint: string,
  scope: Readonly<Record<string, string>>,
  rows: readonly JsonObject[],
  more: { envelope?: JsonObject; proven?: boolean; texts?: readonly string[] } = {},
): LoadedSeries {
  const mapping = endpointById(endpoint)?.mirror;
  const columns = [...(mapping?.key ?? []), ...(mapping?.columns ?? [])];
  return {
    ref: { origin: SERVICE, endpoint, scope },
    envelope: more.envelope ?? {},
    coverage: more.proven === false ? NO_COVERAGE : FULL_COVERAGE,
    proven: more.proven ?? true,
    rows: rows.map((row, i) => ({
      columns: Object.fromEntries(columns.map((one) => [one.name, columnValue(one.type, memberFor(row, one))])),
      text: asJsonText(more.texts?.[i] ?? JSON.stringify(row)),
    })),
  };
}

/** Native observations of a pair by one source: date, time, rate. */
export function observed(
  pair: string,
  source: string,
  observations: readonly (readonly [date: string, time: string, price: number])[],
  more: { type?: string; proven?: boolean; source?: JsonObject; row?: JsonObject } = {},
): LoadedSeries {
  const [base = '', quote = ''] = pair.split('/');
  const rows = observations.map(([date, time, price]) => ({
    date,
    timestamp_utc: time,
    timestamp_type: more.type ?? 'fixing',
    price,
    val: price,
    source: { id: source, name: `Bank ${source}`, is_official: true, ...more.source },
    source_pair: pair,
    is_derived: false,
    derivation_method: 'direct_original_pair',
    ...more.row,
  }));
  return told('fx_reference_rates', { base, quote }, rows, { proven: more.proven ?? true });
}

/** Rates of an imported ECB file, newest first as the mirror has them. */
export const imported = newestFirst;

function sameScope(one: SeriesRef, other: SeriesRef): boolean {
  return Object.entries(one.scope).every(([name, value]) => other.scope[name] === value);
}

/** Asks a hook as the mirror does: only what it picks is given to it. Undefined when it has no answer. */
export function answer<A>(
  compose: Compose<A>,
  args: A,
  loaded: readonly LoadedSeries[],
  now: string = '2026-11-21T12:00:00Z',
) {
  const reads = compose.reads(args);
  const isRead = ({ ref }: LoadedSeries) => reads.some((one) => one.endpoint === ref.endpoint && sameScope(one, ref));
  const held = loaded.filter(isRead);
  const refs: readonly StoredRef[] = held.map(({ ref }) => ref);
  const picked = compose.selectSeries?.(args, refs) ?? refs;
  if (picked.length === 0) return undefined;
  const context: HookContext<A> = {
    args,
    now: Date.parse(now) / 1000,
    caller: { kind: 'owner' },
    labels: { service: 'macro', storage: 'test mirror', publicBaseUrl: '', subscribeUrl: '', docsUrl: '' },
  };
  const first = held.filter(({ ref }) => picked.includes(ref));
  const named = compose.follow?.(args, first, context.now) ?? [];
  const further = held.filter(
    ({ ref }) => !picked.includes(ref) && named.some((one) => one.endpoint === ref.endpoint && sameScope(one, ref)),
  );
  const built = compose.build([...first, ...further], context);
  if (!built) return undefined;
  return {
    ...built,
    envelope: JSON.parse(toJsonText(built.envelope)),
    data: built.rows.map((text) => JSON.parse(text)),
  };
}
