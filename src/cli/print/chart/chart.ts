import type { PartialMark } from '../../../contract/answer-members.ts';
import type { ChartPanel } from '../../../contract/endpoint.ts';
import { asJsonText, readJson } from '../../../contract/json/json.ts';
import { BEGINNING, dateOf, isoSeconds } from '../../../contract/time/time.ts';
import { MacroError } from '../../../errors.ts';
import type { Listing } from '../listing.ts';
import { cellText, type Fields, isNumber, rawAt, type Shape, shapeRows } from '../rows.ts';

/** One value of a line; null where the row has none, so that the line has a missing range there. */
interface ChartPoint {
  /** Milliseconds; years where the axis counts years. */
  readonly at: number;
  readonly value: number | null;
}

export interface Line {
  readonly field: string;
  readonly name: string;
  readonly look: 'line' | 'bars' | 'dots';
  /** Oldest first. */
  readonly points: readonly ChartPoint[];
}

/** Lines over one axis of values. */
export interface Panel extends Pick<ChartPanel, 'name' | 'unit' | 'rules' | 'range' | 'bands'> {
  readonly lines: readonly Line[];
}

/** The content of a chart, independent of the renderer. */
export interface Chart {
  readonly title: string;
  /** Parts of the line below it. */
  readonly facts: readonly string[];
  readonly along: 'time' | 'years';
  /** One above the other, over the same axis along. */
  readonly panels: readonly Panel[];
  /** Warnings that every reader must see: made-up numbers, an answer with missing ranges. */
  readonly marks: readonly string[];
  readonly below: readonly string[];
}

