import { numberTextIn, patchRow, type RowMembers, type RowNumbers } from '../../contract/json/body.ts';
import { asJsonText, floatOrNullText, type JsonText, toJsonText } from '../../contract/json/json.ts';
import { memberSpans } from '../../contract/json/scan.ts';
import { dateToMs, isCalendarDate, isoSeconds } from '../../contract/time/time.ts';
import { TECHNICAL_ROW_FIELDS } from '../technicals/table.ts';
import { isLabelled, legsOfParts } from './forex-envelope.ts';
import { isImportedSeries } from './legs.ts';
import type { PathPoint } from './path-rates.ts';
import { sourcePair } from './paths.ts';
import type { Consistency } from './rates.ts';

/** The requested technical values of one row. Rows of one answer share the very same list of names. */
export interface RowTechnicals extends Omit<RowNumbers, 'from'> {
  readonly names: readonly string[];
}

export const NO_TECHNICALS: RowTechnicals = { names: [], columns: [], row: 0, round: (value) => value };

export interface CheckedPoint extends PathPoint {
  readonly check: Consistency;
}

const PRECISION = toJsonText('date');

const HEAD_NAMES = [
  'date',
  'val',
  'observation_datetime',
  'observation_datetime_iso',
  'observation_datetime_precision',
] as const;

const TAIL_NAME = 'source';

const FIELD_NAMES: ReadonlySet<string> = new Set(TECHNICAL_ROW_FIELDS);

/** A row of the answer: service rows keep their spelling but for technicals, file rows are completed, others made. */
export function forexRow(point: CheckedPoint, technicals: RowTechnicals): JsonText | RowMembers {
  const [part] = point.parts;
  if (!part || isMade(point)) return madeRow(point, technicals, { source: tailText(point) });
  const { names } = technicals;
  const { text } = part;
  if (isImportedSeries(part.series)) {
    const head = headValues(point).map((value, i) => [HEAD_NAMES[i], value]);
    return patchRow(text, { ...Object.fromEntries(head), ...byName(technicals), [TAIL_NAME]: tailText(point) });
  }
  const outdated = memberSpans(text).filter(({ name }) => FIELD_NAMES.has(name) && !isIn(names, name));
  if (outdated.length === 0 && names.length === 0) return text;
  return patchRow(text, {
    ...Object.fromEntries(outdated.map(({ name }) => [name, undefined])),
    ...byName(technicals),
  });
}

/** True for a row of which nothing is left that was stored, and nothing is read. */
export function isWhollyMade(point: CheckedPoint): boolean {
  return isMade(point) && !point.parts.some(isLabelled);
}

/** True for a row whose members are all made here. */
function isMade({ path, parts, date }: CheckedPoint): boolean {
  // Called for every row of a history: destructuring a list would go through its iterator, which is slower.
  const part = parts[0];
  if (path.method !== 'direct_original_pair' || !part) return true;
  return isImportedSeries(part.series) && isBare(part.text, date);
}

const isIn = (names: readonly string[], name: string): boolean => names.includes(name);

function byName(technicals: RowTechnicals): Readonly<Record<string, JsonText | undefined>> {
  return Object.fromEntries(technicals.names.map((name, i) => [name, numberTextIn(technicals, i)]));
}

/** The text of a computed row; `end` is its end, from the source on. */
export function madeText({ date, rate }: DatedRate, technicals: RowTechnicals, end: string): string {
  // A date of a key is a calendar date: nothing needs an escape. Names stand in the text, since loops take twice as long.
  let text = `{"date":"${date}","val":${floatOrNullText(rate)},"observation_datetime":${dateToMs(date) / 1000},"observation_datetime_iso":"${date}T00:00:00Z","observation_datetime_precision":"date"`;
  const { names } = technicals;
  for (let i = 0; i < names.length; i += 1) text += `,"${names[i]}":${numberTextIn(technicals, i)}`;
  return text + end;
}

/** The end of the text of such a row. */
export const endText = (source: JsonText): string => `,"${TAIL_NAME}":${source}}`;

/** NaN and null are no rate. */
type DatedRate = Pick<CheckedPoint, 'date' | 'rate'>;

/** A row of which every member is made here; `source` is its last one. */
export function madeRow(
  point: DatedRate,
  { names: fields, columns, row, round }: RowTechnicals,
  { source, names = namesWith(fields) }: { readonly source: JsonText; readonly names?: readonly string[] },
): RowMembers {
  const values = headValues(point);
  const numbers = { from: HEAD_NAMES.length, columns, row, round };
  values.push(source);
  return { names, values, numbers };
}

/** The names of such rows: of one answer the very same list. */
export function namesWith(technicals: readonly string[]): readonly string[] {
  return [...HEAD_NAMES, ...technicals, TAIL_NAME];
}

/** True where the text has the date first and one member behind it, the value: then nothing of it is left when both are replaced. */
function isBare(text: string, date: string): boolean {
  const end = DATE_START.length + date.length;
  return (
    text.startsWith(DATE_START) &&
    text.startsWith(date, DATE_START.length) &&
    text.startsWith(VALUE_START, end) &&
    !text.includes(',', end + VALUE_START.length)
  );
}

const DATE_START = '{"date":"';

const VALUE_START = '","val":';

/** Where a row's value comes from, in the words of `pair_metadata`. */
export function tailText({ path, parts, check }: CheckedPoint): JsonText {
  const pairs = path.legs.map(({ pair }) => pair);
  return toJsonText({
    source_pair: sourcePair(path),
    source_legs: legsOfParts(pairs, parts),
    is_derived: path.method !== 'direct_original_pair',
    derivation_method: path.method,
    pair_consistency_check: check,
    ...(path.anchor !== undefined && { anchor_currency: path.anchor }),
  });
}

/** Values of the members that a row begins with, in the order of `HEAD_NAMES`. */
function headValues({ date, rate }: DatedRate): JsonText[] {
  const seconds = dateToMs(date) / 1000;
  // A calendar date needs no calendar to become its midnight, and no escapes.
  const isDate = isCalendarDate(date);
  return [
    isDate ? asJsonText(`"${date}"`) : toJsonText(date),
    floatOrNullText(rate),
    asJsonText(String(seconds)),
    asJsonText(isDate ? `"${date}T00:00:00Z"` : `"${isoSeconds(seconds)}"`),
    PRECISION,
  ];
}
