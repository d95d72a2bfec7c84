import { describe, expect, it } from 'vitest';
import type { LoadedSeries } from '../../../src/contract/hooks.ts';
import { composeSnapshot, type SnapshotArgs } from '../../../src/derive/calendar/versions.ts';
import { contextOf, loaded, rowsIn } from '../announcements/loaded.ts';
import { coverageSeries, eventSeries } from './world.ts';

const NOW = '2026-11-21T05:46:13Z';
const whole = [...eventSeries(), coverageSeries()];

function ask(asOf: string, others: Partial<SnapshotArgs> = {}, held: readonly LoadedSeries[] = whole) {
  const args = { currency: 'EUR', as_of: Date.parse(asOf) / 1000, limit: 20, ...others };
  return composeSnapshot.build(held, contextOf(args, NOW));
}

const shown = (composed: ReturnType<typeof ask>) =>
  rowsIn(composed).map(({ archive_event_id: id, version, schedule_status: status }) => [id, version, status]);

describe('the schedule as it was known at an instant', () => {
  it.each([
    ['2026-10-12T03:00:00Z', [['cae_cpi', 1, 'tentative']]],
    [
      '2026-10-20T08:59:59Z',
      [
        ['cae_flash', 1, 'scheduled'],
        ['cae_rate', 1, 'scheduled'],
        ['cae_cpi', 1, 'tentative'],
      ],
    ],
    [
      '2026-10-20T09:00:00Z',
      [
        ['cae_flash', 1, 'scheduled'],
        ['cae_rate', 1, 'scheduled'],
        ['cae_cpi', 2, 'tentative'],
      ],
    ],
    [
      '2026-11-21T00:00:00Z',
      [
        ['cae_flash', 2, 'cancelled'],
        ['cae_rate', 1, 'scheduled'],
        ['cae_cpi', 3, 'scheduled'],
      ],
    ],
  ])('at %s has of each event the version captured by then, in the order of the schedule', (asOf, rows) => {
    const answer = ask(asOf);
    expect(shown(answer)).toEqual(rows);
    expect(answer?.envelope).toMatchObject({
      currency: 'EUR',
      as_of: asOf,
      filters: { start_date: null, end_date: null, indicator: null, importance: null, event_kind: null },
      data_quality: { row_count: rows.length, quality_scope: 'scheduled_releases', reason: undefined },
      pagination: { limit: 20, returned_count: rows.length, has_more: false },
    });
    expect(answer?.missingParts).toEqual([]);
  });

  it.each<[string, Partial<SnapshotArgs>, readonly string[]]>([
    ['scheduled from a day on', { start_date: '2026-11-26' }, ['cae_rate', 'cae_cpi']],
    ['scheduled up to a day', { end_date: '2026-11-26' }, ['cae_flash', 'cae_rate']],
    ['of one indicator', { indicator: 'policy_rate' }, ['cae_rate']],
    ['of some importance', { importance: ['high', 'medium'] }, ['cae_rate', 'cae_cpi']],
    ['of some kinds', { event_kind: ['decision', 'speech'] }, ['cae_rate']],
    ['of all of that', { importance: ['high'], event_kind: ['release'], end_date: '2026-11-30' }, []],
  ])('can be narrowed to what was %s', (_, filters, events) => {
    const answer = ask('2026-11-21T00:00:00Z', filters);
    expect(shown(answer).map(([id]) => id)).toEqual(events);
    expect(answer?.envelope.filters).toMatchObject(filters);
  });

  it('filters by what was known then: the old date of an event that was moved later', () => {
    const days = { start_date: '2026-11-30', end_date: '2026-11-30' };
    expect(shown(ask('2026-10-13T00:00:00Z', days))).toEqual([['cae_cpi', 1, 'tentative']]);
    expect(shown(ask('2026-10-21T00:00:00Z', days))).toEqual([]);
  });

  it('is empty before the archive began, and says why', () => {
    const answer = ask('2026-10-01T00:00:00Z');
    expect([answer?.rows, answer?.envelope.data_quality, answer?.missingParts]).toEqual([
      [],
      { row_count: 0, is_derived: false, quality_scope: 'scheduled_releases', reason: 'before_archive_start' },
      [],
    ]);
    const unknown = ask('2026-10-01T00:00:00Z', {}, eventSeries());
    expect(unknown?.envelope.data_quality).toMatchObject({ reason: 'before_held_versions' });
  });

  it('says when events or versions may be missing', () => {
    for (const held of [eventSeries(), [...eventSeries().slice(1), coverageSeries()]]) {
      const answer = ask('2026-11-21T00:00:00Z', {}, held);
      expect(answer?.envelope.data_quality).toMatchObject({ is_derived: true, reason: 'held_versions_only' });
      const scope = { currency: 'EUR', as_of: String(Date.parse('2026-11-21T00:00:00Z') / 1000) };
      expect(answer?.missingParts).toEqual([{ series: { endpoint: 'calendar_snapshot', scope, exact: true } }]);
    }
    expect(ask('2026-11-21T00:00:00Z', {}, [])).toBeUndefined();
  });

  it('is walked by checkpoint in one order', () => {
    const first = ask('2026-11-21T00:00:00Z', { limit: 2 });
    const { checkpoint, pagination } = first?.envelope ?? {};
    const cursor = (pagination as { next_cursor: string }).next_cursor;
    const second = ask('2026-11-21T00:00:00Z', { limit: 2, checkpoint: String(checkpoint), cursor });
    expect([...shown(first), ...shown(second)].map(([id]) => id)).toEqual(['cae_flash', 'cae_rate', 'cae_cpi']);
    expect(second?.envelope).toMatchObject({ checkpoint, pagination: { returned_count: 1, has_more: false } });
  });
});

