import type { StoredRef } from '../../contract/hooks.ts';
import type { JsonText } from '../../contract/json/json.ts';

export interface Stamp {
  /** Random identifier, made with the file. */
  readonly id: string;
  /** Identity of the service whose answers are kept; undefined until the first one. */
  readonly service: string | undefined;
  readonly nature: DataKind | undefined;
}

export type DataKind = 'real' | 'synthetic';

/** `keyless`, or a fingerprint of the key. What one access proved never satisfies another, except keyed for keyless. */
export type AccessTag = 'keyless' | `key:${string}`;

/** Names one series: who said it, of which endpoint, for which arguments. Scope values are never empty. */
export type SeriesKey = StoredRef;

export interface StoredSeries extends SeriesKey {
  readonly id: number;
  /** Number of the commit that last changed the series' rows or envelope. */
  readonly generation: number;
  /** Members beside the rows, as last received, and what they were received for; undefined when never. */
  readonly envelope: StoredEnvelope | undefined;
  /**
   * When the series was last confirmed by its origin, in milliseconds. An answer about a past stretch that ends
   * before the newest stored row confirms nothing of the present and does not move it. 0 when it never was: it began with an
   * event that came by itself.
   */
  readonly checkedAt: number;
}

export interface StoredEnvelope {
  readonly text: JsonText;
  /** The question that it answered: resolved arguments, access and cutoff, as one canonical text. */
  readonly inputs: string;
  /** Commit at which it was received: rows changed later are not the ones that it describes. */
  readonly commit: number;
}
