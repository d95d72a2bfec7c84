// What everybody may know of a served mirror: its kind, its service, and what it covers.
import { GROUPS } from '../../../../contract/endpoint.ts';
import { dateOf } from '../../../../contract/time/time.ts';
import { ENDPOINTS } from '../../../../endpoints/index.ts';
import type { Mirror, MirrorReader } from '../../../../mirror/api/mirror.ts';
import type { CoverageInterval, KeyValue, StoredSeries } from '../../../../mirror/api/series.ts';
import type { MirrorFacts } from '../../../../serve/pages/page-data.ts';
import { instantText } from '../../../print/rows.ts';

interface GroupCoverage {
  readonly group: string;
  series: number;
  rows: number;
  /** Series of which some range between two covered ones is missing, or nothing is covered. */
  withGaps: number;
  readonly bounds: string[];
  readonly checks: number[];
}

const COLUMNS = ['group', 'series', 'rows', 'covered from', 'covered to', 'with gaps', 'checked longest ago'];

/** Reads all series. */
export async function readMirrorFacts(mirror: Mirror): Promise<MirrorFacts> {
  const { nature, service } = await mirror.stamp();
  const groups = await mirror.snapshot(readGroups);
  const checks = groups.flatMap((group) => group.checks);
  const count = (pick: (group: GroupCoverage) => number) => groups.reduce((sum, group) => sum + pick(group), 0);
  return {
    kind: nature,
    lines: [
      ['Service', service ?? (nature === 'synthetic' ? 'none: generated here' : 'none')],
      ['Newest look', instantText(latest(checks)) ?? 'never'],
      ['Series', String(count(({ series }) => series))],
      ['Rows', String(count(({ rows }) => rows))],
      ['Series with gaps', String(count(({ withGaps }) => withGaps))],
    ],
    groups: {
      title: 'Coverage',
      columns: COLUMNS,
      rows: groups.map(groupCells),
      empty: 'Nothing is mirrored yet. macro sync fx eur usd fills the mirror.',
    },
  };
}

async function readGroups(reader: MirrorReader): Promise<readonly GroupCoverage[]> {
  const groups: GroupCoverage[] = [];
  for (const group of GROUPS) {
    const found: GroupCoverage = { group, series: 0, rows: 0, withGaps: 0, bounds: [], checks: [] };
    for (const { id, mirror } of ENDPOINTS.filter((endpoint) => endpoint.group === group))
      if (mirror)
        for (const series of await reader.find({ endpoint: id, scope: {} })) await addSeries(reader, found, series);
    if (found.series > 0) groups.push(found);
  }
  return groups;
}

async function addSeries(reader: MirrorReader, group: GroupCoverage, series: StoredSeries): Promise<void> {
  const proofs = await reader.proofs(series, 'keyless');
  group.series += 1;
  group.rows += await reader.count(series, {});
  if (proofs.length !== 1) group.withGaps += 1;
  group.bounds.push(...proofs.flatMap(boundsOf));
  if (series.checkedAt > 0) group.checks.push(series.checkedAt);
}

/** A bound that is no date is that of a series without a window. */
function boundsOf({ from, to }: CoverageInterval): readonly string[] {
  return [from, to].map(dateText).filter((text) => /^\d{4}-\d\d-\d\d/.test(text));
}

function dateText(value: KeyValue): string {
  return typeof value === 'number' ? (Math.abs(value) < 8e12 ? dateOf(value * 1000) : '') : value.slice(0, 10);
}

function groupCells({ group, series, rows, withGaps, bounds, checks }: GroupCoverage): readonly string[] {
  const sorted = bounds.filter((bound) => bound > '0001' && bound < '9000').sort();
  const oldest = checks.length === 0 ? undefined : checks.reduce((a, b) => Math.min(a, b));
  return [
    group,
    String(series),
    String(rows),
    sorted[0] ?? 'whole',
    sorted.at(-1) ?? 'whole',
    String(withGaps),
    instantText(oldest) ?? 'never',
  ];
}

function latest(times: readonly number[]): number | undefined {
  return times.length === 0 ? undefined : times.reduce((a, b) => Math.max(a, b));
}
