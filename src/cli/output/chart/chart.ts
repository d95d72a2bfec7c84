import type { ChartPanel } from '../../../contract/endpoint.ts';
import { dateOf } from '../../../contract/time/time.ts';
import { MacroError } from '../../../errors.ts';
import { cellText, isNumber, rawAt } from '../fields.ts';
import type { Listing } from '../listing.ts';
import { type Shape, shapeRows } from '../shape.ts';
import type { Fields } from '../sheets/read-fields.ts';

/** One value of a line; null where the row has none, so that the line has a hole there. */
interface ChartPoint {
  /** Milliseconds; years where the axis counts years. */
  readonly at: number;
  readonly value: number | null;
}

export interface Line {
  readonly name: string;
  readonly look: 'line' | 'bars' | 'dots';
  /** Oldest first. */
  readonly points: readonly ChartPoint[];
}

/** Lines over one axis of values. */
export interface Panel extends Pick<ChartPanel, 'name' | 'unit' | 'rules' | 'range'> {
  readonly lines: readonly Line[];
}

/** What a chart shows, whatever it is drawn with. */
export interface Chart {
  /** Parts of the title line. */
  readonly title: readonly string[];
  readonly along: 'time' | 'years';
  /** One above the other, over the same axis along. */
  readonly panels: readonly Panel[];
  /** What no reader may miss: made-up numbers, an answer with holes. */
  readonly marks: readonly string[];
  /** Sentences below it. */
  readonly below: readonly string[];
}

/**
 * Rows as lines: the fields that were asked for, else those that are drawn when nobody says.
 * @throws MacroError of kind `usage`.
 */
export function chartOf(listing: Listing, shape: Shape): Chart {
  const { chart, view, facts } = listing;
  if (!chart) throw notDrawn('These rows are no series over time, so there is no chart of them.');
  const rows = shapeRows(listing, { fields: shape.fields, sort: undefined, reverse: false }).map(
    ({ fields }) => fields,
  );
  const along = chart.along ?? 'time';
  const chosen = shape.fields?.filter((name) => name !== chart.at);
  const drawn = (chosen ? [{ values: chosen }] : chart.panels).map((panel) =>
    panelOf(panel, { at: chart.at, along, rows }),
  );
  const empty = drawn.flatMap(({ lines }) => lines).filter(isEmpty);
  // Of what was not asked for by name, a breakdown that these rows do not have is nothing that is missing.
  const filled = drawn.map(filledLines).filter(({ lines }, i) => i === 0 || !lines.every(isEmpty));
  const panels = chosen ? drawn : filled;
  const first = chosen ? empty[0] : panels[0]?.lines.find(isEmpty);
  if (rows.length > 0 && first) throw notDrawn(`'${first.name}' has no numbers to draw.`);
  const title = view?.lasting ?? view?.title ?? [];
  return {
    title,
    along,
    panels,
    marks: [
      ...(facts?.nature === 'synthetic' ? ['SYNTHETIC DATA: these numbers are not real'] : []),
      ...(facts?.mirror === undefined ? [] : [title.find((part) => part.startsWith('PARTIAL')) ?? 'PARTIAL']),
    ],
    below: [...(chart.notDrawn ?? []), ...(view?.below ?? [])],
  };
}

/** Dates of the first and the last value, which say what a picture is of long after it was drawn. */
export function spanText({ panels, along }: Pick<Chart, 'panels' | 'along'>): string | undefined {
  const moments = panels.flatMap(({ lines }) =>
    lines.flatMap(({ points }) => points.flatMap(({ at, value }) => (value === null ? [] : [at]))),
  );
  if (along === 'years' || moments.length === 0) return undefined;
  const [first, last] = [moments.reduce((a, b) => Math.min(a, b)), moments.reduce((a, b) => Math.max(a, b))];
  return first === last ? dateOf(first) : `${dateOf(first)} to ${dateOf(last)}`;
}

interface DrawnRows {
  readonly at: string;
  readonly along: Chart['along'];
  readonly rows: readonly Fields[];
}

function panelOf({ values, bars = [], dots = [], ...panel }: ChartPanel, rows: DrawnRows): Panel {
  const lookOf = (name: string) => (bars.includes(name) ? 'bars' : dots.includes(name) ? 'dots' : 'line');
  return { ...panel, lines: values.map((name) => ({ ...lineOf(name, rows), look: lookOf(name) })) };
}

function lineOf(name: string, { at, along, rows }: DrawnRows): Pick<Line, 'name' | 'points'> {
  const placeOf = along === 'years' ? yearsOf : momentOf;
  const points = rows.flatMap((row) => {
    const place = placeOf(rawAt(row, at));
    const raw = rawAt(row, name);
    return place === undefined ? [] : [{ at: place, value: isNumber(raw) ? Number(raw) : null }];
  });
  return { name, points: points.toSorted((a, b) => a.at - b.at) };
}

function filledLines(panel: Panel): Panel {
  const lines = panel.lines.filter((line) => !isEmpty(line));
  return lines.length === 0 ? panel : { ...panel, lines };
}

function isEmpty({ points }: Line): boolean {
  return points.every(({ value }) => value === null);
}

/** Dates and times are texts; a number is Unix seconds. */
function momentOf(raw: string | undefined): number | undefined {
  const ms = isNumber(raw) ? Number(raw) * 1000 : Date.parse(cellText(raw));
  return Number.isNaN(ms) ? undefined : ms;
}

function yearsOf(raw: string | undefined): number | undefined {
  return isNumber(raw) ? Number(raw) : undefined;
}

function notDrawn(message: string): MacroError {
  return new MacroError('usage', message, {
    code: 'no_chart',
    hint: 'Series like macro fx eur usd or macro announcements usd inflation have one; --fields names what is drawn.',
  });
}
