import type { Endpoint } from '../../../contract/endpoint.ts';
import { dateOf, isoSeconds } from '../../../contract/time/time.ts';
import { ENDPOINTS } from '../../../endpoints/index.ts';
import type { MirrorReader } from '../../../mirror/api/mirror.ts';
import type { CoverageInterval, KeyValue, StoredSeries } from '../../../mirror/api/series.ts';
import { withoutUndone } from '../../../mirror/rules/as-of/undone.ts';
import { dateRangesOf, timeRangesOf } from '../../../source/coverage/coverage.ts';
import type { App } from '../../app/app.ts';
import { listOwn } from '../../print/listing.ts';
import { instantText } from '../../print/rows.ts';
import { storedName } from '../../print/series.ts';
import { requireMirror } from './require-held.ts';

const COLUMNS = ['series', 'origin', 'rows', 'from', 'to', 'as_of', 'proven'] as const;
/** Left out of a narrow table, the first one first. */
const SPARE = ['origin', 'as_of'] as const;
/** All ranges, where the column of a row names a few. */
const RANGES = 'proven_ranges';
type StatusRow = Readonly<Record<(typeof COLUMNS)[number], string | number | boolean | null>> &
  Readonly<Record<typeof RANGES, readonly ProvenRange[]>>;

/** How many ranges a cell names; JSON has all of them. */
const MOST_NAMED = 3;

/** A stretch of which every row is held: dates, or moments where the series goes by them; null is no bound. */
interface ProvenRange {
  readonly from: string | null;
  readonly to: string | null;
}

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

/** The stretches that are proven of a series, oldest first; what lies between two of them is not. */
function provenRanges(proofs: readonly CoverageInterval[]): readonly ProvenRange[] {
  // A series without a window is proven as a whole.
  if (proofs.some(({ to }) => to === '')) return [{ from: null, to: null }];
  if (proofs.every(({ from }) => typeof from === 'string'))
    return dateRangesOf(proofs).map(({ from, to }) => ({ from, to }));
  return timeRangesOf(proofs).map(({ from, to }) => ({ from: isoSeconds(from), to: isoSeconds(to) }));
}

/** The same for people, by days: `2004-01-06..2004-12-28, 2025-01-07..2025-01-21`. */
function provenText(ranges: readonly ProvenRange[]): string | null {
  if (ranges.length === 0) return null;
  const named = ranges.slice(0, MOST_NAMED).map(rangeText).join(', ');
  return ranges.length > MOST_NAMED ? `${named} … and ${ranges.length - MOST_NAMED} more` : named;
}

function rangeText({ from, to }: ProvenRange): string {
  return from === null || to === null ? 'whole' : `${from.slice(0, DAY)}..${to.slice(0, DAY)}`;
}

const DAY = '2004-01-06'.length;
