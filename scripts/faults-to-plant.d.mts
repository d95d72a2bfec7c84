/** A fault that the tests must notice: a text of `src` and what it is replaced by. */
export interface Fault {
  readonly name: string;
  readonly from: string;
  readonly to: string;
  /** Tests of which at least one must fail. */
  readonly tests: readonly string[];
}

export const FAULTS: readonly Fault[];

/** The one file of a checkout's `src` that has a fault's text. */
export function placeOf(fault: Fault, root: string): string;
