import type { KnownSince } from '../../contract/hooks.ts';
import type { JsonText } from '../../contract/json/json.ts';
import type { TimedValue } from '../../contract/time/vintages.ts';

/** Values by column; undefined for a column that holds none in any of the rows. */
export type ColumnValues<N extends string> = Readonly<Record<N, readonly (KeyValue | null)[] | undefined>>;

export type KeyValue = string | number;

export interface StoredRow {
  /** Values of the key columns, in the mapping's order. */
  readonly key: readonly KeyValue[];
  /** Key and further typed columns by name. */
  readonly columns: Readonly<Record<string, KeyValue | null>>;
  readonly text: JsonText;
  /** Commit that brought this text. */
  readonly commit: number;
  /** When the mirror first saw this observation, in milliseconds; a text refreshed in dependent fields keeps it. */
  readonly seenAt: number;
  /** An answer to a key brought or confirmed this text: nobody knows whether it is to be seen without one. */
  readonly keyed?: boolean;
  /** Of a row as it was known at a moment: since when its value was known, and the vintage that says so. */
  readonly known?: KnownSince;
}

/** A value that a row had, and since when it was known. Times are Unix seconds; undefined when nobody said. */
export interface Vintage {
  readonly key: readonly KeyValue[];
  /** To the public: the service's `epoch`. */
  readonly epoch: number | undefined;
  /** To the service: its own capture. */
  readonly observedAt: number | undefined;
  /** The service's own capture in Unix nanoseconds, exact: more digits than a number keeps. */
  readonly observedNs?: string;
  /** To this mirror. */
  readonly seenAt: number;
  /** The vintage as the row listed it; the whole row's text for a value that was never listed. */
  readonly text: JsonText;
  /** `epoch` comes from an importer's publication rule. */
  readonly assumed?: boolean;
  /** When the mirror saw the row vanish, on the last vintage known until then. */
  readonly withdrawnAt?: number;
  /** What tells when it was known, and what was known besides it. */
  readonly times: TimedValue;
}
