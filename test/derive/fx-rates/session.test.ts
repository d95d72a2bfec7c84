import { describe, expect, it } from 'vitest';
import type { LoadedSeries } from '../../../src/contract/hooks.ts';
import { zonedInstants } from '../../../src/contract/time/moments.ts';
import { wallInstant } from '../../../src/contract/time/time.ts';
import { closesBetween, composeSession, lastClose, type SessionArgs } from '../../../src/derive/fx/session.ts';
import fc from '../../support/properties.ts';
import { ecbSeries, hasEcbFile, readEcbFile } from '../forex/world.ts';
import { answer, imported, observed, told } from './world.ts';

const DEFAULTS: Omit<SessionArgs, 'base' | 'quote'> = {
  session: 'london',
  date: undefined,
  start_date: '2025-11-21',
  end_date: '2026-11-21',
  order: 'date_asc',
  limit: 100,
  offset: 0,
};

function ask(pair: string, loaded: readonly LoadedSeries[], args: Partial<SessionArgs> = {}, now?: string) {
  const [base = '', quote = ''] = pair.split('/');
  return answer(composeSession, { base, quote, ...DEFAULTS, ...args }, loaded, now);
}

const NOW = Date.parse('2026-12-31T00:00:00Z') / 1000;

function closeOf(session: string, date: string) {
  return closesBetween(session, { from: date, to: date }, NOW).map(({ at }) => new Date(at * 1000).toISOString());
}

describe('the close of a session', () => {
  // Clock changes of 2026: London 29 March and 25 October, New York 8 March and 1 November, Sydney 5 April and 4 October.
  it.each([
    ['london', '2026-03-27', '2026-03-27T17:00:00.000Z'],
    ['london', '2026-03-30', '2026-03-30T16:00:00.000Z'],
    ['london', '2026-10-23', '2026-10-23T16:00:00.000Z'],
    ['london', '2026-10-26', '2026-10-26T17:00:00.000Z'],
    ['new_york', '2026-03-06', '2026-03-06T22:00:00.000Z'],
    ['new_york', '2026-03-09', '2026-03-09T21:00:00.000Z'],
    ['new_york', '2026-10-30', '2026-10-30T21:00:00.000Z'],
    ['new_york', '2026-11-02', '2026-11-02T22:00:00.000Z'],
    ['sydney', '2026-04-03', '2026-04-03T06:00:00.000Z'],
    ['sydney', '2026-04-06', '2026-04-06T07:00:00.000Z'],
    ['sydney', '2026-10-02', '2026-10-02T07:00:00.000Z'],
    ['sydney', '2026-10-05', '2026-10-05T06:00:00.000Z'],
    ['tokyo', '2026-01-15', '2026-01-15T09:00:00.000Z'],
    ['tokyo', '2026-07-15', '2026-07-15T09:00:00.000Z'],
  ])('of %s on %s is at %s', (session, date, close) => {
    expect(closeOf(session, date)).toEqual([close]);
  });

  it('is on weekdays only', () => {
    expect(closeOf('london', '2026-11-21')).toEqual([]);
    expect(closeOf('sydney', '2026-11-22')).toEqual([]);
    expect(closesBetween('tokyo', { from: '2026-11-01', to: '2026-11-30' }, NOW)).toHaveLength(21);
  });

  it('is none before it is over', () => {
    const closed = (at: string) =>
      closesBetween('new_york', { from: '2026-11-19', to: '2026-11-20' }, Date.parse(at) / 1000).map(
        ({ date }) => date,
      );
    expect(closed('2026-11-20T21:59:59Z')).toEqual(['2026-11-19']);
    expect(closed('2026-11-20T22:00:00Z')).toEqual(['2026-11-19', '2026-11-20']);
    expect(lastClose('new_york', Date.parse('2026-11-20T21:59:59Z') / 1000)).toBe('2026-11-19');
    expect(lastClose('new_york', Date.parse('2026-11-20T22:00:00Z') / 1000)).toBe('2026-11-20');
    // In Sydney it is the 21st when it is still the 20th in UTC.
    expect(lastClose('sydney', Date.parse('2026-11-20T06:00:00Z') / 1000)).toBe('2026-11-20');
  });

  it('is what the time zone data say, on any date', () => {
    const zones = ['Australia/Sydney', 'Asia/Tokyo', 'Europe/London', 'America/New_York', 'Europe/Berlin'];
    const days = fc.integer({ min: Date.UTC(1999, 0, 1) / 86_400_000, max: Date.UTC(2035, 0, 1) / 86_400_000 });
    const property = fc.property(fc.constantFrom(...zones), days, (zone, day) => {
      const date = day * 86_400_000;
      expect(zonedInstants(zone, 17)(date)).toBe(wallInstant(zone, date + 17 * 3_600_000) / 1000);
    });
    fc.assert(property, { numRuns: 3000 });
  });
});

