import { describe, expect, it } from 'vitest';
import type { LoadedSeries } from '../../../src/contract/hooks.ts';
import { type CoverageArgs, composeCoverage } from '../../../src/derive/calendar/archive.ts';
import { composeVersions } from '../../../src/derive/calendar/versions.ts';
import { contextOf, loaded, rowsIn } from '../announcements/loaded.ts';
import { coverageSeries, eventSeries, GAPS, VERSIONS } from './world.ts';

const NOW = '2026-11-21T05:46:13Z';
const whole = [...eventSeries(), coverageSeries()];

function ask(id: string, held: readonly LoadedSeries[] = whole, limit = 20) {
  const args = { currency: 'EUR', archive_event_id: id, limit };
  const refs = held.map(({ ref }) => ref);
  const picked = new Set(composeVersions.selectSeries?.(args, refs));
  return composeVersions.build(
    held.filter(({ ref }) => picked.has(ref)),
    contextOf(args, NOW),
  );
}

const cpi = VERSIONS.filter(({ archive_event_id: id }) => id === 'cae_cpi');

describe('the versions of an event', () => {
  it('are listed oldest first', () => {
    const answer = ask('cae_cpi');
    expect(rowsIn(answer)).toEqual(cpi);
    expect(answer?.envelope).toMatchObject({
      currency: 'EUR',
      archive_event_id: 'cae_cpi',
      checkpoint: expect.stringMatching(/^mcp1\./),
      pagination: { limit: 20, returned_count: 3, has_more: false },
    });
    expect(rowsIn(ask('cae_cpi', whole, 2))).toEqual(cpi.slice(0, 2));
  });

  it.each([
    ['its first time', 'eur_inflation_1796032800'],
    ['its last time', 'eur_inflation_1796119200'],
  ])('are found by the calendar id of %s', (_, id) => {
    const answer = ask(id);
    expect(answer?.envelope.archive_event_id).toBe('cae_cpi');
    expect(rowsIn(answer)).toEqual(cpi);
  });

  it('are found in an archive that is held as one series', () => {
    const archive = loaded({ endpoint: 'calendar_versions', scope: { currency: 'EUR' }, rows: VERSIONS });
    expect(rowsIn(ask('cae_cpi', [archive, coverageSeries()]))).toEqual(cpi);
  });

  it('may leave out what the list says of itself', () => {
    const rows = cpi.map(({ archive_event_id: _, ...row }) => row);
    const scope = { currency: 'EUR', archive_event_id: 'cae_cpi' };
    expect(rowsIn(ask('cae_cpi', [loaded({ endpoint: 'calendar_versions', scope, rows })]))).toEqual(rows);
  });

  it('of an event that does not exist are 404, where that can be known', () => {
    expect(() => ask('cae_none')).toThrowError(
      expect.objectContaining({ kind: 'notFound', status: 404, code: 'unknown_resource' }),
    );
    expect(ask('cae_none', eventSeries())).toBeUndefined();
  });

  it('say when some may be missing', () => {
    const scope = { currency: 'EUR', archive_event_id: 'cae_cpi' };
    const envelope = { pagination: { limit: 2, returned_count: 2, has_more: true } };
    const answer = ask('cae_cpi', [loaded({ endpoint: 'calendar_versions', scope, envelope, rows: cpi.slice(0, 2) })]);
    expect(answer?.envelope.data_quality).toEqual({ row_count: 2, reason: 'held_versions_only' });
    expect(answer?.missingParts).toEqual([{ series: { endpoint: 'calendar_versions', scope, exact: true } }]);
  });
});

describe('the coverage of an archive', () => {
  const cover = (filters: Partial<CoverageArgs>, held: readonly LoadedSeries[] = whole) =>
    composeCoverage.build(held, contextOf({ currency: 'EUR', ...filters }, NOW));

  it('is what the service says of it', () => {
    const answer = cover({});
    expect(answer?.envelope).toEqual(coverageSeries().envelope);
    expect(rowsIn(answer)).toEqual(GAPS);
  });

  it.each<[string, Partial<CoverageArgs>, object]>([
    ['an indicator', { indicator: 'inflation' }, { event_count: 2, version_count: 5, capture_count: 960 }],
    ['days of captures', { start_date: '2026-10-20', end_date: '2026-10-31' }, { event_count: 2, version_count: 2 }],
    ['both', { indicator: 'policy_rate', end_date: '2026-10-15' }, { event_count: 1, version_count: 1 }],
    ['nothing', { start_date: '2026-11-10' }, { event_count: 0, version_count: 0, last_capture_at: undefined }],
  ])('is counted again for %s', (_, filters, counts) => {
    const answer = cover(filters);
    expect(answer?.envelope).toMatchObject({ currency: 'EUR', archive_start: '2026-10-12T00:00:00Z', ...counts });
    expect('capture_count' in (answer?.envelope ?? {})).toBe('capture_count' in counts);
  });

  it('shows the gaps that touch the asked days, and is complete without one', () => {
    expect(rowsIn(cover({ start_date: '2026-11-02', end_date: '2026-11-02' }))).toEqual(GAPS);
    expect(cover({ start_date: '2026-11-02' })?.envelope.coverage_quality).toBe('partial');
    const before = cover({ end_date: '2026-11-01' });
    expect([before?.rows, before?.envelope.coverage_quality]).toEqual([[], 'complete']);
  });

  it('cannot be counted where the archive is held in part', () => {
    expect(cover({ indicator: 'inflation' }, [coverageSeries()])).toBeUndefined();
    expect(cover({ indicator: 'inflation' }, [...eventSeries().slice(1), coverageSeries()])).toBeUndefined();
    expect(cover({}, eventSeries())).toBeUndefined();
  });
});
