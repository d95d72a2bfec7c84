import { describe, expect, test } from 'vitest';
import { PRESS_CURRENCIES } from '../../src/contract/words/words.ts';
import { dataSet, NOW, rowsOf, seriesNamed, seriesOf } from './data-set.ts';

const full = dataSet({ size: 'full' });
const small = dataSet();
const DAY = 86_400_000;

describe('the archive of the schedule', () => {
  const rowsByEvent = (all: typeof full, currency: string) =>
    Map.groupBy(rowsOf(all, 'calendar_versions', { currency }), (row) => String(row.archive_event_id));

  test('ends with what the calendar says, for every currency', () => {
    for (const { scope, rows } of seriesNamed(full, 'calendar')) {
      const events = rowsByEvent(full, scope.currency ?? '');
      const last = [...events.values()].map((versions) => versions.at(-1));
      const byId = new Map(last.map((row) => [row?.calendar_event_id, row]));
      for (const { value } of rows) expect(byId.get(String(value.calendar_event_id))).toMatchObject(value);
      // What the calendar does not list is over, called off, or no release.
      const listed = new Set(rows.map(({ value }) => value.calendar_event_id));
      for (const row of last.filter((one) => !listed.has(String(one?.calendar_event_id))))
        expect([
          row?.schedule_status === 'released',
          row?.schedule_status === 'cancelled',
          row?.event_kind === 'other',
        ]).toContain(true);
    }
  });

  test('counts versions from one, each captured later than the one before, never inside of a gap', () => {
    for (const { scope, rows: gaps, envelope } of seriesNamed(full, 'calendar_coverage')) {
      const events = rowsByEvent(full, scope.currency ?? '');
      const versions = [...events.values()];
      expect([envelope?.event_count, envelope?.version_count]).toEqual([versions.length, versions.flat().length]);
      for (const list of versions) {
        expect(list.map(({ version }) => version)).toEqual(list.map((_, i) => i + 1));
        expect(list[0]?.change_type).toBe('created');
        const times = list.map(({ captured_at: at }) => String(at));
        expect(times).toEqual([...new Set(times)].sort());
        for (const time of times) {
          expect(time >= String(envelope?.archive_start) && time <= String(envelope?.archive_end)).toBe(true);
          expect(gaps.some(({ value }) => time > String(value.gap_start) && time < String(value.gap_end))).toBe(false);
        }
      }
    }
  });

  test('has events that were moved, confirmed, called off and released, and kinds to choose from', () => {
    const rows = seriesNamed(full, 'calendar_versions').flatMap((series) => series.rows.map(({ value }) => value));
    const words = (name: string) => [...new Set(rows.map((row) => row[name]))].sort();
    expect(words('change_type')).toEqual(['cancelled', 'confirmed', 'created', 'details_changed', 'rescheduled']);
    expect(words('schedule_status')).toEqual(['cancelled', 'released', 'scheduled', 'tentative']);
    expect(words('event_kind')).toEqual(['decision', 'other', 'release']);
  });

  test('never takes a version back on a later day of the quarter', () => {
    const later = dataSet({ now: NOW + 30 * DAY });
    for (const { scope, rows } of seriesNamed(small, 'calendar_versions')) {
      const texts = new Set(seriesOf(later, 'calendar_versions', scope).rows.map(({ text }) => text));
      expect(rows.filter(({ text }) => !texts.has(text))).toEqual([]);
    }
  });
});

describe('press releases', () => {
  test('are there for every currency of the set, each under an address of its own', () => {
    expect(seriesNamed(full, 'press_releases').map(({ scope }) => scope.currency)).toEqual(PRESS_CURRENCIES);
    for (const { rows } of seriesNamed(full, 'press_releases')) {
      expect(rows.length).toBeGreaterThan(100);
      expect(new Set(rows.map(({ value }) => value.url)).size).toBe(rows.length);
      const kinds = new Set(rows.map(({ value }) => value.category));
      expect([...kinds].sort()).toEqual(['minutes', 'other', 'policy_decision', 'report', 'speech', 'statement']);
    }
  });

  test('stay on a later day', () => {
    const later = dataSet({ now: NOW + 30 * DAY });
    for (const { scope, rows } of seriesNamed(small, 'press_releases')) {
      const extended = seriesOf(later, 'press_releases', scope).rows.map(({ text }) => text);
      expect(extended.slice(-rows.length)).toEqual(rows.map(({ text }) => text));
    }
  });
});

describe('the changes of risk sentiment', () => {
  const scores = rowsOf(full, 'risk_sentiment');
  const changes = rowsOf(full, 'risk_sentiment_changes');

  test('lead to the scores that are there', () => {
    const last = new Map(changes.map(({ date, val, regime, components }) => [date, { val, regime, components }]));
    const shown = scores.map(({ date, val, regime, components }) => [date, { val, regime, components }]);
    expect([...last].reverse()).toEqual(shown);
  });

  test('rise, and tell what a score was before its revision', () => {
    const sequences = changes.map(({ change_sequence: sequence }) => Number(sequence));
    expect(sequences).toEqual([...new Set(sequences)].sort((a, b) => a - b));
    const revisions = changes.filter(({ change_type: type }) => type === 'score_revision');
    expect(revisions.length).toBeGreaterThan(50);
    for (const { date, previous_val: before } of revisions)
      expect(changes.find((one) => one.date === date)).toMatchObject({ change_type: 'addition', val: before });
  });

  test('stay on a later day', () => {
    const later = rowsOf(dataSet({ now: NOW + 30 * DAY }), 'risk_sentiment_changes');
    const held = rowsOf(small, 'risk_sentiment_changes');
    expect(later.slice(0, held.length)).toEqual(held);
    expect(later.length).toBeGreaterThan(held.length);
  });
});
