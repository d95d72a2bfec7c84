import type { ComposeRules } from '../../../contract/hooks.ts';
import { patchRow } from '../../../contract/json/body.ts';
import {
  asJsonText,
  type JsonObject,
  type JsonText,
  objectIn,
  parseObject,
  toJsonText,
} from '../../../contract/json/json.ts';
import { memberSpans } from '../../../contract/json/scan.ts';
import type { Args } from '../../../contract/params/param.ts';
import { dateToMs, instantOf, isCalendarDate, parseInstant } from '../../../contract/time/time.ts';
import { MAPPINGS } from '../../../endpoints/index.ts';
import { requestForPeople } from '../../../imports/request.ts';
import type { MirrorReader } from '../../../mirror/api/mirror.ts';
import type { KeyValue, RowLineage, SourceCommit, StoredSeries } from '../../../mirror/api/series.ts';
import { findAll, selectStored } from '../../../source/answer/pick.ts';
import { notMirrored } from '../../../source/not-mirrored.ts';
import type { Question } from '../../../source/source.ts';
import { firstName } from '../../print/listing-view.ts';
import { changedFields, isInstant, nameOfRow, nameOfSeries } from '../../print/series.ts';

/** The mirrored series that the answer would be made of. @throws MacroError of kind `notFound`. */
export async function seriesOfAnswer(reader: MirrorReader, question: Question): Promise<readonly StoredSeries[]> {
  const { endpoint, args } = question;
  const compose: ComposeRules<Args> | undefined = endpoint.compose;
  const scope = Object.fromEntries(Object.keys(endpoint.at).map((name) => [name, String(args[name])]));
  const found = await (compose
    ? selectStored(reader, compose, args)
    : findAll(reader, [{ endpoint: endpoint.id, scope }]));
  if (found.length === 0) throw notMirrored(question);
  return found;
}

/** One line for each value that a row had; a plain one is about one number of one date. */
export async function linesOf(reader: MirrorReader, series: StoredSeries, key: readonly KeyValue[]) {
  const { values, texts } = await reader.lineage(series, key);
  const isImported = series.origin.startsWith('import:');
  const rules = isImported ? await import('../../../imports/formats.ts') : undefined;
  const mapping = MAPPINGS[series.endpoint];
  const [first] = key;
  const formulaAt = await formulaOf(reader, series, key);
  return values.map((value, i) => {
    const [before, until] = [values[i - 1], values[i + 1]];
    const { brought } = value;
    const rule = rules?.ruleOfRequest(brought.request);
    const val = memberText(value.text, mapping?.value ?? 'val');
    const isPlain = val !== undefined && key.length === 1 && isCalendarDate(String(first));
    const holder = texts.findLast((one) => one.brought.number <= brought.number) ?? texts[0];
    const text = holder?.text ?? value.text;
    const row = parseObject(text);
    const { public: publicNs, captured, mirrored } = value.known;
    const head = {
      series: nameOfSeries(series),
      ...(isCalendarDate(String(first)) && { date: first }),
      ...(!isPlain && { row: nameOfRow(series, key) }),
    };
    // A row of many numbers is shown by its changed ones.
    const fields = val === undefined && before ? changedFields(before.text, value.text, mapping) : [];
    const line = patchRow(toJsonText(head), {
      val: val ?? optional(positionsText(parseObject(value.text))),
      marks: optional(marksOf(value, i)),
      fields: fields.length > 0 ? toJsonText(fields) : undefined,
      public: toJsonText(isoNs(publicNs)),
      captured: toJsonText(isoNs(captured)),
      mirrored: toJsonText(isoNs(mirrored)),
      until: untilText(value, until) ?? closedText(series),
      ambiguous: ambiguousText(value),
      source: optional(publisherOf(row, series)),
      source_url: optional(row.announcement_source_url ?? row.source_url),
      request: toJsonText(requestForPeople(brought.request)),
      how: toJsonText(
        until || series.closedAt === undefined
          ? [formulaAt(publicNs), howOf({ value, rule, row, ended: holder?.ended?.request })].filter(Boolean).join('; ')
          : OTHER_SERIES,
      ),
      origin: toJsonText(series.origin),
      access: isImported ? undefined : toJsonText(brought.access === 'keyless' ? 'keyless' : 'keyed'),
      commit: toJsonText(brought.number),
      refreshed: holder?.refreshed && commitText(holder.refreshed),
      ended: holder?.ended && commitText(holder.ended),
      ...(value.isListed && { vintage: toJsonText(value.text) }),
      text: toJsonText(text),
    });
    return { text: line, isPlain };
  });
}

