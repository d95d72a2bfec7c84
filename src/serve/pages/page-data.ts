// The content of the pages. Scripts of the pages read the same types, so nothing of the program is imported here.

export interface MirrorFacts {
  /** Undefined while the mirror is empty. */
  readonly kind: 'real' | 'synthetic' | undefined;
  /** Where the data come from. */
  readonly source: string;
  /** Names and values; three of them. */
  readonly cards: readonly (readonly [string, string])[];
  readonly groups: FactTable;
}

/** A small table for people. */
export interface FactTable {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Text for a table without rows. */
  readonly empty: string;
}

/** A series that a person can choose. */
export interface ListedSeries {
  readonly name: string;
  readonly group: string;
  /** Path of the question, such as `/v1/forex/EUR/USD`. */
  readonly path: string;
  /** The question takes `start_date` and `end_date`. */
  readonly hasWindow: boolean;
  /** The mirror can show its values as of an earlier moment. */
  readonly hasPast: boolean;
  /** Technical indicators that the question can ask for. */
  readonly indicators?: readonly string[];
  /** Date of its oldest row, where its rows are dated: nothing was known before. */
  readonly since?: string;
}

export interface PresentedChart {
  /** Column of the times. */
  readonly at: string;
  /** One above the other. */
  readonly panels: readonly PresentedPanel[];
}

export interface PresentedPanel {
  /** Name and unit of the axis. */
  readonly label: string;
  /** A value of steps stands until the next one. */
  readonly lines: readonly { readonly column: string; readonly name: string; readonly isSteps: boolean }[];
}

/** An answer as the explorer shows it. */
export interface PresentedAnswer {
  readonly title: string;
  readonly columns: readonly string[];
  /** Cells as tables of the terminal have them; nothing for null. */
  readonly rows: readonly (readonly string[])[];
  /** A chart over time; undefined where rows are no series. */
  readonly chart: PresentedChart | undefined;
  readonly command: string;
  /** Path and query of the route that gives its first page; undefined where no route knows the moment. */
  readonly address: string | undefined;
  /** Pages of that route that the rows fill. */
  readonly pages: number;
  readonly isSynthetic: boolean;
  readonly isPartial: boolean;
  /** Missing parts of the mirror, in words. */
  readonly missing: readonly string[];
  /** The same as ranges, where they are ranges of the window. */
  readonly missingRanges: readonly { readonly from: string; readonly to: string }[];
  /** The way to the missing data, in words with its command. */
  readonly cure: string;
  /** Sentences about the answer. */
  readonly notes: readonly string[];
  /** When the mirror was last checked, ISO. */
  readonly checkedAt: string;
  /** ISO; undefined for now. */
  readonly asOf: string | undefined;
}
