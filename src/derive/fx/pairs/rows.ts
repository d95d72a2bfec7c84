import type { LoadedSeries } from '../../../contract/hooks.ts';
import { patchRow } from '../../../contract/json/body.ts';
import { asJsonText, floatOrNullText, type JsonText, toJsonText } from '../../../contract/json/json.ts';
import { memberSpans } from '../../../contract/json/scan.ts';
import { dateToMs, isCalendarDate, isoSeconds } from '../../../contract/time/time.ts';
import { TECHNICAL_ROW_FIELDS, type TechnicalField } from '../../technicals/fields.ts';
import type { Consistency } from './consistency.ts';
import type { RoutedPoint } from './fx-route.ts';
import { isLabelled, legsOfParts } from './labels.ts';
import { isImportedSeries } from './legs.ts';
import { type Path, pairText } from './paths.ts';

/** Technical values of one row as JSON; a field that was not asked for is absent. */
export type RowTechnicals = Readonly<Partial<Record<TechnicalField, JsonText>>>;

export interface CheckedPoint extends RoutedPoint {
  readonly check: Consistency;
}

const PRECISION = toJsonText('date');

const FIELD_NAMES: ReadonlySet<string> = new Set(TECHNICAL_ROW_FIELDS);

/**
 * The text of one row of the answer. A direct row that came over the wire is served as it was spelled, labels of pegs and
 * expanded averages included; only its technicals are those of this question. A row of a bulk file knows its date and
 * value alone and is completed; a derived row is made from nothing.
 */
export function forexRow(point: CheckedPoint, technicals: RowTechnicals): JsonText {
  const { path } = point;
  const [part] = point.parts;
  if (path.method !== 'direct_original_pair' || !part) return objectText([rowHead(point), technicals, tail(point)]);
  if (isImportedSeries(part.series)) {
    if (isBare(part.row.text, point.date)) return objectText([rowHead(point), technicals, tail(point)]);
    return patchRow(part.row.text, { ...rowHead(point), ...technicals, ...tail(point) });
  }
  const outdated = memberSpans(part.row.text).filter(({ name }) => FIELD_NAMES.has(name) && !(name in technicals));
  if (outdated.length === 0 && Object.keys(technicals).length === 0) return part.row.text;
  return patchRow(part.row.text, {
    ...Object.fromEntries(outdated.map(({ name }) => [name, undefined])),
    ...technicals,
  });
}

/** True where the text has the date first and one member behind it, the value: then nothing of it is left when both are replaced. */
function isBare(text: string, date: string): boolean {
  const beginning = `{"date":"${date}","val":`;
  return text.startsWith(beginning) && !text.includes(',', beginning.length);
}

/** Where a row's value comes from, in the words of `pair_metadata`. */
function tail({ path, parts, check }: CheckedPoint): Readonly<Record<string, JsonText>> {
  const own = parts.some(isLabelled) ? undefined : knownTail(path, parts, check);
  return { source: own ?? tailText(path, parts, check) };
}

interface KnownTail {
  readonly series: readonly LoadedSeries[];
  readonly check: Consistency;
  readonly text: JsonText;
}

const tails = new WeakMap<Path, KnownTail>();

/** Rows that say nothing of themselves share what their series say, as long as these are the same from row to row. */
function knownTail(path: Path, parts: CheckedPoint['parts'], check: Consistency): JsonText {
  const before = tails.get(path);
  if (before?.check === check && parts.every(({ series }, i) => series === before.series[i])) return before.text;
  const text = tailText(path, parts, check);
  tails.set(path, { series: parts.map(({ series }) => series), check, text });
  return text;
}

function tailText(path: Path, parts: CheckedPoint['parts'], check: Consistency): JsonText {
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

/** The pairs that were published, in the order of the legs. */
export function sourcePair(path: Path): string {
  return path.legs.map(({ pair }) => pairText(pair)).join(',');
}

function rowHead({ date, rate }: CheckedPoint): Readonly<Record<string, JsonText>> {
  const seconds = dateToMs(date) / 1000;
  // A calendar date needs no calendar to become its midnight.
  const midnight = isCalendarDate(date) ? `${date}T00:00:00Z` : isoSeconds(seconds);
  return {
    date: toJsonText(date),
    val: floatOrNullText(rate),
    observation_datetime: asJsonText(String(seconds)),
    observation_datetime_iso: asJsonText(`"${midnight}"`),
    observation_datetime_precision: PRECISION,
  };
}

/** An object with the members of several, which have different names; none of the names needs an escape. */
function objectText(parts: readonly Readonly<Partial<Record<string, JsonText>>>[]): JsonText {
  let text = '';
  for (const part of parts)
    for (const name of Object.keys(part)) text += `${text === '' ? '{' : ','}"${name}":${part[name]}`;
  return asJsonText(`${text}}`);
}
