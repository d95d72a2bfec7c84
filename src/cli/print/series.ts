import type { Endpoint } from '../../contract/endpoint.ts';
import { patchRow } from '../../contract/json/body.ts';
import { asJsonText, type JsonText, jsonEqual, parseObject, toJsonText } from '../../contract/json/json.ts';
import { memberSpans } from '../../contract/json/scan.ts';
import type { Column, Mapping } from '../../contract/mapping.ts';
import { isoSeconds } from '../../contract/time/time.ts';
import { ENDPOINTS, endpointById, MAPPINGS } from '../../endpoints/index.ts';
import { MacroError } from '../../errors.ts';
import type { MirrorReader } from '../../mirror/api/mirror.ts';
import type { KeyValue, RowDifference, SeriesKey, StoredSeries } from '../../mirror/api/series.ts';

/** Series whose name has all of these words; all series when there are none. */
export function chosenBy(words: readonly string[]): (series: SeriesKey) => boolean {
  const chosen = words.flatMap((word) => word.toLowerCase().split(/[\s/,]+/)).filter(Boolean);
  return (series) => {
    const parts = new Set(nameOfSeries(series).split(' '));
    return chosen.every((word) => parts.has(word));
  };
}

/** The stored series of each endpoint that has any that are chosen, in the order of the contract. */
export async function seriesByEndpoint(
  reader: Pick<MirrorReader, 'find'>,
  isChosen: (series: SeriesKey) => boolean = () => true,
): Promise<readonly { readonly endpoint: Endpoint; readonly series: readonly StoredSeries[] }[]> {
  const found = [];
  for (const endpoint of ENDPOINTS.filter(({ mirror }) => mirror)) {
    const series = (await reader.find({ endpoint: endpoint.id, scope: {} })).filter(isChosen);
    if (series.length > 0) found.push({ endpoint, series });
  }
  return found;
}

/** The words that a person would type for a series, whatever its endpoint. */
export function nameOfSeries(series: SeriesKey): string {
  return storedName(endpointById(series.endpoint) ?? { id: series.endpoint }, series);
}

export function noneChosen(words: readonly string[]): MacroError {
  const what = words.length === 0 ? 'The mirror is empty.' : `No series of the mirror is named '${words.join(' ')}'.`;
  return new MacroError('notFound', what, {
    code: 'not_held',
    hint: 'macro mirror status lists the series in the mirror.',
  });
}

export function storedName({ cli, id }: Pick<Endpoint, 'cli' | 'id'>, { scope }: SeriesKey): string {
  return [...(cli?.words ?? [id]), ...Object.values(scope)].join(' ').toLowerCase();
}

/** The name of a row for people: the values of its key, instants in ISO. */
export function nameOfRow({ endpoint }: StoredSeries, key: readonly KeyValue[]): string {
  const columns = MAPPINGS[endpoint]?.key ?? [];
  return key.map((part, i) => (isInstant(columns[i]) ? isoSeconds(Number(part)) : String(part))).join(' ');
}

/** Whole numbers of a key are Unix seconds or count something: the interface names all of the former after time. */
export function isInstant(column: Pick<Column, 'name' | 'type'> | undefined): boolean {
  return column?.type === 'integer' && /time/.test(column.name);
}

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

/** The numbers of a row that has no value of its own, without its key and the members that depend on the question. */
function numbersOf(text: JsonText, { value = 'val', key = [], dependent = [] }: Partial<Mapping> = {}) {
  const spans = memberSpans(text);
  if (spans.some(({ name }) => name === value)) return [];
  const left = new Set([...key.map(({ name, from = name }) => from), ...dependent]);
  return spans.filter(({ name, start }) => !left.has(name) && /[-\d]/.test(text.charAt(start))).map(({ name }) => name);
}

/** Members in which two texts of a row differ, without members that depend on the question or neighbours. */
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
