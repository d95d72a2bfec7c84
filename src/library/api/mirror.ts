import type { QuestionMethods } from './endpoint-types.ts';
import type { MirrorCallOptions } from './methods.ts';

/** How a mirror is read. */
export interface OpenMirrorOptions {
  /**
   * The reader has an API key. Then what the mirror learned without a key counts as missing wherever a key shows more. Default
   * true, which never takes a part for the whole.
   */
  readonly hasKey?: boolean;
}

/** A range that the mirror holds whole. Its bounds are dates, or Unix seconds where rows are ordered by time. */
export interface CoveredRange {
  readonly from: string | number;
  readonly to: string | number;
  readonly rows: number;
  /** When it was last confirmed. */
  readonly confirmedAt: Date;
}

/** A series that the mirror holds. */
export interface MirroredSeries {
  readonly endpoint: string;
  /** The arguments that name the series. */
  readonly scope: Readonly<Record<string, string>>;
  /** `import:<publisher>`, or the address of the service that it came from. */
  readonly origin: string;
  /** When its origin last confirmed it; undefined when it never did. */
  readonly checkedAt: Date | undefined;
  readonly coverage: readonly CoveredRange[];
}

/** A mirror that is open for reading: a method for each question that it can answer, and what it holds. */
export interface ReadMirror extends QuestionMethods<MirrorCallOptions> {
  /** Path of the file, or the address of the server. */
  readonly name: string;
  /** What the mirror holds: `real` data, `synthetic` data, or nothing yet. */
  kind(): Promise<'real' | 'synthetic' | undefined>;
  /** The series that it holds, of all endpoints or of one. */
  series(endpoint?: string): Promise<readonly MirroredSeries[]>;
  close(): void;
}
