import type { KeyValue, SeriesKey } from './series.ts';

/** The subject of the check, and who watches. */
export interface VerifyAsk {
  /** Series to check; all when left out. */
  readonly only?: (series: SeriesKey) => boolean;
  /** Called before each series. */
  readonly onSeries?: (done: number, of: number) => void;
  readonly signal?: AbortSignal;
}

/** The result of a check of the mirror. */
export interface Verification {
  readonly series: number;
  /** Current rows that were checked. */
  readonly rows: number;
  /** SHA-256 over keys, texts, revisions and vintages, but not their times: equal for equal contents. */
  readonly hash: string;
  readonly findings: readonly SeriesFinding[];
}

/** The findings of a check. */
export interface VerificationFinding {
  /** A problem contradicts the sums recorded with the data; a note only names a fact that is not known. */
  readonly level: 'problem' | 'note';
  readonly what: FindingKind;
  /** Key of the row, where it is known which one. */
  readonly key?: readonly KeyValue[];
  readonly detail: string;
}

/** With the series that it is about; undefined for the file as a whole. */
export interface SeriesFinding extends VerificationFinding {
  readonly series: SeriesKey | undefined;
}

/**
 * `altered`, `missing`, `added`: rows differ from the recorded sums. `text`, `column`: a text is no JSON object, or
 * differs from its column. `orphan`: a part without its whole. `ledger`: changed notes. `unproven`: missing
 * coverage. `foreign`: a strange object. `unknown`: an unknown endpoint.
 */
export type FindingKind =
  | 'altered'
  | 'missing'
  | 'added'
  | 'text'
  | 'column'
  | 'orphan'
  | 'ledger'
  | 'unproven'
  | 'foreign'
  | 'unknown';
