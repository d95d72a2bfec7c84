import type { Compose, Composed, HookContext, LoadedSeries } from '../../contract/hooks.ts';
import { parseObject } from '../../contract/json/json.ts';
import { dateToMs, instantOf, isoSeconds } from '../../contract/time/time.ts';
import { lackOfAll } from '../lacks.ts';
import { COVERAGE, readArchive, VERSIONS, type Version } from './archive.ts';

export interface CoverageArgs {
  readonly currency: string;
  readonly indicator?: string | undefined;
  readonly start_date?: string | undefined;
  readonly end_date?: string | undefined;
}

const DAY = 86_400;

/**
 * What the service has captured of a currency's schedule, and when it did not look. Without filters its own document is
 * the answer. A filter narrows the gaps by their time and counts events and versions again by the time of their capture,
 * which takes the whole archive. See docs/interface.md#calendar-coverage.
 */
export const composeCoverage: Compose<CoverageArgs> = {
  version: 1,
  reads: ({ currency }) => [
    { endpoint: COVERAGE, scope: { currency } },
    { endpoint: VERSIONS, scope: { currency } },
  ],
  selectSeries: (args, stored) => (isFiltered(args) ? stored : stored.filter(({ endpoint }) => endpoint === COVERAGE)),
  vouches: (args, picked) => {
    const series = picked.filter(({ endpoint }) => endpoint === COVERAGE);
    return isFiltered(args) || series.length === 0 ? undefined : { series };
  },
  build: buildCoverage,
};

function isFiltered({ indicator, start_date: from, end_date: to }: CoverageArgs): boolean {
  return indicator !== undefined || from !== undefined || to !== undefined;
}

function buildCoverage(loaded: readonly LoadedSeries[], { args }: HookContext<CoverageArgs>): Composed | undefined {
  const document = loaded.find(({ ref }) => ref.endpoint === COVERAGE);
  if (!document) return undefined;
  const gaps = document.rows.map(({ text }) => text);
  if (!isFiltered(args)) return { envelope: document.envelope, rows: gaps, total: gaps.length };
  const archive = readArchive(loaded);
  if (!archive.whole) return undefined;
  const span = spanOf(args);
  const events = [...archive.events.values()].map((versions) => versions.filter((one) => isAsked(one, args, span)));
  const versions = events.flat();
  const inside = gaps.filter((text) => overlaps(parseObject(text), span));
  const { capture_count: captures, ...rest } = document.envelope;
  return {
    envelope: {
      ...rest,
      ...(args.start_date === undefined && args.end_date === undefined && { capture_count: captures }),
      indicator: args.indicator,
      start_date: args.start_date,
      end_date: args.end_date,
      event_count: events.filter((kept) => kept.length > 0).length,
      version_count: versions.length,
      last_capture_at: lastCapture(versions),
      coverage_quality: inside.length === 0 ? 'complete' : 'partial',
    },
    rows: inside,
    total: inside.length,
    // As many versions are stored as the service counts: only what it counted can be lacking.
    lacks: document.coverage.ranges.length > 0 ? [] : [lackOfAll(COVERAGE, { currency: args.currency })],
  };
}

/** Unix seconds, the end left out. */
interface Span {
  readonly from: number;
  readonly to: number;
}

function spanOf({ start_date: from, end_date: to }: CoverageArgs): Span {
  return {
    from: from === undefined ? Number.NEGATIVE_INFINITY : dateToMs(from) / 1000,
    to: to === undefined ? Number.POSITIVE_INFINITY : dateToMs(to) / 1000 + DAY,
  };
}

function isAsked({ captured, row }: Version, { indicator }: CoverageArgs, { from, to }: Span): boolean {
  return captured >= from && captured < to && (indicator === undefined || row.release === indicator);
}

function overlaps(gap: Readonly<Record<string, unknown>>, { from, to }: Span): boolean {
  const start = instantOf(gap.gap_start) ?? Number.NEGATIVE_INFINITY;
  const end = instantOf(gap.gap_end) ?? Number.POSITIVE_INFINITY;
  return start < to && end > from;
}

function lastCapture(versions: readonly Version[]): string | undefined {
  return versions.length === 0 ? undefined : isoSeconds(Math.max(...versions.map(({ captured }) => captured)));
}
