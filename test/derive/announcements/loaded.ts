import type { Caller, Composed, HookContext, LoadedSeries } from '../../../src/contract/hooks.ts';
import { asJsonText, type JsonObject } from '../../../src/contract/json/json.ts';
import { type Coverage, FULL_COVERAGE } from '../../../src/contract/time/coverage.ts';
import { LABELS } from './page.ts';

export interface HeldSeries {
  readonly endpoint: string;
  readonly scope?: Readonly<Record<string, string>>;
  readonly origin?: string;
  readonly envelope?: JsonObject;
  readonly coverage?: Coverage;
  readonly rows: readonly (string | object)[];
}

/** A series as the mirror would load it: all members of a row are its columns. */
export function loaded({
  endpoint,
  scope = {},
  origin = 'service',
  envelope = {},
  coverage = FULL_COVERAGE,
  rows,
}: HeldSeries): LoadedSeries {
  return {
    ref: { endpoint, scope, origin },
    envelope,
    coverage,
    proven: true,
    rows: rows.map((row) => {
      const text = typeof row === 'string' ? row : JSON.stringify(row);
      return { text: asJsonText(text), columns: JSON.parse(text) };
    }),
  };
}

export function contextOf<A>(args: A, now: string, kind: Caller['kind'] = 'keyed'): HookContext<A> {
  const caller: Caller = kind === 'keyed' ? { kind, plan: 'individual' } : { kind };
  return { args, now: Date.parse(now) / 1000, caller, labels: LABELS };
}

export function rowsIn(composed: Composed | undefined): readonly JsonObject[] {
  return (composed?.rows ?? []).map((text) => JSON.parse(text));
}
