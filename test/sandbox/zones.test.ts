import { expect, test } from 'vitest';
import { CALENDAR_CURRENCIES } from '../../src/contract/words/words.ts';
import { publisherOf } from '../../src/sandbox/publishers.ts';
import { isoLocal, localInstant } from '../../src/sandbox/zones.ts';

test('local times become instants on both sides of a change of clocks', () => {
  // 2026: the United States change on 8 March and 1 November, the European Union on 29 March and 25 October.
  expect(localInstant('America/New_York', '2026-03-06', 510)).toBe(Date.parse('2026-03-06T13:30:00Z') / 1000);
  expect(localInstant('America/New_York', '2026-03-09', 510)).toBe(Date.parse('2026-03-09T12:30:00Z') / 1000);
  expect(localInstant('Europe/Berlin', '2026-10-23', 660)).toBe(Date.parse('2026-10-23T09:00:00Z') / 1000);
  expect(localInstant('Europe/Berlin', '2026-10-26', 660)).toBe(Date.parse('2026-10-26T10:00:00Z') / 1000);
  expect(localInstant('Asia/Kolkata', '2026-06-15', 960)).toBe(Date.parse('2026-06-15T10:30:00Z') / 1000);
});

test('the local form names the same instant with the zone’s offset', () => {
  expect(isoLocal(Date.parse('2026-11-13T13:30:00Z') / 1000, 'America/New_York')).toBe('2026-11-13T08:30:00-05:00');
  expect(isoLocal(Date.parse('2026-11-15T21:45:00Z') / 1000, 'Pacific/Auckland')).toBe('2026-11-16T10:45:00+13:00');
});

test('every publisher’s morning is the one that the zone database gives, on every weekday of two years', () => {
  for (const currency of CALENDAR_CURRENCIES) {
    const { zone, times } = publisherOf(currency);
    const clock = new Intl.DateTimeFormat('en-GB', {
      timeZone: zone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
    });
    for (let ms = Date.UTC(2025, 0, 1); ms < Date.UTC(2027, 0, 1); ms += 86_400_000) {
      const day = new Date(ms);
      if (day.getUTCDay() % 6 === 0) continue;
      const date = day.toISOString().slice(0, 10);
      const unix = localInstant(zone, date, times.statistics);
      const two = (count: number) => String(count).padStart(2, '0');
      const wanted = `${two(Math.floor(times.statistics / 60))}:${two(times.statistics % 60)}`;
      const [d, m, y] = date.split('-').reverse();
      expect(`${zone} ${clock.format(unix * 1000)}`).toBe(`${zone} ${d}/${m}/${y}, ${wanted}`);
      expect(Date.parse(isoLocal(unix, zone))).toBe(unix * 1000);
    }
  }
});
