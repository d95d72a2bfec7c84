import type { Endpoint } from '../../../contract/endpoint.ts';
import { dateOf } from '../../../contract/time/time.ts';
import { ENDPOINTS } from '../../../endpoints/index.ts';
import type { KeyValue, MirrorReader, StoredSeries } from '../../../mirror/api/mirror.ts';
import { withoutUndone } from '../../../mirror/core/as-of/undone.ts';
import type { App } from '../../app/app.ts';
import { storedName } from '../../messages/held-name.ts';
import { instantText } from '../../messages/instant.ts';
import { listOwn } from '../../output/own-listing.ts';
import { type ProvenRange, provenRanges, provenText } from './proven.ts';
import { requireMirror } from './require-held.ts';

const COLUMNS = ['series', 'origin', 'rows', 'from', 'to', 'as_of', 'proven'] as const;
/** Left out of a narrow table, the first one first. */
const SPARE = ['origin', 'as_of'] as const;
/** All ranges, where the column of a row names a few. */
const RANGES = 'proven_ranges';
type StatusRow = Readonly<Record<(typeof COLUMNS)[number], string | number | boolean | null>> &
  Readonly<Record<typeof RANGES, readonly ProvenRange[]>>;

/** Prints one row a series: how many rows, from when to when, when it was last confirmed, and what is proven of it. */
export async function showMirror(app: App): Promise<void> {
  const path = app.settings.mirror.value;
  const { mirror } = await requireMirror(app);
  const stamp = await mirror.stamp();
  const rows = await mirror.snapshot((reader) => readStatus(withoutUndone(reader)));
  const facts = [stamp.service ?? 'no service', stamp.nature ?? 'empty', `${rows.length} series`];
  await app.print(
    listOwn({
      columns: COLUMNS,
      spare: SPARE,
      provenance: new Set([RANGES]),
      rows,
      title: [path, ...facts],
      beside: { mirror: path, id: stamp.id, service: stamp.service ?? null, nature: stamp.nature ?? null },
    }),
  );
}

async function readStatus(reader: MirrorReader): Promise<readonly StatusRow[]> {
  const rows: StatusRow[] = [];
  for (const endpoint of ENDPOINTS) {
    if (!endpoint.mirror) continue;
    const found = await reader.find({ endpoint: endpoint.id, scope: {} });
    const listed: StatusRow[] = [];
    for (const series of found) listed.push(await statusOf(reader, endpoint, series));
    rows.push(...listed.sort(byName));
  }
  return rows;
}

/** As a person would list them, whichever series came first: 2 before 10. */
function byName(a: StatusRow, b: StatusRow): number {
  return inOrder.compare(String(a.series), String(b.series)) || inOrder.compare(String(a.origin), String(b.origin));
}

const inOrder = new Intl.Collator('en', { numeric: true });

async function statusOf(reader: MirrorReader, endpoint: Endpoint, series: StoredSeries): Promise<StatusRow> {
  const count = await reader.count(series, {});
  const edges = await Promise.all(
    [0, count - 1].map(async (offset) =>
      count > 0 ? (await reader.rows(series, {}, { limit: 1, offset }))[0] : undefined,
    ),
  );
  const windowed = endpoint.mirror?.window !== undefined;
  const [from = null, to = null] = windowed ? edges.map((row) => dateText(row?.key[0])).sort() : [];
  const ranges = provenRanges(await reader.proofs(series, 'keyless'));
  return {
    series: storedName(endpoint, series),
    origin: series.origin,
    rows: count,
    from,
    to,
    as_of: instantText(series.checkedAt),
    proven: provenText(ranges),
    [RANGES]: ranges,
  };
}

function dateText(value: KeyValue | undefined): string {
  return typeof value === 'number' ? dateOf(value * 1000) : (value ?? '');
}
