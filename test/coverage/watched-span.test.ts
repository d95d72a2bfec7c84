import { describe, expect, it } from 'vitest';
import { type CutBody, cutBody, listAt } from '../../src/contract/json/body.ts';
import { beginIn, beginningOf, type FeedAnswer, watchedSpan, watchedUntil } from '../../src/coverage/watched-span.ts';
import type { AccessTag } from '../../src/mirror/api/series.ts';
import { NOW, SECOND } from '../source/coverage/moment.ts';

/** The keyless delay at 05:46:13: 15 minutes, on a grid of five. */
const CUTOFF = SECOND - 16 * 60 - 13;

/** An answer with events of these times. */
function answer(times: readonly unknown[], beside: object = {}): CutBody {
  return cutBody(listAt('events'), JSON.stringify({ events: times.map((timestamp) => ({ timestamp })), ...beside }));
}

const span = (more: Partial<FeedAnswer> = {}) =>
  watchedSpan({ from: 100, cut: answer([]), hasMore: false, access: 'key:1', at: NOW, ...more });

describe('the time of which an answer brought every event', () => {
  it('begins where the answer does and ends at its last event, or now', () => {
    expect(span()).toEqual({ from: 100, to: SECOND, rows: 0 });
    expect(span({ at: NOW + 999 })).toEqual({ from: 100, to: SECOND, rows: 0 });
    expect(span({ cut: answer([SECOND - 9, SECOND + 3, SECOND - 7]) })).toEqual({ from: 100, to: SECOND + 3, rows: 3 });
    expect(span({ cut: answer(['2026-11-21T05:46:15Z']) })).toEqual({ from: 100, to: SECOND + 2, rows: 1 });
  });

  it('ends without a key where the delay began', () => {
    expect(span({ access: 'keyless' })).toEqual({ from: 100, to: CUTOFF, rows: 0 });
  });

  it('ends before its last second where more follow, and before what could be the newest', () => {
    expect(span({ hasMore: true, cut: answer([500, 900]) })).toEqual({ from: 100, to: 899, rows: 2 });
    expect(span({ hasMore: true, cut: answer([CUTOFF + 50]) })).toEqual({ from: 100, to: CUTOFF - 1, rows: 1 });
    expect(span({ hasMore: true, cut: answer([101]) })).toEqual({ from: 100, to: 100, rows: 1 });
  });

  it('is none where nothing is left of it, or nobody knows where it begins', () => {
    expect(span({ hasMore: true, cut: answer([100]) })).toBeUndefined();
    expect(span({ hasMore: true, cut: answer(['no time']) })).toBeUndefined();
    expect(span({ from: undefined })).toBeUndefined();
  });

  it('begins behind what the service lost', () => {
    const cut = answer([], { gap: true, oldest_available: '1970-01-01T00:05:00Z' });
    expect(span({ cut })).toEqual({ from: 300, to: SECOND, rows: 0 });
  });
});

describe('the begin of an answer', () => {
  const lost = (oldest_available: unknown, gap: unknown = true) => answer([], { gap, oldest_available });

  it('is the position that was asked for, or the oldest event that the service keeps', () => {
    expect(beginIn(lost(300, false), 100)).toBe(100);
    expect(beginIn(lost(300, 'true'), 100)).toBe(100);
    expect(beginIn(lost(300), 100)).toBe(300);
    expect(beginIn(lost(50), 100)).toBe(100);
  });

  it('is not known where events were lost and nobody says until when', () => {
    expect(beginIn(lost(undefined), 100)).toBeUndefined();
    expect(beginIn(lost(300), undefined)).toBeUndefined();
  });
});

it.each([
  ['nothing', undefined, SECOND - 86_400],
  ['an instant', '2026-11-21T05:00:00Z', SECOND - 46 * 60 - 13],
  ['a position', 'e12', undefined],
  ['a number, which no question has', 12, undefined],
])('a question about changes since %s begins there', (_, since, begin) => {
  expect(beginningOf(since, NOW + 999)).toBe(begin);
});

describe('until when changes are known that were read to their end', () => {
  const until = (access: AccessTag, delay?: unknown) =>
    watchedUntil(access, { envelope: { freemium_delay: delay as never } }, NOW);

  it('is the moment of the answer with a key', () => {
    expect([until('key:1'), until('key:1', { withheld_count: 3 })]).toEqual([NOW, NOW]);
  });

  it('is the begin of the delay without one, unless the answer says that nothing is withheld', () => {
    expect(watchedUntil('keyless', undefined, NOW)).toBe(CUTOFF * 1000);
    expect(until('keyless')).toBe(CUTOFF * 1000);
    expect(until('keyless', { withheld_count: 1 })).toBe(CUTOFF * 1000);
    expect(until('keyless', { withheld_count: 0 })).toBe(NOW);
    expect(until('keyless', [0])).toBe(CUTOFF * 1000);
  });
});
