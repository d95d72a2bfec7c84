import { describe, expect, it } from 'vitest';
import { wallInstant, zoneOffset } from '../../../src/contract/time/time.ts';
import fc from '../../support/properties.ts';

const HOUR = 3_600_000;
const hoursAhead = (zone: string, iso: string) => zoneOffset(zone, Date.parse(iso)) / HOUR;
const instantOf = (zone: string, wall: string) => new Date(wallInstant(zone, Date.parse(`${wall}Z`))).toISOString();

describe('zoneOffset', () => {
  it('follows summer time in both hemispheres', () => {
    expect(hoursAhead('Europe/London', '2026-01-15T12:00:00Z')).toBe(0);
    expect(hoursAhead('Europe/London', '2026-07-15T12:00:00Z')).toBe(1);
    expect(hoursAhead('America/New_York', '2026-01-15T12:00:00Z')).toBe(-5);
    expect(hoursAhead('America/New_York', '2026-07-15T12:00:00Z')).toBe(-4);
    expect(hoursAhead('Australia/Sydney', '2026-01-15T12:00:00Z')).toBe(11);
    expect(hoursAhead('Australia/Sydney', '2026-07-15T12:00:00Z')).toBe(10);
    expect(hoursAhead('Asia/Tokyo', '2026-07-15T12:00:00Z')).toBe(9);
  });

  it('changes at the very second of the change', () => {
    expect(hoursAhead('Europe/London', '2026-03-29T00:59:59Z')).toBe(0);
    expect(hoursAhead('Europe/London', '2026-03-29T01:00:00Z')).toBe(1);
    expect(hoursAhead('America/New_York', '2026-11-01T05:59:59Z')).toBe(-4);
    expect(hoursAhead('America/New_York', '2026-11-01T06:00:00Z')).toBe(-5);
  });

  it('knows half hours, and local mean times with their seconds', () => {
    expect(hoursAhead('Asia/Kolkata', '2026-07-15T12:00:00Z')).toBe(5.5);
    // Tokyo before standard time: 9 h 18 min 59 s ahead of Greenwich.
    expect(zoneOffset('Asia/Tokyo', Date.parse('1880-01-01T00:00:00Z'))).toBe(((9 * 60 + 18) * 60 + 59) * 1000);
  });
});

describe('wallInstant', () => {
  it('reads ordinary wall times', () => {
    expect(instantOf('America/New_York', '2026-07-01T08:00:00')).toBe('2026-07-01T12:00:00.000Z');
    expect(instantOf('Australia/Sydney', '2026-01-05T08:00:00')).toBe('2026-01-04T21:00:00.000Z');
  });

  it('takes the first of two when the clock goes back', () => {
    // New York, 1 November 2026: 01:30 comes at 05:30Z in summer time and again at 06:30Z.
    expect(instantOf('America/New_York', '2026-11-01T01:30:00')).toBe('2026-11-01T05:30:00.000Z');
    expect(instantOf('America/New_York', '2026-11-01T02:00:00')).toBe('2026-11-01T07:00:00.000Z');
    // Sydney, 5 April 2026: 02:30 comes at 15:30Z and at 16:30Z of the day before.
    expect(instantOf('Australia/Sydney', '2026-04-05T02:30:00')).toBe('2026-04-04T15:30:00.000Z');
  });

  it('carries a skipped time over the gap when the clock goes forward', () => {
    // London, 29 March 2026: 01:30 does not exist; it is 30 minutes past the gap, 02:30 in summer time.
    expect(instantOf('Europe/London', '2026-03-29T01:30:00')).toBe('2026-03-29T01:30:00.000Z');
    expect(instantOf('America/New_York', '2026-03-08T02:30:00')).toBe('2026-03-08T07:30:00.000Z');
  });

  it('is undone by the offset, unless the time is skipped', () => {
    const zone = fc.constantFrom('Europe/London', 'America/New_York', 'Australia/Sydney', 'Asia/Tokyo');
    const wall = fc.integer({ min: Date.UTC(1975, 0, 1) / 60_000, max: Date.UTC(2035, 0, 1) / 60_000 });
    fc.assert(
      fc.property(zone, wall, (name, minutes) => {
        const instant = wallInstant(name, minutes * 60_000);
        const shown = instant + zoneOffset(name, instant);
        expect([0, HOUR]).toContain(shown - minutes * 60_000);
      }),
      { numRuns: 300 },
    );
  });
});
