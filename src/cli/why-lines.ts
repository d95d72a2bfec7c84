import { patchRow } from '../contract/body.ts';
import { asJsonText, isJsonObject, type JsonObject, type JsonText, parseObject, toJsonText } from '../contract/json.ts';
import { spansOf } from '../contract/scan.ts';
import { MAPPINGS } from '../endpoints/index.ts';
import type { HeldSeries, MirrorReader, RowLineage, SourceCommit } from '../mirror/mirror.ts';
import { nameOfSeries } from './chosen-series.ts';

/** One line for each value that the row had. */
export async function linesOf(reader: MirrorReader, series: HeldSeries, date: string): Promise<readonly JsonText[]> {
  const lineage = await reader.lineage(series, [date]);
  const rule = series.origin.startsWith('import:') ? await ruleOf(series.origin) : undefined;
  return lineage.values.map((value, i) => lineOf({ series, date, lineage, value, until: lineage.values[i + 1], rule }));
}

/** The rule by which an importer knows when a row was published. */
async function ruleOf(origin: string): Promise<string | undefined> {
  const { ecb } = await import('../imports/ecb.ts');
  return origin === `import:${ecb.publisher}` ? ecb.rule : undefined;
}

type Value = RowLineage['values'][number];

interface Told {
  readonly series: HeldSeries;
  readonly date: string;
  readonly lineage: RowLineage;
  readonly value: Value;
  readonly until: Value | undefined;
  readonly rule: string | undefined;
}

function lineOf({ series, date, lineage, value, until, rule }: Told): JsonText {
  const holder = lineage.texts.findLast(({ brought }) => brought.number <= value.brought.number) ?? lineage.texts[0];
  const text = holder?.text ?? value.text;
  const row = parseObject(text);
  const { public: publicNs, captured, mirrored } = value.known;
  const { brought } = value;
  const line = patchRow(toJsonText({ series: nameOfSeries(series), date }), {
    val: memberText(value.text, MAPPINGS[series.endpoint]?.value ?? 'val'),
  });
  return patchRow(line, {
    public: toJsonText(isoNs(publicNs)),
    captured: toJsonText(isoNs(captured)),
    mirrored: toJsonText(isoNs(mirrored)),
    until: untilText(value, until),
    source: optional(publisherOf(row, series)),
    source_url: optional(row.announcement_source_url ?? row.source_url),
    request: toJsonText(brought.request),
    how: toJsonText(howOf({ value, rule, row })),
    origin: toJsonText(series.origin),
    access: series.origin.startsWith('import:')
      ? undefined
      : toJsonText(brought.access === 'keyless' ? 'keyless' : 'keyed'),
    commit: toJsonText(brought.number),
    refreshed: holder?.refreshed && commitText(holder.refreshed),
    ended: holder?.ended && commitText(holder.ended),
    ...(value.isListed && { vintage: toJsonText(value.text) }),
    text: toJsonText(text),
  });
}

function untilText({ withdrawnAt }: Value, until: Value | undefined): JsonText | undefined {
  if (withdrawnAt !== undefined) return toJsonText(isoNs(BigInt(withdrawnAt) * 1_000_000n));
  return until && toJsonText(isoNs(until.known.public));
}

/** Which word makes the value known to the public at that time. */
function howOf({ value, rule, row }: { value: Value; rule: string | undefined; row: JsonObject }): string {
  if (value.withdrawnAt !== undefined) return 'withdrawn since';
  if (value.isAssumed) return rule ? `imported; ${rule}` : 'publication time assumed by the importer';
  if (value.isListed)
    return row.revisions === undefined ? 'listed by the publisher' : 'listed among the vintages of the row';
  const { public: publicNs, mirrored } = value.known;
  return publicNs === mirrored ? 'dated by the mirror, which saw it first then' : 'dated by the release of the row';
}

function commitText({ number, at, request }: SourceCommit): JsonText {
  return toJsonText({ commit: number, at: isoNs(BigInt(at) * 1_000_000n), request });
}

/** Who published it: as the row says, else as its series does. */
function publisherOf(row: JsonObject, { envelope, origin }: HeldSeries): unknown {
  const stored = envelope ? parseObject(envelope.text) : {};
  const provenance = isJsonObject(stored.provenance) ? stored.provenance.publisher : undefined;
  for (const source of [row.publisher, row.source, stored.source, provenance]) {
    const name = isJsonObject(source) ? source.name : source;
    if (typeof name === 'string' && name !== '') return name;
  }
  return origin.startsWith('import:') ? origin.slice('import:'.length) : undefined;
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
  const span = spansOf(text).findLast((one) => one.name === name);
  return span && asJsonText(text.slice(span.start, span.end));
}