/** The formula of a value as known at a moment, with its numbers; undefined where an input is not stored. */
type FormulaAt = (known: bigint) => string | undefined;

/** Periods between both inputs of a change that an importer computes of a level in the same file. */
const PERIODS_BACK: Readonly<Record<string, number>> = { yoy: 12, mom: 1, change: 1 };

/** How the values of a row follow from the stored level of the same publisher's series. */
async function formulaOf(reader: MirrorReader, series: StoredSeries, [date]: readonly KeyValue[]): Promise<FormulaAt> {
  const { remap, source_series_id: id } = envelopeOf(series);
  const transform = String(objectIn(remap).transform);
  const back = PERIODS_BACK[transform];
  const level = back === undefined ? undefined : await levelOf(reader, series, id);
  if (back === undefined || !level) return () => undefined;
  const page = { limit: back + 1, offset: 0, reverse: MAPPINGS[level.endpoint]?.order !== 'newest' };
  const rows = await reader.rows(level, { to: String(date) }, page);
  const [now, before] = [rows[0]?.key, rows[back]?.key];
  if (!now || now[0] !== date || !before) return () => undefined;
  const [newer, older] = [await valuesOf(reader, level, now), await valuesOf(reader, level, before)];
  return (known) => {
    const [value, base] = [newer(known), older(known)];
    if (value === undefined || base === undefined) return undefined;
    return transform === 'change' ? `${value} - ${base}` : `${value} / ${base} - 1`;
  };
}

async function levelOf(reader: MirrorReader, { endpoint, origin, scope }: StoredSeries, id: unknown) {
  const found = await reader.find({ endpoint, scope: {} });
  return found.find((other) => {
    const { remap, source_series_id: own } = envelopeOf(other);
    const isSameFile = other.origin === origin && other.scope.currency === scope.currency && own === id;
    return isSameFile && remap === undefined;
  });
}

const envelopeOf = ({ envelope }: StoredSeries) => (envelope ? parseObject(envelope.text) : {});

/** The values of a row, each by when the public knew it. */
async function valuesOf(reader: MirrorReader, series: StoredSeries, key: readonly KeyValue[]) {
  const { values } = await reader.lineage(series, key);
  return (at: bigint) => {
    const text = values.findLast(({ known }) => known.public <= at)?.text;
    return text === undefined ? undefined : memberText(text, 'val');
  };
}

/** Contracts of each group of traders, which are several numbers of one row; undefined for rows of others. */
function positionsText(row: JsonObject): string | undefined {
  const groups = Object.entries(row).flatMap(([name, long]) => {
    const [, group] = /^(.*)_long$/.exec(name) ?? [];
    const short = row[`${group}_short`];
    if (group === undefined || typeof long !== 'number' || typeof short !== 'number') return [];
    return [`${group} ${long} long, ${short} short, ${long - short} net`];
  });
  return groups.length === 0 ? undefined : groups.join('; ');
}

type Value = RowLineage['values'][number];

function untilText({ withdrawnAt }: Value, until: Value | undefined): JsonText | undefined {
  if (withdrawnAt !== undefined) return toJsonText(isoNs(BigInt(withdrawnAt) * 1_000_000n));
  return until && toJsonText(isoNs(until.known.public));
}

/** How a value came that the service says no more, as its words mean another series now. */
const OTHER_SERIES = 'of the series that the service meant by these words until then';

function closedText({ closedAt }: StoredSeries): JsonText | undefined {
  return closedAt === undefined ? undefined : toJsonText(isoNs(BigInt(closedAt) * 1_000_000n));
}

/** From when to when nobody can tell whether it was this value or another one. */
function ambiguousText({ dispute }: Value): JsonText | undefined {
  if (!dispute || dispute.until === dispute.from) return undefined;
  const { from, until } = dispute;
  return toJsonText({ from: isoNs(from), ...(until !== undefined && { until: isoNs(until) }) });
}

/** Marks of a value among those of its period, and of its publication time; undefined where nothing is known. */
function marksOf({ text, isAssumed, withdrawnAt }: Value, place: number): string | undefined {
  const { is_first_release: isFirst, publication_time_status: status } = parseObject(text);
  const marks = [
    ...(isFirst === true ? ['first print'] : place > 0 ? ['revised'] : []),
    ...(isAssumed || String(status).startsWith('assumed') ? ['assumed time'] : []),
    ...(withdrawnAt === undefined ? [] : ['withdrawn']),
  ];
  return marks.length === 0 ? undefined : marks.join(', ');
}

