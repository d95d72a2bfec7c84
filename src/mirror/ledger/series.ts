import type { SeriesRef } from '../../contract/hooks.ts';
import { asJsonText, readJson, toJsonText } from '../../contract/json/json.ts';
import type { StoredEnvelope, StoredSeries } from '../api/series.ts';
import type { LedgerSchema } from './ledger.ts';

type Row = LedgerSchema['series'];

/** One spelling for one scope: names sorted, nothing undefined. */
export function scopeText(scope: Readonly<Record<string, string>>): string {
  return toJsonText(Object.fromEntries(Object.entries(scope).sort(([a], [b]) => (a < b ? -1 : 1))));
}

/** Does a reference name all that there is to name of a series? */
export function isWhole(ref: SeriesRef, scopeNames: readonly string[]): boolean {
  return ref.exact === true || scopeNames.every((name) => Object.hasOwn(ref.scope, name));
}

export function storedSeriesOf(row: LedgerSchema['series']): StoredSeries {
  return {
    id: row.id,
    origin: row.origin,
    endpoint: row.endpoint,
    scope: readJson(row.scope),
    generation: row.generation,
    envelope: envelopeOf(row),
    checkedAt: row.checked_at,
  };
}

function envelopeOf(row: Row): StoredEnvelope | undefined {
  const { envelope, envelope_inputs: inputs, envelope_commit: commit } = row;
  if (envelope === null || inputs === null || commit === null) return undefined;
  return { text: asJsonText(envelope), inputs, commit };
}