const fixings = observed('EUR/USD', 'ecb', [
  ['2026-11-18', '2026-11-18T13:15:00Z', 1.148],
  ['2026-11-19', '2026-11-19T13:15:00Z', 1.15],
  ['2026-11-20', '2026-11-20T13:15:00Z', 1.1502],
]);

describe('the rate of a session', () => {
  it('is the last observation at or before the close, as the specification shows it', () => {
    const { data, envelope } = ask('EUR/USD', [fixings], { date: '2026-11-20' }) ?? { data: [] };
    expect(data).toEqual([
      {
        date: '2026-11-20',
        session: 'london',
        session_close_utc: '2026-11-20T17:00:00Z',
        timestamp_utc: '2026-11-20T13:15:00Z',
        timestamp_type: 'fixing',
        price: 1.1502,
        val: 1.1502,
        staleness_minutes: 225,
        source: { id: 'ecb', name: 'Bank ecb', is_official: true },
        source_pair: 'EUR/USD',
        is_derived: false,
        derivation_method: 'direct_original_pair',
      },
    ]);
    expect(envelope).toMatchObject({
      base: 'EUR',
      quote: 'USD',
      pair: 'EUR/USD',
      session: 'london',
      session_timezone: 'Europe/London',
      session_close_local: '17:00',
      coverage: { staleness_minutes: { min: 225, median: 225, max: 225 } },
    });
  });

  it('in Tokyo and Sydney is that of the day before', () => {
    const rates = (session: string) =>
      ask('EUR/USD', [fixings], { session, start_date: '2026-11-19', end_date: '2026-11-20' })?.data.map((row) => [
        row.date,
        row.price,
        row.staleness_minutes,
      ]);
    // Tokyo closes at 09:00Z, 19 h 45 min after the fixing; Sydney at 06:00Z, 16 h 45 min after it.
    expect(rates('tokyo')).toEqual([
      ['2026-11-19', 1.148, 1185],
      ['2026-11-20', 1.15, 1185],
    ]);
    expect(rates('sydney')?.map(([, , staleness]) => staleness)).toEqual([1005, 1005]);
    expect(ask('EUR/USD', [fixings], { session: 'tokyo' })?.envelope.session_close_local).toBe('18:00');
  });

  it('counts an observation at the very close, and none after it', () => {
    const at = (time: string) =>
      ask('EUR/USD', [observed('EUR/USD', 'x', [['2026-11-20', time, 1.2]])], { date: '2026-11-20' })?.data.map(
        (row) => row.staleness_minutes,
      );
    expect(at('2026-11-20T17:00:00Z')).toEqual([0]);
    expect(at('2026-11-20T17:00:01Z')).toEqual([]);
    expect(at('2026-11-20T16:00:01Z')).toEqual([59]);
  });

  it('is at most a week old', () => {
    const old = (time: string) =>
      ask('EUR/USD', [observed('EUR/USD', 'x', [[time.slice(0, 10), time, 1.2]])], { date: '2026-11-20' })?.data.map(
        (row) => row.staleness_minutes,
      );
    expect(old('2026-11-13T17:00:00Z')).toEqual([10_080]);
    expect(old('2026-11-13T16:59:00Z')).toEqual([]);
  });

  it('leaves out weekends and dates before the first observation, and keeps holidays with older rates', () => {
    const few = observed('EUR/USD', 'ecb', [
      ['2026-11-12', '2026-11-12T13:15:00Z', 1.1],
      ['2026-11-17', '2026-11-17T13:15:00Z', 1.2],
    ]);
    const { data, envelope } = ask('EUR/USD', [few], { start_date: '2026-11-01' }) ?? { data: [] };
    expect(data.map((row) => [row.date, row.price, row.staleness_minutes])).toEqual([
      ['2026-11-12', 1.1, 225],
      ['2026-11-13', 1.1, 225 + 1440],
      ['2026-11-16', 1.1, 225 + 4 * 1440],
      ['2026-11-17', 1.2, 225],
      ['2026-11-18', 1.2, 225 + 1440],
      ['2026-11-19', 1.2, 225 + 2 * 1440],
      ['2026-11-20', 1.2, 225 + 3 * 1440],
    ]);
    // Sorted: 225 225 1665 1665 3105 4545 5985.
    expect(envelope.coverage.staleness_minutes).toEqual({ min: 225, median: 1665, max: 5985 });
  });

  it('takes direct observations only', () => {
    const inverse = ask('USD/EUR', [fixings]);
    expect(inverse).toMatchObject({
      rows: [],
      total: 0,
      envelope: { coverage: { staleness_minutes: {}, sources: [] } },
    });
    expect(inverse?.notes).toEqual([expect.stringContaining('No source publishes USD/EUR itself')]);
    expect(ask('NZD/SEK', [fixings])).toBeUndefined();
  });

  it('leaves out what is not official', () => {
    const broker = observed('EUR/USD', 'broker', [['2026-11-20', '2026-11-20T16:59:00Z', 1.16]], {
      source: { is_official: false },
    });
    const both = told(
      'fx_reference_rates',
      { base: 'EUR', quote: 'USD' },
      [...fixings.rows, ...broker.rows].map(({ text }) => JSON.parse(text)),
    );
    expect(ask('EUR/USD', [both], { date: '2026-11-20' })?.data.map(({ price }) => price)).toEqual([1.1502]);
  });

  it('takes intraday observations as well', () => {
    const intraday = told('fx_intraday_reference_rates', { base: 'EUR', quote: 'USD' }, [
      {
        timestamp: '2026-11-20T16:30:00Z',
        price: 1.151,
        reference_date: '2026-11-20',
        timestamp_type: 'official_fixing',
        source: { id: 'fed' },
      },
    ]);
    expect(ask('EUR/USD', [fixings, intraday], { date: '2026-11-20' })?.data[0]).toMatchObject({
      price: 1.151,
      staleness_minutes: 30,
      timestamp_type: 'fixing',
      source: { id: 'fed' },
    });
  });

  it('is asked in four orders and paged, and the spread is that of the whole window', () => {
    const dates = (args: Partial<SessionArgs>) =>
      ask('EUR/USD', [fixings], { start_date: '2026-11-18', end_date: '2026-11-20', ...args })?.data.map(
        ({ date }) => date,
      );
    expect(dates({ order: 'date_desc' })).toEqual(['2026-11-20', '2026-11-19', '2026-11-18']);
    expect(dates({ order: 'timestamp_asc' })).toEqual(['2026-11-18', '2026-11-19', '2026-11-20']);
    expect(dates({ order: 'timestamp_desc', limit: 1, offset: 1 })).toEqual(['2026-11-19']);
    const page = ask('EUR/USD', [fixings], { session: 'new_york', limit: 1 });
    expect(page).toMatchObject({
      total: 3,
      envelope: { coverage: { staleness_minutes: { min: 525, max: 525 }, sources: [{ source: 'ecb', row_count: 3 }] } },
    });
  });
});