/** Which word makes the value known to the public at that time. */
function howOf({
  value,
  rule,
  row,
  ended,
}: {
  value: Value;
  rule: string | undefined;
  row: JsonObject;
  ended: string | undefined;
}): string {
  if (value.withdrawnAt !== undefined) return 'withdrawn since';
  if (value.isAssumed) return rule ? `imported; ${rule}` : 'publication time assumed by the importer';
  if (value.dispute) return 'other values claim the same publication time';
  if (isBorrowed(value)) return 'dated by its capture: another value owns the publication time that it claims';
  if (value.isListed)
    return row.revisions === undefined ? 'listed by the publisher' : 'listed among the vintages of the row';
  const { public: publicNs, mirrored } = value.known;
  if (ended?.startsWith('import retime ')) return 'dated by a calendar of releases';
  return publicNs === mirrored ? 'dated by the mirror, which saw it first then' : 'dated by the release of the row';
}

/** Is a value known by its capture, though it claims a publication time? */
function isBorrowed({ text, isListed, known }: Value): boolean {
  const epoch = instantOf(parseObject(text).epoch);
  if (!isListed || epoch === undefined) return false;
  return known.public !== BigInt(Math.trunc(epoch)) * 1_000_000_000n && known.public === known.captured;
}

function commitText({ number, at, request }: SourceCommit): JsonText {
  return toJsonText({ commit: number, at: isoNs(BigInt(at) * 1_000_000n), request: requestForPeople(request) });
}

/** Who published it: as the row says, else as its series does. */
function publisherOf(row: JsonObject, { envelope, origin }: StoredSeries): string | undefined {
  const stored = envelope ? parseObject(envelope.text) : {};
  const named = firstName([row.publisher, row.source, stored.source, objectIn(stored.provenance).publisher]);
  return named ?? (origin.startsWith('import:') ? origin.slice('import:'.length) : undefined);
}

const optional = (value: unknown): JsonText | undefined => (value === undefined ? undefined : toJsonText(value));

/** ISO form with `Z`, down to the second, or as much finer as the time is. */
function isoNs(ns: bigint): string {
  const ms = Number(ns / 1_000_000n);
  const iso = new Date(ms).toISOString();
  const rest = ns % 1_000_000_000n;
  if (rest === 0n) return `${iso.slice(0, 19)}Z`;
  const digits = String(rest < 0n ? rest + 1_000_000_000n : rest)
    .padStart(9, '0')
    .replace(/0+$/, '');
  return `${iso.slice(0, 19)}.${digits}Z`;
}

function memberText(text: JsonText | string, name: string): JsonText | undefined {
  const span = memberSpans(text).findLast((one) => one.name === name);
  return span && asJsonText(text.slice(span.start, span.end));
}

const DAY_SECONDS = 86_400;

/** Keys of rows, withdrawn ones included, that begin with the word or fall on its day. */
export async function keysOfRow(reader: MirrorReader, series: StoredSeries, row: string) {
  const mapping = MAPPINGS[series.endpoint];
  const [first] = mapping?.key ?? [];
  if (!mapping || !first) return [];
  if (first.type !== 'integer') {
    const words = isCalendarDate(row) ? [row] : [...new Set([row, row.toLowerCase(), row.toUpperCase()])];
    const prefixes = words.map((word) => [word]);
    return mapping.key.length === 1 ? prefixes : (await Promise.all(prefixes.map(keysBehind))).flat();
  }
  if (!isInstant(first)) return /^\d{1,15}$/.test(row) ? keysBehind([Number(row)]) : [];
  const from = parseInstant(row);
  if (from === undefined) return [];
  if (!isCalendarDate(row)) return keysBehind([from]);
  const [start, end] = [dateToMs(row) / 1000, dateToMs(row) / 1000 + DAY_SECONDS];
  const kept = await reader.vintages(series, [], { from: row, to: row });
  return distinct(kept.map(({ key }) => key).filter(([at]) => Number(at) >= start && Number(at) < end));

  async function keysBehind(prefix: readonly KeyValue[]): Promise<readonly (readonly KeyValue[])[]> {
    return distinct((await reader.vintages(series, prefix)).map(({ key }) => key));
  }
}

function distinct(keys: readonly (readonly KeyValue[])[]): readonly (readonly KeyValue[])[] {
  return [...new Map(keys.map((key) => [JSON.stringify(key), key])).values()];
}
