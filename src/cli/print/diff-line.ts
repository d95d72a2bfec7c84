import { patchRow } from '../../contract/json/body.ts';
import { type JsonText, asJsonText, jsonEqual, parseObject, toJsonText } from '../../contract/json/json.ts';
import { memberSpans } from '../../contract/json/scan.ts';
import type { Mapping } from '../../contract/mapping.ts';
import { MAPPINGS } from '../../endpoints/index.ts';
import type { RowDifference } from '../../mirror/api/past-knowledge.ts';
import type { StoredSeries } from '../../mirror/api/series.ts';
import { nameOfRow, nameOfSeries } from './series-names.ts';


/** One line of the output; values keep the spelling that they were received in. */
export function lineOf(series: StoredSeries, { key, before, after }: RowDifference): JsonText {
  const mapping = MAPPINGS[series.endpoint];
  const fields = before && after ? changedFields(before.text, after.text, mapping) : [];
  const shown = mapping?.value ?? 'val';
  const head = {
    change: !before ? 'added' : after ? 'revised' : 'withdrawn',
    series: nameOfSeries(series),
    origin: series.origin,
    row: nameOfRow(series, key),
  };
  return patchRow(toJsonText(head), {
    old: before && shownOf(before.text, shown, after ? fields : numbersOf(before.text, mapping)),
    new: after && shownOf(after.text, shown, before ? fields : numbersOf(after.text, mapping)),
    ...(fields.length > 0 && { fields: toJsonText(fields) }),
  });
}

/** The value of a row; of one without, and where it stayed the same, some members. */
function shownOf(text: JsonText, member: string, fields: readonly string[]): JsonText | undefined {
  const spans = memberSpans(text);
  const span = spans.findLast(({ name }) => name === member);
  if (span && (fields.length === 0 || fields.includes(member))) return asJsonText(text.slice(span.start, span.end));
  const parts = spans.filter(({ name }) => fields.includes(name));
  if (parts.length === 0) return undefined;
  return patchRow(
    asJsonText('{}'),
    Object.fromEntries(parts.map(({ name, start, end }) => [name, asJsonText(text.slice(start, end))])),
  );
}

/** The numbers of a row that has no value of its own, without those of its key and those that are the question's. */
function numbersOf(
  text: JsonText,
  { value = 'val', key = [], dependent = [] }: Partial<Mapping> = {},
): readonly string[] {
  const spans = memberSpans(text);
  if (spans.some(({ name }) => name === value)) return [];
  const left = new Set([...key.map(({ name, from = name }) => from), ...dependent]);
  return spans.filter(({ name, start }) => !left.has(name) && /[-\d]/.test(text.charAt(start))).map(({ name }) => name);
}

/** Members in which two texts of a row differ, without those that are the question's or the neighbours'. */
export function changedFields(
  before: JsonText | string,
  after: JsonText | string,
  mapping?: Mapping,
): readonly string[] {
  const [a, b] = [parseObject(before), parseObject(after)];
  const dependent = mapping?.dependent ?? [];
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].filter((name) => !dependent.includes(name) && !jsonEqual(a[name] ?? null, b[name] ?? null));
}