/** The axis along, with marks at round places: years, months, days or hours of UTC; maturities as bonds are named. */
export interface Along {
  readonly from: number;
  readonly to: number;
  readonly ticks: readonly { readonly at: number; readonly text: string }[];
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
interface Step {
  readonly unit: 'hour' | 'day' | 'month' | 'year';
  readonly count: number;
  readonly size: number;
}

/** Steps from fine to coarse: so many of a unit. */
const STEPS: readonly Step[] = [
  ...[1, 3, 6, 12].map((count) => ({ unit: 'hour', count, size: count * HOUR }) as const),
  ...[1, 2, 7, 14].map((count) => ({ unit: 'day', count, size: count * DAY }) as const),
  ...[1, 2, 3, 6].map((count) => ({ unit: 'month', count, size: count * 30 * DAY }) as const),
  ...[1, 2, 5, 10, 20, 50].map((count) => ({ unit: 'year', count, size: count * 365 * DAY }) as const),
];

export interface Scale {
  readonly low: number;
  readonly high: number;
  /** Values that are marked, lowest first; the first and the last are `low` and `high`. */
  readonly ticks: readonly number[];
}

/** The chosen fields of rows as lines, else the default ones. @throws MacroError of kind `usage`. */
export function chartOf(listing: Listing, shape: Shape): Chart {
  const { chart, view, facts } = listing;
  if (!chart) throw notDrawn('These rows are no series over time, so there is no chart of them.');
  const rows = shapeRows(listing, { fields: shape.fields, sort: undefined, reverse: false }).map(
    ({ fields }) => fields,
  );
  const along = chart.along ?? 'time';
  const names = Object.assign({}, ...chart.panels.map((panel) => panel.names));
  const chosen = shape.fields?.filter((name) => name !== chart.at);
  const drawn = (chosen ? panelsWith(chosen, chart.panels) : chart.panels).map((panel) =>
    panelOf(panel, { at: chart.at, along, rows, names, missing: missingRanges(facts?.mirror) }),
  );
  const empty = drawn.flatMap(({ lines }) => lines).filter(isEmpty);
  // A breakdown that these rows do not have is left out, unless it was requested by name.
  const filled = drawn.map(filledLines).filter(({ lines }, i) => i === 0 || !lines.every(isEmpty));
  const panels = chosen ? drawn : filled;
  const first = chosen ? empty[0] : panels[0]?.lines.find(isEmpty);
  if (rows.length > 0 && first) throw notDrawn(`'${first.field}' has no numbers to draw.`);
  const [subject = '', ...about] = view?.lasting ?? view?.title ?? [];
  const marks = [
    ...(facts?.nature === 'synthetic' ? ['SYNTHETIC DATA: these numbers are not real'] : []),
    ...(facts?.mirror === undefined ? [] : [about.find((part) => part.startsWith('PARTIAL')) ?? 'PARTIAL']),
  ];
  const span = spanText(panels, along, rows);
  const own = shape.style?.title;
  return {
    title: own ?? [subject, span].filter(Boolean).join(', '),
    facts: [...(own === undefined ? [] : [subject, span ?? '']), ...about].filter(
      (part) => part !== '' && !marks.includes(part),
    ),
    along,
    panels,
    marks,
    below: [...(chart.notDrawn ?? []), ...(view?.below ?? [])],
  };
}

/** The panels of these fields. A field that no panel has is drawn in the first one, which has no unit then. */
function panelsWith(fields: readonly string[], panels: readonly ChartPanel[]): readonly ChartPanel[] {
  const placeOf = (name: string) => panels.findIndex(({ values, alike = [] }) => [...values, ...alike].includes(name));
  const isOther = fields.some((name) => placeOf(name) < 0);
  return panels.flatMap(({ unit, ...panel }, i) => {
    const values = fields.filter((name) => Math.max(0, placeOf(name)) === i);
    return values.length === 0
      ? []
      : [{ ...panel, values, ...(unit !== undefined && !(isOther && i === 0) && { unit }) }];
  });
}

/** Dates of the first and the last value, which say what a picture is of long after it was drawn. */
function spanText(panels: readonly Panel[], along: Chart['along'], rows: readonly Fields[]): string | undefined {
  const drawn = panels.flatMap(({ lines }) =>
    lines.flatMap(({ points }) => points.flatMap(({ at, value }) => (value === null ? [] : [at]))),
  );
  // Along maturities it is the rows that are dated.
  const moments = along === 'time' ? drawn : rows.flatMap((row) => momentOf(rawAt(row, 'date')) ?? []);
  if (moments.length === 0) return undefined;
  const [first, last] = [moments.reduce((a, b) => Math.min(a, b)), moments.reduce((a, b) => Math.max(a, b))];
  return first === last ? dateOf(first) : `${dateOf(first)} to ${dateOf(last)}`;
}

/** Milliseconds; the end is included. */
type MissingSpan = readonly [from: number, to: number];

function missingRanges(mark: string | undefined): readonly MissingSpan[] {
  if (mark === undefined) return [];
  return (
    readJson<Partial<PartialMark>>(asJsonText(mark)).missing?.flatMap(({ from = BEGINNING, to, for: member }) => {
      const [first, last] = [from, to].map((bound) => momentOf(JSON.stringify(bound)));
      return first === undefined || last === undefined || member !== undefined ? [] : [[first, last] as const];
    }) ?? []
  );
}

interface DrawnRows {
  readonly at: string;
  readonly along: Chart['along'];
  readonly rows: readonly Fields[];
  readonly names: Readonly<Record<string, string>>;
  readonly missing: readonly MissingSpan[];
}

function panelOf(
  { values, bars = [], dots = [], steps = [], names: _, alike: __, ...panel }: ChartPanel,
  rows: DrawnRows,
): Panel {
  const lookOf = (name: string) => (bars.includes(name) ? 'bars' : dots.includes(name) ? 'dots' : 'line');
  const lines = values.map((name) => ({ ...lineOf(name, rows), look: lookOf(name) }) as const);
  return {
    ...panel,
    lines: lines.map((line) => (steps.includes(line.field) ? { ...line, points: stepped(line.points) } : line)),
  };
}

function lineOf(field: string, { at, along, rows, names, missing }: DrawnRows): Omit<Line, 'look'> {
  const placeOf = along === 'years' ? yearsOf : momentOf;
  const points = rows.flatMap((row) => {
    const place = placeOf(rawAt(row, at));
    const raw = rawAt(row, field);
    return place === undefined ? [] : [{ at: place, value: isNumber(raw) ? Number(raw) : null }];
  });
  const name = names[field] ?? (field === 'val' ? 'value' : field.replaceAll('_', ' '));
  return {
    field,
    name,
    points: opened(
      points.toSorted((a, b) => a.at - b.at),
      missing,
    ),
  };
}

/** A value stands until the next one. */
function stepped(points: readonly ChartPoint[]): readonly ChartPoint[] {
  return points.flatMap((point, i) => {
    const before = points[i - 1]?.value ?? null;
    return before === null || point.value === null ? [point] : [{ at: point.at, value: before }, point];
  });
}

/** The points with a missing range between two of them where dates are missing: no line is drawn over what nobody knows. */
function opened(points: readonly ChartPoint[], missing: readonly MissingSpan[]): readonly ChartPoint[] {
  return points.flatMap((point, i) => {
    const before = points[i - 1]?.at ?? point.at;
    const isOpen = before < point.at && missing.some(([from, to]) => from < point.at && to > before);
    return isOpen ? [{ at: (before + point.at) / 2, value: null }, point] : [point];
  });
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
    hint: 'Series like macro fx eur usd or macro announcements usd inflation have one; --fields names the lines.',
  });
}

