import type { HeadOfRows, LoadedSeries, WantedSeries, WindowWithColumns } from '../../contract/hooks.ts';
import { readJson } from '../../contract/json/json.ts';
import { FULL_COVERAGE } from '../../contract/time/coverage.ts';
import { perObject } from '../../derive/memory.ts';
import { endpointById } from '../../endpoints/index.ts';
import type { MirrorReader } from '../../mirror/api/mirror.ts';
import type { StoredEnvelope, StoredRow, StoredSeries } from '../../mirror/api/series.ts';
import { evidenceFor, evidenceOf } from '../coverage/evidence.ts';
import { knownSpansOf } from '../coverage/known-spans.ts';
import { coverageQuestion } from '../coverage/lacks.ts';
import { wholeOf } from '../memory/rows-within.ts';
import type { MirrorQuestion } from './answer.ts';
import { loadColumns } from './load-columns.ts';
import { keptSince, keptValues } from './view.ts';

const membersOf = perObject(({ text }: StoredEnvelope) => readJson<LoadedSeries['envelope']>(text));

/** A series for a `build` hook. */
export async function loadSeries(ask: MirrorQuestion, series: StoredSeries): Promise<LoadedSeries> {
  const { reader, visible } = ask;
  const { args, cutoff } = visible;
  const needed = ask.question.endpoint.compose?.rowsNeeded?.(args, series);
  const part = await readPart(ask, series, needed);
  const { rows } = part;
  const since = needed && 'since' in needed && needed.kept ? needed.since : undefined;
  const kept =
    since !== undefined
      ? await keptValues(reader, series, since)
      : cutoff !== undefined && (await keptSince(reader, series, { rows, moment: cutoff }));
  const window = ask.question.endpoint.compose?.vouches?.(args, [series])?.window;
  const evidence = await evidenceOf(coverageQuestion(ask, window), series, evidenceFor(ask.caller));
  return {
    ref: series,
    envelope: series.envelope ? membersOf(series.envelope) : {},
    ...part,
    coverage: evidence?.coverage ?? FULL_COVERAGE,
    // What a moment of the past was made of nobody proves any more, unless it is what was public.
    proven: evidence?.provenAt !== undefined && (!ask.asOf || ask.asOf.by === 'public'),
    ...(since !== undefined && ask.asOf?.by !== 'mirrored' && { knownSpans: await knownSpansOf(series, ask.present) }),
    ...(kept && { kept }),
  };
}

/** The same series with more of its newest rows. */
export async function loadMore(
  ask: MirrorQuestion,
  { series, before, needed }: { series: StoredSeries; before: LoadedSeries; needed: HeadOfRows | undefined },
): Promise<LoadedSeries> {
  const { columns: _, isHead: __, whole: ___, ...others } = before;
  const part = await readPart(ask, series, needed);
  const { cutoff } = ask.visible;
  const kept = cutoff !== undefined && (await keptSince(ask.reader, series, { rows: part.rows, moment: cutoff }));
  return { ...others, ...part, ...(kept && { kept }) };
}

async function readPart(
  ask: MirrorQuestion,
  series: StoredSeries,
  needed: WantedSeries | undefined,
): Promise<Pick<LoadedSeries, 'columns' | 'shown' | 'isHead' | 'whole'> & { readonly rows: readonly StoredRow[] }> {
  const { reader, heads } = ask;
  if (needed && 'head' in needed) {
    // What was known at a moment of the past is told by whole series.
    if (!heads) return { rows: await reader.rows(series, {}) };
    const { head, values } = needed;
    const rows = await heads(series, head);
    const selection = values?.from === undefined ? {} : { from: values.from };
    return {
      rows,
      ...(rows.length >= head && { isHead: true }),
      ...(values && { columns: await reader.columns(series, selection, values.names) }),
    };
  }
  if (!needed || !('columns' in needed)) {
    const rows = await readRows(reader, series, needed);
    const whole = wholeOf(rows);
    return { rows, ...(whole && { whole }) };
  }
  const { from, to } = needed;
  const texts = await reader.texts(series, { from, to });
  return { rows: [], shown: { to, texts }, columns: await loadColumns(ask, series, needed) };
}

async function readRows(
  reader: MirrorReader,
  series: StoredSeries,
  needed: Exclude<WantedSeries, HeadOfRows | WindowWithColumns> | undefined,
) {
  if (!needed) return reader.rows(series, {});
  if ('newest' in needed) return reader.rows(series, {}, { limit: needed.newest, offset: 0 });
  const rows = await reader.rows(series, { from: needed.since });
  if (rows.length > 0) return rows;
  // A series that ends before that date still tells how old it is.
  const last = endpointById(series.endpoint)?.mirror?.order === 'oldest' ? (await reader.count(series, {})) - 1 : 0;
  return reader.rows(series, {}, { limit: 1, offset: Math.max(0, last) });
}
