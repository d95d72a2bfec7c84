/** What of the rows of an answer is drawn when nobody names fields. */
export interface ChartFields {
  /** Field of the axis along. */
  readonly at: string;
  /** What that axis counts; time when left out. */
  readonly along?: 'time' | 'years';
  /** One above the other, the main one first. */
  readonly panels: readonly ChartPanel[];
  /** Told below: what was asked for and is not drawn. */
  readonly notDrawn?: readonly string[];
}

export interface ChartPanel {
  readonly name?: string;
  readonly unit?: string;
  readonly values: readonly string[];
  /** Of these, the ones that are bars from zero, or dots. */
  readonly bars?: readonly string[];
  readonly dots?: readonly string[];
  /** Values that are marked across, such as the zero of a score. */
  readonly rules?: readonly number[];
  /** Ends of the axis, where the values have bounds. */
  readonly range?: readonly [number, number];
}