/** The filled bands of a panel, each with the place of its upper line. */
export function bandsOf({ bands = [], lines }: Panel): readonly { upper: Line; lower: Line; hue: number }[] {
  return bands.flatMap(([top, bottom]) => {
    const hue = lines.findIndex(({ field }) => field === top);
    const [upper, lower] = [lines[hue], lines.find(({ field }) => field === bottom)];
    return upper && lower ? [{ upper, lower, hue }] : [];
  });
}

/** The axis along all points of a chart with about `most` marks; undefined when there are no points. */
export function alongOf({ panels, along }: Pick<Chart, 'panels' | 'along'>, most: number): Along | undefined {
  const places = panels.flatMap(({ lines }) => lines.flatMap(({ points }) => points.map(({ at }) => at)));
  if (places.length === 0) return undefined;
  const from = places.reduce((a, b) => Math.min(a, b));
  const to = places.reduce((a, b) => Math.max(a, b));
  return { from, to, ticks: along === 'years' ? maturityTicks(places, most) : timeTicks(from, to, most) };
}

function timeTicks(from: number, to: number, most: number): Along['ticks'] {
  if (from === to) return [{ at: from, text: from % DAY === 0 ? dateOf(from) : isoSeconds(Math.floor(from / 1000)) }];
  const isDaily = from % DAY === 0 && to % DAY === 0;
  const step: Step = STEPS.find(({ unit, size }) => !(isDaily && unit === 'hour') && (to - from) / size <= most) ?? {
    ...{ unit: 'year', count: 100, size: 0 },
  };
  const ticks: { at: number; text: string }[] = [];
  for (let i = 0; i <= 4 * most + 4; i += 1) {
    const at = placeOf(step, from, i);
    if (at > to) break;
    if (at >= from) ticks.push({ at, text: tickText(step.unit, at) });
  }
  return ticks.length > 0 ? ticks : [{ at: from, text: dateOf(from) }];
}

/** The i-th multiple of the step at or before the beginning, and after it. */
function placeOf({ unit, count, size }: Step, from: number, i: number): number {
  const first = new Date(from);
  const [year, month] = [first.getUTCFullYear(), first.getUTCMonth()];
  if (unit === 'year') return Date.UTC((Math.floor(year / count) + i) * count, 0, 1);
  if (unit === 'month') return Date.UTC(year, Math.floor(month / count) * count + i * count, 1);
  // Weeks begin on a Monday: day 4 of 1970 was the first one.
  const shift = unit === 'day' && count >= 7 ? 4 * DAY : 0;
  return Math.floor((from - shift) / size) * size + shift + i * size;
}

