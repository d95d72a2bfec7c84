import { describe, expect, it } from 'vitest';
import { toJsonText } from '../../../src/contract/json/json.ts';
import { marketSessions } from '../../../src/derive/sessions.ts';
import endpoint from '../../../src/endpoints/sessions/sessions.ts';
import fc from '../../support/properties.ts';

const unix = (iso: string) => Date.parse(iso) / 1000;
const at = (iso: string) => marketSessions(unix(iso));

function sessionAt(name: string, iso: string) {
  const found = at(iso).sessions.find((session) => session.name === name);
  if (!found) throw new Error(`no session ${name}`);
  return found;
}

function overlapAt(name: string, iso: string) {
  const found = at(iso).overlaps.find((overlap) => overlap.name === name);
  if (!found) throw new Error(`no overlap ${name}`);
  return found;
}

/** `open_utc/close_utc` and what is left to wait, for one glance. */
function hours(name: string, iso: string) {
  const { open_utc, close_utc, is_open, seconds_to_open, seconds_to_close } = sessionAt(name, iso);
  return { open_utc, close_utc, is_open, seconds_to_open, seconds_to_close };
}

function bounds(name: string, iso: string) {
  const { start_utc, end_utc, is_active } = overlapAt(name, iso);
  return `${start_utc}/${end_utc}${is_active ? ' active' : ''}`;
}

describe('the documented example', () => {
  const answer = at('2026-11-20T14:00:00Z');

  it('has its members', () => {
    expect({ utc: answer.now_utc, unix: answer.now_unix, day: answer.is_market_day }).toEqual({
      utc: '2026-11-20T14:00:00Z',
      unix: 1795183200,
      day: true,
    });
    expect(answer.sessions.map((session) => session.name)).toEqual(['sydney', 'tokyo', 'london', 'new_york']);
    expect(answer.overlaps.map(({ name, priority, sessions }) => [name, priority, ...sessions])).toEqual([
      ['sydney_tokyo', 'low', 'sydney', 'tokyo'],
      ['tokyo_london', 'medium', 'tokyo', 'london'],
      ['london_new_york', 'high', 'london', 'new_york'],
    ]);
  });

  it('has its London', () => {
    expect(answer.sessions[2]).toEqual({
      name: 'london',
      display_name: 'London',
      description: 'European session',
      currencies: ['GBP', 'EUR', 'CHF'],
      timezone: 'Europe/London',
      open_utc: '2026-11-20T08:00:00Z',
      close_utc: '2026-11-20T17:00:00Z',
      open_unix: 1795161600,
      close_unix: 1795194000,
      is_open: true,
      seconds_to_close: 10800,
    });
  });

  it('has its overlap of London and New York, with the duration as a float', () => {
    const { description, notable_pairs, ...rest } = JSON.parse(toJsonText(answer.overlaps[2]));
    expect(rest).toEqual({
      name: 'london_new_york',
      sessions: ['london', 'new_york'],
      priority: 'high',
      start_utc: '2026-11-20T13:00:00Z',
      end_utc: '2026-11-20T17:00:00Z',
      start_unix: 1795179600,
      end_unix: 1795194000,
      is_active: true,
      seconds_to_start: 0,
      seconds_to_end: 10800,
      duration_hours: 4,
    });
    expect(notable_pairs).toContain('EUR/USD');
    expect(description).not.toBe('');
    expect(toJsonText(answer.overlaps[2])).toContain('"duration_hours":4.0}');
  });
});

describe('the endpoint', () => {
  const labels = { service: 's', storage: 's', publicBaseUrl: 'b', subscribeUrl: 'u', docsUrl: 'd' };
  const ask = (args: { at?: number }) =>
    endpoint.local?.({ args, now: unix('2026-11-20T14:00:00Z'), caller: { kind: 'keyless' }, labels });

  it('answers for the asked moment, and for now when none is asked', () => {
    expect(toJsonText(ask({}))).toBe(toJsonText(at('2026-11-20T14:00:00Z')));
    expect(toJsonText(ask({ at: 0 }))).toBe(toJsonText(at('1970-01-01T00:00:00Z')));
  });
});

