export interface ViewAsk {
  readonly endpoint: string;
  readonly part: ViewPart;
  /** Ids of the series, in the order in which their rows are wanted. */
  readonly series: readonly number[];
  /** Rows at most in one page. */
  readonly page: number;
  readonly signal: AbortSignal;
}

/** Whole numbers have all their digits. */
export type ViewCell = string | number | bigint | null;

/** Rows in the order of the view's columns. */
export type ViewPage = readonly (readonly ViewCell[])[];

/** The parts of a kind of rows, each with a view: as they are, what was current before, what their publisher said when. */
export const VIEW_PARTS = ['current', 'superseded', 'vintages'] as const;
export type ViewPart = (typeof VIEW_PARTS)[number];