describe('a snapshot of the service', () => {
  const asOf = '2026-11-01T00:00:00Z';
  const snapshot = (more: boolean, rows: readonly object[]) =>
    loaded({
      endpoint: 'calendar_snapshot',
      scope: { currency: 'EUR', as_of: String(Date.parse(asOf) / 1000) },
      envelope: { archive_lag: 7, pagination: { limit: 100, returned_count: rows.length, has_more: more } },
      rows,
    });
  const row = { archive_event_id: 'cae_only', version: 4, captured_at: '2026-10-30T00:00:00Z', event_kind: 'speech' };

  it('is the answer for its instant where all of it is held, filters and all', () => {
    const held = [...whole, snapshot(false, [row])];
    const answer = ask(asOf, {}, held);
    expect([shown(answer), answer?.envelope.archive_lag]).toEqual([[['cae_only', 4, undefined]], 7]);
    expect(shown(ask(asOf, { event_kind: ['release'] }, held))).toEqual([]);
  });

  it('is evidence for instants between the capture of a version and its own', () => {
    const held = [snapshot(true, [row, { archive_event_id: 'cae_bare', version: 1 }])];
    const idsAt = (instant: string, more: readonly LoadedSeries[] = []) =>
      shown(ask(instant, {}, [...held, ...more])).map(([id]) => id);
    expect(idsAt(asOf)).toEqual(['cae_bare', 'cae_only']);
    // A row that does not say when it was captured is known from the snapshot's instant on.
    expect(idsAt('2026-10-31T00:00:00Z')).toEqual(['cae_only']);
    // A newer version that is not held may have come in before a later instant.
    expect(idsAt('2026-11-02T00:00:00Z')).toEqual([]);
    const next = { ...row, version: 5, captured_at: '2026-11-03T00:00:00Z' };
    const later = loaded({
      endpoint: 'calendar_snapshot',
      scope: { currency: 'EUR', as_of: '1793750400' },
      rows: [next],
    });
    expect(idsAt('2026-11-02T00:00:00Z', [later])).toEqual(['cae_only']);
  });
});