describe('opening hours', () => {
  it('are the documented ones in northern summer', () => {
    // Wednesday 1 July 2026: London 07:00 to 16:00Z, Tokyo-London 07:00 to 09:00Z, London-New York 12:00 to 16:00Z.
    const noon = '2026-07-01T06:00:00Z';
    expect(sessionAt('london', noon)).toMatchObject({
      open_utc: '2026-07-01T07:00:00Z',
      close_utc: '2026-07-01T16:00:00Z',
    });
    expect(bounds('tokyo_london', noon)).toBe('2026-07-01T07:00:00Z/2026-07-01T09:00:00Z');
    expect(bounds('london_new_york', noon)).toBe('2026-07-01T12:00:00Z/2026-07-01T16:00:00Z');
    expect(bounds('sydney_tokyo', noon)).toBe('2026-07-01T00:00:00Z/2026-07-01T07:00:00Z active');
  });

  it('shift with summer time in Sydney: 22:00Z in its winter, 21:00Z in its summer', () => {
    expect(sessionAt('sydney', '2026-07-01T00:00:00Z').open_utc).toBe('2026-06-30T22:00:00Z');
    expect(sessionAt('sydney', '2026-01-14T00:00:00Z').open_utc).toBe('2026-01-13T21:00:00Z');
    expect(bounds('sydney_tokyo', '2026-01-14T03:00:00Z')).toBe('2026-01-14T00:00:00Z/2026-01-14T06:00:00Z active');
  });

  it.each([
    // The clock of the Friday before, of the changed Sunday itself, and of the Monday after.
    ['london', 'Europe/London in March', '2026-03-27T12:00:00Z', '2026-03-27T08:00:00Z'],
    ['london', 'the Sunday of its change', '2026-03-29T12:00:00Z', '2026-03-29T07:00:00Z'],
    ['london', 'the Monday after', '2026-03-30T12:00:00Z', '2026-03-30T07:00:00Z'],
    ['london', 'the Friday before October', '2026-10-23T12:00:00Z', '2026-10-23T07:00:00Z'],
    ['london', 'the Sunday of October', '2026-10-25T12:00:00Z', '2026-10-25T08:00:00Z'],
    ['london', 'the Monday of October', '2026-10-26T12:00:00Z', '2026-10-26T08:00:00Z'],
    ['new_york', 'the Friday before March', '2026-03-06T15:00:00Z', '2026-03-06T13:00:00Z'],
    ['new_york', 'the Sunday of March', '2026-03-08T15:00:00Z', '2026-03-08T12:00:00Z'],
    ['new_york', 'the Monday of March', '2026-03-09T15:00:00Z', '2026-03-09T12:00:00Z'],
    ['new_york', 'the Friday before November', '2026-10-30T15:00:00Z', '2026-10-30T12:00:00Z'],
    ['new_york', 'the Sunday of November', '2026-11-01T15:00:00Z', '2026-11-01T13:00:00Z'],
    ['new_york', 'the Monday of November', '2026-11-02T15:00:00Z', '2026-11-02T13:00:00Z'],
    ['sydney', 'the Friday before April', '2026-04-03T02:00:00Z', '2026-04-02T21:00:00Z'],
    ['sydney', 'the Sunday of April', '2026-04-05T02:00:00Z', '2026-04-04T22:00:00Z'],
    ['sydney', 'the Monday of April', '2026-04-06T02:00:00Z', '2026-04-05T22:00:00Z'],
    ['sydney', 'the Friday before October', '2026-10-02T02:00:00Z', '2026-10-01T22:00:00Z'],
    ['sydney', 'the Sunday of October', '2026-10-04T02:00:00Z', '2026-10-03T21:00:00Z'],
    ['sydney', 'the Monday of October', '2026-10-05T02:00:00Z', '2026-10-04T21:00:00Z'],
  ])('%s on %s', (name, _day, moment, open) => {
    expect(sessionAt(name, moment).open_utc).toBe(open);
  });

  it('overlap longer between the changes of New York and of London', () => {
    // 9 to 27 March 2026: New York already at 12:00Z, London still until 17:00Z.
    expect(bounds('london_new_york', '2026-03-09T14:00:00Z')).toBe('2026-03-09T12:00:00Z/2026-03-09T17:00:00Z active');
    expect(toJsonText(overlapAt('london_new_york', '2026-03-09T14:00:00Z'))).toContain('"duration_hours":5.0');
  });
});

