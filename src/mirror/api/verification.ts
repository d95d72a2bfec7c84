import type { KeyValue, SeriesKey } from './series.ts';

/** What to check, and who watches. */
export interface VerifyAsk {
  /** Series to check; all when left out. */
  readonly only?: (series: SeriesKey) => boolean;
  /** Called before each series. */
  readonly onSeries?: (done: number, of: number) => void;
  readonly signal?: AbortSignal;
}

/** What a check of the mirror came to. */
export interface Verification {
  readonly series: number;
  /** Current rows that were checked. */
  readonly rows: number;
  /**
   * SHA-256 over the keys, texts, revisions and vintages of all that was checked, without when and how they came: two
   * mirrors that hold the same have the same, however they collected it.
   */
  readonly hash: string;
  readonly findings: readonly SeriesFinding[];
}

/** What a check found. */
export interface VerificationFinding {
  /** A problem contradicts what was noted when the data came in; a note only says what is not known. */
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
 * `altered`: a row is not as it was kept. `missing`, `added`: rows were taken away or put in. `text`, `column`: a text is
 * no JSON object, or a column says otherwise than the text. `orphan`: something belongs to nothing. `ledger`: what is
 * noted about the rows was altered. `proof`: a proven window does not hold what was proven. `unproven`: a stretch
 * between proven windows. `foreign`: another program put something into the schema. `unknown`: this program does not know the endpoint.
 */
export type FindingKind =
  | 'altered'
  | 'missing'
  | 'added'
  | 'text'
  | 'column'
  | 'orphan'
  | 'ledger'
  | 'proof'
  | 'unproven'
  | 'foreign'
  | 'unknown';
