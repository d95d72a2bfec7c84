import { MacroError } from '../../../errors.ts';
import { cellText, type Fields, isNumber, rawAt } from '../fields.ts';
import type { Listing } from '../listing.ts';
import { type Shape, shapeRows } from '../shape.ts';

/** One value of a line; null where the row has none, so that the line has a hole there. */
interface ChartPoint {
  /** Milliseconds. */
  readonly at: number;
  readonly value: number | null;
}

export interface Line {
  readonly name: string;
  /** Oldest first. */
  readonly points: readonly ChartPoint[];
}

/** What a chart shows, whatever it is drawn with. */
export interface Chart {
  /** Parts of the title line. */
  readonly title: readonly string[];
  readonly lines: readonly Line[];
  /** Sentences below it. */
  readonly below: readonly string[];
}

/** Rows as lines over time: the fields that were asked for, else the one that the contract draws. */
export function chartOf(listing: Listing, shape: Shape): Chart {
  const { chart, face, facts } = listing;
  if (!chart) throw notDrawn('These rows are no series over time, so there is no chart of them.');
  const rows = shapeRows(listing, { fields: shape.fields, sort: undefined, reverse: false }).map(
    ({ fields }) => fields,
  );
  const names = (shape.fields ?? chart.panels.flatMap(({ values }) => values)).filter((name) => name !== chart.at);
  const lines = names.map((name) => lineOf(name, chart.at, rows));
  const empty = lines.find(({ points }) => points.every(({ value }) => value === null));
  if (rows.length > 0 && empty) throw notDrawn(`'${empty.name}' has no numbers to draw.`);
  return {
    title: face?.title ?? [],
    lines,
    below: [...(facts?.nature === 'synthetic' ? ['Synthetic data, not real.'] : []), ...(face?.below ?? [])],
  };
}

function lineOf(name: string, at: string, rows: readonly Fields[]): Line {
  const points = rows.flatMap((row) => {
    const moment = momentOf(rawAt(row, at));
    const raw = rawAt(row, name);
    return moment === undefined ? [] : [{ at: moment, value: isNumber(raw) ? Number(raw) : null }];
  });
  return { name, points: points.toSorted((a, b) => a.at - b.at) };
}

/** Dates and times are texts; a number is Unix seconds. */
function momentOf(raw: string | undefined): number | undefined {
  const ms = isNumber(raw) ? Number(raw) * 1000 : Date.parse(cellText(raw));
  return Number.isNaN(ms) ? undefined : ms;
}

function notDrawn(message: string): MacroError {
  return new MacroError('usage', message, {
    code: 'no_chart',
    hint: 'Series like macro fx eur usd or macro announcements usd inflation have one; --fields names what is drawn.',
  });
}