describe('is_open', () => {
  it('is true from the second of the opening to the one before the close', () => {
    // London, Wednesday 1 July 2026, 07:00 to 16:00Z.
    const open = { open_utc: '2026-07-01T07:00:00Z', close_utc: '2026-07-01T16:00:00Z' };
    expect(hours('london', '2026-07-01T06:59:59Z')).toEqual({ ...open, is_open: false, seconds_to_open: 1 });
    expect(hours('london', '2026-07-01T07:00:00Z')).toEqual({ ...open, is_open: true, seconds_to_close: 32400 });
    expect(hours('london', '2026-07-01T15:59:59Z')).toEqual({ ...open, is_open: true, seconds_to_close: 1 });
    // To the next morning: 15 hours.
    expect(hours('london', '2026-07-01T16:00:00Z')).toEqual({ ...open, is_open: false, seconds_to_open: 54000 });
  });

  it('waits over the weekend after the close of Friday', () => {
    // New York closes on Friday 3 July 2026 at 21:00Z and opens on Monday at 12:00Z: 63 hours.
    expect(hours('new_york', '2026-07-03T21:00:00Z')).toEqual({
      open_utc: '2026-07-03T12:00:00Z',
      close_utc: '2026-07-03T21:00:00Z',
      is_open: false,
      seconds_to_open: 63 * 3600,
    });
  });

  it('waits an hour less over a weekend on which clocks go forward', () => {
    // Friday 6 March 2026, 22:00Z (17:00 EST), to Monday 12:00Z (08:00 EDT): 62 hours.
    expect(sessionAt('new_york', '2026-03-06T22:00:00Z').seconds_to_open).toBe(62 * 3600);
  });

  it('is false on a weekend inside of the hours, whose bounds are still shown', () => {
    // Saturday 4 July 2026, noon in London; Monday 07:00Z is 44 hours away.
    expect(hours('london', '2026-07-04T11:00:00Z')).toEqual({
      open_utc: '2026-07-04T07:00:00Z',
      close_utc: '2026-07-04T16:00:00Z',
      is_open: false,
      seconds_to_open: 44 * 3600,
    });
  });

  it('is true for Sydney on Sunday evening UTC, when it is Monday there and no market day in UTC', () => {
    // Sunday 5 July 2026, 22:30Z is Monday 08:30 in Sydney.
    expect(hours('sydney', '2026-07-05T22:30:00Z')).toEqual({
      open_utc: '2026-07-05T22:00:00Z',
      close_utc: '2026-07-06T07:00:00Z',
      is_open: true,
      seconds_to_close: 8.5 * 3600,
    });
    expect(at('2026-07-05T22:30:00Z').is_market_day).toBe(false);
    expect(at('2026-07-06T00:00:00Z').is_market_day).toBe(true);
    expect(at('2026-07-03T23:59:59Z').is_market_day).toBe(true);
    expect(at('2026-07-04T00:00:00Z').is_market_day).toBe(false);
  });
});