describe('what the service has said of a session', () => {
  const row = (date: string, price: number) => ({
    date,
    session: 'london',
    session_close_utc: `${date}T17:00:00Z`,
    timestamp_utc: `${date}T16:00:00Z`,
    timestamp_type: 'fixing',
    price,
    staleness_minutes: 60,
    source: { id: 'wm' },
    weather: 1,
  });
  const scope = { base: 'EUR', quote: 'USD', session: 'london' };

  it('is the answer where it is proven to be all', () => {
    const own = told('fx_session_rates', scope, [row('2026-11-19', 1.3)]);
    expect(ask('EUR/USD', [own, fixings])?.data).toEqual([row('2026-11-19', 1.3)]);
  });

  it('is preferred on its dates and filled on others where it is not', () => {
    const own = told('fx_session_rates', scope, [row('2026-11-19', 1.3)], { proven: false });
    const { data } = ask('EUR/USD', [own, fixings], { start_date: '2026-11-18', end_date: '2026-11-20' }) ?? {
      data: [],
    };
    expect(data.map(({ date, price }) => [date, price])).toEqual([
      ['2026-11-18', 1.148],
      ['2026-11-19', 1.3],
      ['2026-11-20', 1.1502],
    ]);
  });

  it('of one session is nothing of another', () => {
    const own = told('fx_session_rates', { ...scope, session: 'tokyo' }, [
      { ...row('2026-11-19', 1.3), session: 'tokyo' },
    ]);
    expect(ask('EUR/USD', [own, fixings], { date: '2026-11-19' })?.data[0].price).toBe(1.15);
  });
});

