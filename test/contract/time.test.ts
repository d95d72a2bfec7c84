import { describe, expect, it } from 'vitest';
import {
  addDays,
  dateOf,
  dateToMs,
  daysBetween,
  isCalendarDate,
  isoSeconds,
  parseInstant,
} from '../../src/contract/time/time.ts';

describe('dates', () => {
  it.each(['2024-02-29', '2000-02-29', '1999-12-31'])('%s exists', (date) => expect(isCalendarDate(date)).toBe(true));
  it.each(['2026-02-29', '1900-02-29', '2026-13-01', '2026-1-1', '20260101', '2026-01-01T00:00', ''])(
    '%j does not exist or is not spelled as a date',
    (date) => expect(isCalendarDate(date)).toBe(false),
  );
  it('exists when the calendar of the language comes back to the same day', () => {
    const two = (number: number) => String(number).padStart(2, '0');
    const years = [1896, 1900, 1904, 1999, 2000, 2023, 2024, 2100];
    const days = years.flatMap((year) =>
      Array.from({ length: 14 * 33 }, (_, i) => `${year}-${two(Math.floor(i / 33))}-${two(i % 33)}`),
    );
    const isKept = (text: string) => {
      const date = new Date(`${text}T00:00:00Z`);
      return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
    };
    expect(days.filter(isCalendarDate)).toEqual(days.filter(isKept));
  });
  it('steps over month and leap-year ends', () => {
    expect(addDays('2024-02-28', 1)).toBe('2024-02-29');
    expect(addDays('2026-01-01', -1)).toBe('2025-12-31');
    expect(daysBetween('2026-06-21', '2026-09-19')).toBe(90);
  });
});

describe('a day and its instant', () => {
  it('are those of the calendar of the language, over all years', () => {
    const days = Array.from({ length: 19_958 }, (_, i) => -719_528 + i * 183);
    const spelled = days.map((day) => new Date(day * 86_400_000).toISOString().slice(0, 10));
    expect(days.map((day) => dateOf(day * 86_400_000 + 86_399_999))).toEqual(spelled);
    expect(spelled.map(dateToMs)).toEqual(days.map((day) => day * 86_400_000));
  });

  it.each(['1900-02-28', '1900-03-01', '2000-02-29', '2023-12-31', '2024-02-29', '0001-01-01', '9999-12-31'])(
    'of %s lead to each other',
    (date) => expect([dateToMs(date), dateOf(dateToMs(date))]).toEqual([Date.parse(`${date}T00:00:00Z`), date]),
  );

  it('of a year with five digits are as the language has them', () => {
    expect([dateOf(253_402_300_800_000), dateToMs('soon')]).toEqual(['+010000-01', Number.NaN]);
  });
});

describe('parseInstant', () => {
  // 1791981000 is 2026-10-14T12:30:00Z.
  it.each([
    ['1791981000', 1791981000],
    ['-5', -5],
    ['2026-10-14', 1791936000],
    ['2026-10-14T12:30:00Z', 1791981000],
    ['2026-10-14T12:30', 1791981000],
    ['2026-10-14 12:30:00', 1791981000],
    ['2026-10-14T08:30:00-04:00', 1791981000],
    ['2026-10-14T08:30:00-0400', 1791981000],
    ['2026-10-14T12:30:00.250Z', 1791981000],
  ])('reads %s', (text, seconds) => expect(parseInstant(text)).toBe(seconds));
  it.each(['', 'now', '2026-02-30', '2026-02-30T00:00Z', '2026-10-14T25:00Z', '12:30', '1e9'])('refuses %j', (text) =>
    expect(parseInstant(text)).toBeUndefined(),
  );
  it('spells instants with whole seconds and Z', () => expect(isoSeconds(1791981000)).toBe('2026-10-14T12:30:00Z'));

  it('spells them as the calendar of the language does', () => {
    const edges = [0, -1, -0.5, 0.999, 86_399, 86_400, -86_401, -62_135_596_800, -62_135_596_801, -62_167_219_200];
    const late = [253_402_300_799, 253_402_300_800, 1_709_164_800.25];
    const spread = Array.from({ length: 2000 }, (_, i) => -62_167_219_200 + i * 157_784_760 + i * i);
    for (const seconds of [...edges, ...late, ...spread])
      expect(isoSeconds(seconds)).toBe(`${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`);
    expect(() => isoSeconds(Number.NaN)).toThrow(RangeError);
  });
});
