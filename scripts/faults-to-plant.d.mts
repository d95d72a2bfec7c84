/** Faults that the tests must notice: a text in a file of `src` and what it is replaced by. */
export const FAULTS: readonly {
  readonly name: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
  /** Tests of which at least one must fail. */
  readonly tests: readonly string[];
}[];
