import type { LoadedColumns, LoadedSeries, WantedSeries } from '../../contract/hooks.ts';
import { readJson } from '../../contract/json/json.ts';
import { FULL_COVERAGE } from '../../contract/time/coverage.ts';
import { endpointById } from '../../endpoints/index.ts';
import type { MirrorReader, StoredSeries } from '../../mirror/api/mirror.ts';
import { evidenceFor, evidenceOf } from '../coverage/evidence.ts';
import { coverageQuestion } from '../coverage/lacks.ts';
import { lastLookAt } from '../coverage/last-look.ts';
import type { MirrorQuestion } from './answer.ts';
import type { Kept } from './series-memory.ts';
import { keptSince, keptValues } from './view.ts';

/**
 * A series for a `build` hook. What is read follows from the generation of the series and from what is wanted of it, so
 * what was read before under the same name is still right.
 */
export async function loadSeries(ask: MirrorQuestion, series: StoredSeries): Promise<LoadedSeries> {
  const { memory, reader, visible } = ask;
  const { args, cutoff } = visible;
  const wanted = ask.question.endpoint.compose?.wants?.(args, series);
  const nameOf = (...of: unknown[]) => JSON.stringify([series.id, series.generation, ...of]);

  const rows = await memory.rows.through(nameOf(wanted), () => readRows(reader, series, wanted), bytesOfRows);
  const names = wanted && 'columns' in wanted ? wanted.columns : undefined;
  const columns =
    names && (await memory.columns.through(nameOf(names), () => reader.columns(series, {}, names), bytesOfColumns));
  const since = wanted && 'since' in wanted && wanted.kept ? wanted.since : undefined;
  const kept =
    since !== undefined
      ? await memory.kept.through(nameOf(since), () => keptValues(reader, series, since), bytesOfKept)
      : cutoff !== undefined && (await keptSince(reader, series, { rows, moment: cutoff }));
  const window = ask.question.endpoint.compose?.vouches?.(args, [series])?.window;
  const evidence = await evidenceOf(coverageQuestion(ask, window), series, evidenceFor(ask.caller));
  return {
    ref: series,
    envelope: series.envelope ? readJson(series.envelope.text) : {},
    rows,
    ...(columns && { columns }),
    coverage: evidence?.coverage ?? FULL_COVERAGE,
    // What a moment of the past was made of nobody proves any more, unless it is what was public.
    proven: evidence?.provenAt !== undefined && (!ask.asOf || ask.asOf.by === 'public'),
    ...(since !== undefined &&
      ask.asOf?.by !== 'mirrored' && { lookedAt: await lastLookAt(series, ask.present.proofs) }),
    ...(kept && { kept }),
  };
}

async function readRows(reader: MirrorReader, series: StoredSeries, wanted: WantedSeries | undefined) {
  if (!wanted) return reader.rows(series, {});
  if ('columns' in wanted) return reader.rows(series, { from: wanted.from, to: wanted.to });
  if ('newest' in wanted) return reader.rows(series, {}, { limit: wanted.newest, offset: 0 });
  const rows = await reader.rows(series, { from: wanted.since });
  if (rows.length > 0) return rows;
  // A series that ends before that date still tells how old it is.
  const last = endpointById(series.endpoint)?.mirror?.order === 'oldest' ? (await reader.count(series, {})) - 1 : 0;
  return reader.rows(series, {}, { limit: 1, offset: Math.max(0, last) });
}

/** What a row or a value takes besides its text: its objects, and what hooks make of it. */
const OBJECT_BYTES = 500;
const CELL_BYTES = 24;

function bytesOfRows(rows: readonly { readonly text: string }[]): number {
  return rows.reduce((bytes, { text }) => bytes + text.length + OBJECT_BYTES, OBJECT_BYTES);
}

function bytesOfColumns(columns: LoadedColumns): number {
  return Object.values(columns).reduce((bytes, values) => bytes + (values?.length ?? 0) * CELL_BYTES, OBJECT_BYTES);
}

function bytesOfKept(kept: Kept): number {
  let bytes = OBJECT_BYTES;
  for (const values of kept.values()) bytes += bytesOfRows(values);
  return bytes;
}
