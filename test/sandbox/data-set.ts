import type { JsonObject } from '../../src/contract/json/json.ts';
import { generate } from '../../src/sandbox/fill.ts';
import type { GeneratedSeries } from '../../src/sandbox/rows.ts';
import { createWorld, type SandboxSize } from '../../src/sandbox/world.ts';

export const NOW = Date.parse('2026-11-21T05:46:13Z');

interface DataSetOptions {
  readonly seed?: number;
  readonly now?: number;
  readonly size?: SandboxSize;
}

/** Everything that the sandbox generates for a seed and an instant. */
export function dataSet(options: DataSetOptions = {}): readonly GeneratedSeries[] {
  return [...generate(createWorld({ seed: 1, now: NOW, size: 'small', ...options }))];
}

/** Answered from other series: nothing of their own is generated. */
export const COMPOSED: readonly string[] = [
  'announcements_latest',
  'calendar_snapshot',
  'commodities_latest',
  'fx_intraday_reference_rates',
  'fx_session_rates',
  'fx_source_universe',
  'rate_differentials',
  'settlement',
  'settlement_contract',
  'settlement_keys',
];

/** The rows of one series, parsed from their text; fails when there is no such series. */
export function rowsOf(
  all: readonly GeneratedSeries[],
  endpoint: string,
  scope: Readonly<Record<string, string>> = {},
): readonly JsonObject[] {
  return seriesOf(all, endpoint, scope).rows.map((row) => JSON.parse(row.text));
}

export function seriesOf(
  all: readonly GeneratedSeries[],
  endpoint: string,
  scope: Readonly<Record<string, string>> = {},
): GeneratedSeries {
  const wanted = JSON.stringify(scope);
  const found = all.find((series) => series.endpoint === endpoint && JSON.stringify(series.scope) === wanted);
  if (!found) throw new Error(`The data set has no ${endpoint} ${wanted}`);
  return found;
}

export function seriesNamed(all: readonly GeneratedSeries[], endpoint: string): readonly GeneratedSeries[] {
  return all.filter((series) => series.endpoint === endpoint);
}
