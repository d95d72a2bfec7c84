import { describe, expect, it } from 'vitest';
import { isReleaseDay, nextRelease, reportRelease } from '../../../src/derive/positioning.ts';

const at = (iso: string) => Date.parse(iso) / 1000;

describe('the release of positions', () => {
  it.each([
    // Winter in New York is five hours behind, summer four; clocks changed on 2026-11-01 and 2026-03-08.
    ['2026-11-17', '2026-11-20T20:30:00Z'],
    ['2026-10-27', '2026-10-30T19:30:00Z'],
    ['2026-11-03', '2026-11-06T20:30:00Z'],
    ['2026-03-03', '2026-03-06T20:30:00Z'],
    ['2026-03-10', '2026-03-13T19:30:00Z'],
    // A report of a Monday, before a holiday, still comes that Friday.
    ['2026-11-16', '2026-11-20T20:30:00Z'],
  ])('of %s is %s', (report, release) => expect(reportRelease(report).epoch).toBe(at(release)));

  it('comes next a week after the newest one, or later where some were missed', () => {
    expect(nextRelease('2026-11-17', at('2026-11-21T05:46:13Z')).epoch).toBe(at('2026-11-27T20:30:00Z'));
    expect(nextRelease('2026-11-10', at('2026-11-20T20:29:59Z')).epoch).toBe(at('2026-11-20T20:30:00Z'));
    expect(nextRelease('2026-11-10', at('2026-11-20T20:30:00Z')).epoch).toBe(at('2026-11-27T20:30:00Z'));
    expect(nextRelease('2026-09-01', at('2026-11-21T00:00:00Z')).epoch).toBe(at('2026-11-27T20:30:00Z'));
  });

  it('is ahead even where nothing is held', () => {
    for (const now of ['2026-11-16T00:00:00Z', '2026-11-20T20:29:00Z'])
      expect(nextRelease(undefined, at(now)).epoch).toBe(at('2026-11-20T20:30:00Z'));
  });

  it('falls on a Friday', () => {
    expect([isReleaseDay(at('2026-11-20T00:00:00Z')), isReleaseDay(at('2026-11-21T00:00:00Z'))]).toEqual([true, false]);
  });
});
