import { describe, expect, it } from 'vitest';
import { reportIsKnown } from '../../src/imports/read/release-days.ts';

function known(date: string): string | undefined {
  const seconds = reportIsKnown(date);
  return seconds === undefined ? undefined : new Date(seconds * 1000).toISOString();
}

/** The calendar of the CFTC for 2024, at 15:30 Eastern time; `*` where a holiday delayed the release. */
const CALENDAR_2024 = `01-05 01-12 01-19 01-26 02-02 02-09 02-16 02-23 03-01 03-08 03-15 03-22 03-29 04-05 04-12 04-19
  04-26 05-03 05-10 05-17 05-24 05-31 06-07 06-14 06-24* 06-28 07-08* 07-12 07-19 07-26 08-02 08-09 08-16 08-23 08-30
  09-06 09-13 09-20 09-27 10-04 10-11 10-18 10-25 11-01 11-08 11-15 11-22 12-02* 12-06 12-13 12-20 12-30*`;

describe('a report on positions of traders is known', () => {
  it('from its Friday, or from a day behind a release that a holiday delayed: the calendar of 2024', () => {
    const releases = CALENDAR_2024.split(/\s+/).map((day) => ({
      at: Date.parse(`2024-${day.slice(0, 5)}T15:30:00${isSummer(day) ? '-04:00' : '-05:00'}`),
      isDelayed: day.endsWith('*'),
    }));
    expect(releases).toHaveLength(52);
    for (const [week, { at, isDelayed }] of releases.entries()) {
      const tuesday = new Date(Date.UTC(2024, 0, 2 + 7 * week)).toISOString().slice(0, 10);
      const seconds = reportIsKnown(tuesday) ?? Number.NaN;
      if (isDelayed) expect(seconds * 1000).toBeGreaterThan(at);
      else expect([at, at + 4 * 86_400_000]).toContain(seconds * 1000);
    }
  });

  // CFTC releases 8662-23 and of 2023-02-24: the report due on 2023-02-03 came that day, the last ones by mid-March or later.
  it.each([
    ['2023-01-24', '2023-01-27T20:30:00.000Z'],
    ['2023-01-31', undefined],
    ['2023-02-21', undefined],
    ['2023-03-14', undefined],
    ['2023-03-28', '2023-03-31T19:30:00.000Z'],
  ])('from the import where the attack on ION delayed it: %s', (date, expected) => {
    expect(known(date)).toBe(expected);
  });

  /*
   * "About the COT Reports" of the CFTC: published on the 11th or 12th calendar day of the following month; mid-month and
   * month-end in 1990, every two weeks in 1992, weekly in 2000; on the sixth business day in 1990, on the third in 1992.
   */
  it.each([
    // Its release was on Tuesday 1986-11-11 or on the 12th.
    ['1986-10-31', '1986-11-14T20:30:00.000Z'],
    // The 12th is a Saturday, and the Monday behind it was Columbus Day.
    ['1985-09-30', '1985-10-15T19:30:00.000Z'],
    ['1986-10-15', undefined],
    ['1990-06-15', undefined],
    ['1990-06-29', '1990-07-16T19:30:00.000Z'],
    // The sixth business day behind it, over Christmas and New Year, is 1991-12-24, 26, 27, 30, 31 and 1992-01-02.
    ['1991-12-23', '1992-01-06T20:30:00.000Z'],
    // Either this report came on Friday 1993-03-05, or with that of the next Tuesday on 1993-03-12.
    ['1993-03-02', '1993-03-16T20:30:00.000Z'],
    ['2000-12-26', '2001-01-09T20:30:00.000Z'],
    ['2001-01-09', '2001-01-12T20:30:00.000Z'],
  ])('at a bound, while it was not weekly: %s', (date, expected) => {
    expect(known(date)).toBe(expected);
  });
});

/** From 2024-03-10 to 2024-11-03. */
function isSummer(day: string): boolean {
  return day >= '03-10' && day < '11-03';
}