describe('overlaps', () => {
  it('start and end to the second', () => {
    const around = ['11:59:59', '12:00:00', '15:59:59', '16:00:00'].map((time) =>
      overlapAt('london_new_york', `2026-07-01T${time}Z`),
    );
    expect(
      around.map(({ is_active, seconds_to_start, seconds_to_end }) => [is_active, seconds_to_start, seconds_to_end]),
    ).toEqual([
      [false, 1, undefined],
      [true, 0, 14400],
      [true, 0, 1],
      // The next one starts on Thursday at 12:00Z.
      [false, 20 * 3600, undefined],
    ]);
  });

  it('pass over the weekend', () => {
    expect(bounds('london_new_york', '2026-07-03T16:00:00Z')).toBe('2026-07-06T12:00:00Z/2026-07-06T16:00:00Z');
    expect(bounds('sydney_tokyo', '2026-07-05T12:00:00Z')).toBe('2026-07-06T00:00:00Z/2026-07-06T07:00:00Z');
    // Sunday night UTC: the Monday of Sydney and Tokyo has begun, their overlap has not.
    expect(bounds('sydney_tokyo', '2026-07-05T23:30:00Z')).toBe('2026-07-06T00:00:00Z/2026-07-06T07:00:00Z');
  });
});

describe('at any moment', () => {
  const moments = fc.integer({ min: unix('1975-01-01T00:00:00Z'), max: unix('2037-01-01T00:00:00Z') });
  const weekdayIn = (zone: string, seconds: number) =>
    new Intl.DateTimeFormat('en-GB', { timeZone: zone, weekday: 'short' }).format(seconds * 1000);

  it('a session has one wait, to the end of its hours or to the start of a business day', () => {
    fc.assert(
      fc.property(moments, (now) => {
        for (const session of marketSessions(now).sessions) {
          const { is_open, seconds_to_open: toOpen, seconds_to_close: toClose, timezone } = session;
          const inside = session.open_unix <= now && now < session.close_unix;
          const business = !['Sat', 'Sun'].includes(weekdayIn(timezone, now));
          expect(is_open).toBe(inside && business);
          expect([toOpen === undefined, toClose === undefined]).toEqual([is_open, !is_open]);
          if (toClose !== undefined) expect(now + toClose).toBe(session.close_unix);
          if (toOpen === undefined) continue;
          expect(toOpen).toBeGreaterThan(0);
          expect(['Sat', 'Sun']).not.toContain(weekdayIn(timezone, now + toOpen));
          expect(marketSessions(now + toOpen).sessions.find(({ name }) => name === session.name)?.is_open).toBe(true);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('an overlap is active exactly when both of its sessions are open', () => {
    fc.assert(
      fc.property(moments, (now) => {
        const { sessions, overlaps } = marketSessions(now);
        const open = new Set<string>(sessions.filter(({ is_open }) => is_open).map(({ name }) => name));
        for (const overlap of overlaps) {
          expect(overlap.is_active).toBe(overlap.sessions.every((name) => open.has(name)));
          expect(overlap.end_unix).toBeGreaterThan(now);
          expect(overlap.seconds_to_start).toBe(Math.max(0, overlap.start_unix - now));
        }
      }),
      { numRuns: 200 },
    );
  });

  it('answers for the first and the last instant that a question can name', () => {
    for (const now of [-62_167_219_200, 253_402_300_799]) expect(marketSessions(now).sessions).toHaveLength(4);
  });
});

describe('the moments that may be asked for', () => {
  const decode = (raw: string) => endpoint.query.at?.decode(raw) ?? {};
  const times = (text: string): string[] => text.match(/[+-]?\d+-\d\d-\d\dT[^"]+/g) ?? [];

  it.each(['0001-01-08', '9999-12-24'])('%s, the last on its side, has date-times of four digits only', (raw) => {
    const read = decode(raw);
    const all = times(JSON.stringify(marketSessions('value' in read ? Number(read.value) : Number.NaN)));
    expect(all.length).toBeGreaterThan(8);
    expect(all.filter((time) => !/^(?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(time))).toEqual([]);
  });

  it.each([
    ['0000-01-01', 'Input should be 0001-01-08T00:00:00Z or later'],
    ['0001-01-07T23:59:59Z', 'Input should be 0001-01-08T00:00:00Z or later'],
    ['9999-12-24T00:00:01Z', 'Input should be 9999-12-24T00:00:00Z or earlier'],
    ['253402300799', 'Input should be 9999-12-24T00:00:00Z or earlier'],
  ])('%s is refused', (raw, msg) => {
    expect(decode(raw)).toMatchObject({ fault: { msg } });
  });
});