describe('session rates of an imported file', () => {
  it('take 16:00 in Frankfurt, an hour or two before the close in London', () => {
    const file = imported('USD', [
      ['2026-11-20', '1.1502'],
      ['2026-03-27', '1.1'],
    ]);
    const one = (date: string) =>
      ask('EUR/USD', [file], { date })?.data.map((row) => [row.price, row.staleness_minutes, row.timestamp_assumed]);
    // 16:00 CET is 15:00Z, two hours before 17:00Z.
    expect(one('2026-11-20')).toEqual([[1.1502, 120, true]]);
    expect(one('2026-03-27')).toEqual([[1.1, 120, true]]);
  });

  it.skipIf(!hasEcbFile)('agree with a plain search through the official rates, on every date of 2024 and 2025', () => {
    const table = [...readEcbFile()].flatMap(([date, rates]) => {
      const rate = rates.get('USD');
      return rate === undefined ? [] : [{ date, rate: Number(rate) }];
    });
    const clock = new Intl.DateTimeFormat('en-GB', { timeZone: 'America/New_York', hour: '2-digit', hourCycle: 'h23' });
    const expected: (readonly [string, number])[] = [];
    for (let ms = Date.UTC(2024, 0, 1); ms < Date.UTC(2026, 0, 1); ms += 86_400_000) {
      if ([0, 6].includes(new Date(ms).getUTCDay())) continue;
      const close = [21, 22].map((hour) => ms + hour * 3_600_000).find((at) => clock.format(at) === '17') ?? 0;
      // New York closes after Frankfurt has published: the newest date up to that day counts, within seven days.
      const last = table.find(({ date }) => Date.parse(`${date}T15:00:00Z`) <= close);
      if (last && close - Date.parse(`${last.date}T14:00:00Z`) < 7 * 86_400_000)
        expected.push([new Date(ms).toISOString().slice(0, 10), last.rate]);
    }
    const answered = ask(
      'EUR/USD',
      [ecbSeries('USD')],
      { session: 'new_york', start_date: '2024-01-01', end_date: '2025-12-31', limit: 1000 },
      '2026-04-14T12:00:00Z',
    );
    expect(answered?.data.map(({ date, price }) => [date, price])).toEqual(expected);
    expect(expected.length).toBeGreaterThan(500);
  });
});
