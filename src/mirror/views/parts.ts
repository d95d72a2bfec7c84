/** The parts of a kind of rows, each with a view: as they are, what was current before, what their publisher said when. */
export const VIEW_PARTS = ['current', 'superseded', 'vintages'] as const;
export type ViewPart = (typeof VIEW_PARTS)[number];
