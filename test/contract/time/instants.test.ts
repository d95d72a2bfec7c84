import { describe, expect, it } from 'vitest';
import { zonedInstants } from '../../../src/contract/time/moments.ts';
import { addDays } from '../../../src/contract/time/time.ts';

/** Last Sunday of a month, by the calendar rule that the European Union's summer time follows. */
function lastSunday(year: number, month: number): string {
  const last = new Date(Date.UTC(year, month, 0));
  return addDays(last.toISOString().slice(0, 10), -last.getUTCDay());
}

describe('the clock of Frankfurt', () => {
  it('is two hours ahead of UTC in summer time and one hour otherwise, on every day since 1999', () => {
    const at = zonedInstants('Europe/Berlin', 16);
    for (let date = '1999-01-04'; date < '2027-01-01'; date = addDays(date, 1)) {
      const year = Number(date.slice(0, 4));
      const summer = date >= lastSunday(year, 3) && date < lastSunday(year, 10);
      expect(at(Date.parse(date))).toBe(Date.parse(`${date}T16:00:00${summer ? '+02:00' : '+01:00'}`) / 1000);
    }
  });
});