function tickText(unit: Step['unit'], at: number): string {
  if (unit === 'year') return dateOf(at).slice(0, 4);
  if (unit === 'month') return dateOf(at).slice(0, 7);
  return unit === 'day'
    ? dateOf(at)
    : isoSeconds(Math.floor(at / 1000))
        .slice(5, 16)
        .replace('T', ' ');
}

/** The maturities themselves, without overlapping ones. */
function maturityTicks(places: readonly number[], most: number): Along['ticks'] {
  const all = [...new Set(places)].sort((a, b) => a - b);
  const least = ((all.at(-1) ?? 0) - (all[0] ?? 0)) / (2 * most);
  const kept: number[] = [];
  for (const at of all) if (kept.length === 0 || at - (kept.at(-1) ?? 0) >= least) kept.push(at);
  return kept.map((at) => ({ at, text: at < 1 ? `${Math.round(at * 12)}M` : `${at}Y` }));
}

/** An axis around all values of some lines, ending at round values; undefined when there is nothing to draw. */
export function scaleOf({ lines, range, rules = [] }: Panel, tickCount: number): Scale | undefined {
  const values = lines.flatMap(({ points }) => points.flatMap(({ value }) => (value === null ? [] : [value])));
  if (values.length === 0) return undefined;
  const isBarred = lines.some(({ look }) => look === 'bars');
  const ticks = roundTicks(extent(range ?? (isBarred ? [...values, ...rules, 0] : values)), tickCount);
  return { low: ticks[0] ?? 0, high: ticks.at(-1) ?? 0, ticks };
}

/** Where a value stands between two others, from 0 to 1; in the middle when they are one. */
export function share(value: number, low: number, high: number): number {
  return low === high ? 0.5 : (value - low) / (high - low);
}

function extent(numbers: readonly number[]): [number, number] {
  return numbers.reduce(
    ([low, high], number): [number, number] => [Math.min(low, number), Math.max(high, number)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  );
}

/** Multiples of 1, 2 or 5 times a power of ten that enclose both values: as fine as half as many again as `count` allow. */
function roundTicks([low, high]: readonly [number, number], count: number): readonly number[] {
  const range = high - low || Math.abs(high) || 1;
  const power = 10 ** Math.floor(Math.log10(range / Math.max(1, count)));
  const edges = (step: number) => {
    const first = Math.floor(low / step);
    return { first, last: Math.max(Math.ceil(high / step), first + 1) };
  };
  const most = 1.5 * count;
  const isFine = (step: number) => step * most >= range && edges(step).last - edges(step).first + 1 <= most;
  const step = [0.5, 1, 2, 5, 10, 20].map((factor) => factor * power).find(isFine) ?? 50 * power;
  const { first, last } = edges(step);
  const digits = Math.max(0, -Math.floor(Math.log10(step)));
  // A step of 0.1 cannot be added up exactly: each tick is rounded to the digits that it has.
  return Array.from({ length: last - first + 1 }, (_, i) =>
    Number(((first + i) * step).toFixed(Math.min(100, digits))),
  );
}

/** The values with as many digits as tell them apart. */
export function tickTexts(ticks: readonly number[]): readonly string[] {
  const digits = Math.max(...ticks.map((tick) => (/\.(\d+)$/.exec(String(tick))?.[1] ?? '').length));
  return ticks.map((tick) => (/e/.test(String(tick)) ? String(tick) : grouped(tick.toFixed(digits))));
}

function grouped(text: string): string {
  return Math.abs(Number(text)) < 10_000 ? text : text.replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}
