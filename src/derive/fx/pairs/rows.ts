import { patchRow } from '../../../contract/json/body.ts';
import { asJsonText, floatOrNullText, type JsonText, toJsonText } from '../../../contract/json/json.ts';
import { memberSpans } from '../../../contract/json/scan.ts';
import { dateToMs, isoSeconds } from '../../../contract/time/time.ts';
import { TECHNICAL_ROW_FIELDS, type TechnicalField } from '../../technicals/fields.ts';
import type { Consistency } from './consistency.ts';
import type { RoutedPoint } from './fx-route.ts';
import { legsOfParts } from './labels.ts';
import { isImportedSeries } from './legs.ts';
import { type Path, pairText } from './paths.ts';

/** Technical values of one row as JSON; a field that was not asked for is absent. */
export type RowTechnicals = Readonly<Partial<Record<TechnicalField, JsonText>>>;

export interface CheckedPoint extends RoutedPoint {
  readonly check: Consistency;
}

const FIELD_NAMES: ReadonlySet<string> = new Set(TECHNICAL_ROW_FIELDS);

/**
 * The text of one row of the answer. A direct row that came over the wire is served as it was spelled, labels of pegs and
 * expanded averages included; only its technicals are those of this question. A row of a bulk file knows its date and
 * value alone and is completed; a derived row is made from nothing.
 */
export function forexRow(point: CheckedPoint, technicals: RowTechnicals): JsonText {
  const { path } = point;
  const [part] = point.parts;
  if (path.method !== 'direct_original_pair' || !part)
    return objectText({ ...rowHead(point), ...technicals, ...tail(point) });
  if (isImportedSeries(part.series))
    return patchRow(part.row.text, { ...rowHead(point), ...technicals, ...tail(point) });
  const outdated = memberSpans(part.row.text).filter(({ name }) => FIELD_NAMES.has(name) && !(name in technicals));
  if (outdated.length === 0 && Object.keys(technicals).length === 0) return part.row.text;
  return patchRow(part.row.text, {
    ...Object.fromEntries(outdated.map(({ name }) => [name, undefined])),
    ...technicals,
  });
}

/** Where a row's value comes from, in the words of `pair_metadata`. */
function tail({ path, parts, check }: CheckedPoint): Readonly<Record<string, JsonText>> {
  const pairs = path.legs.map(({ pair }) => pair);
  const source = {
    source_pair: sourcePair(path),
    source_legs: legsOfParts(pairs, parts),
    is_derived: path.method !== 'direct_original_pair',
    derivation_method: path.method,
    pair_consistency_check: check,
    ...(path.anchor !== undefined && { anchor_currency: path.anchor }),
  };
  return { source: toJsonText(source) };
}

/** The pairs that were published, in the order of the legs. */
export function sourcePair(path: Path): string {
  return path.legs.map(({ pair }) => pairText(pair)).join(',');
}

function rowHead({ date, rate }: CheckedPoint): Readonly<Record<string, JsonText>> {
  const seconds = dateToMs(date) / 1000;
  return {
    date: toJsonText(date),
    val: floatOrNullText(rate),
    observation_datetime: toJsonText(seconds),
    observation_datetime_iso: toJsonText(isoSeconds(seconds)),
    observation_datetime_precision: toJsonText('date'),
  };
}

function objectText(members: Readonly<Record<string, JsonText>>): JsonText {
  const parts = Object.entries(members).map(([name, text]) => `${JSON.stringify(name)}:${text}`);
  return asJsonText(`{${parts.join(',')}}`);
}
