import { describe, expect, it } from 'vitest';
import type { AccessTag, SeriesKey, StoredSeries } from '../../../src/mirror/api/series.ts';
import { releaseSince } from '../../../src/source/choose-source.ts';
import { CALENDAR, page, testMirror } from '../../mirror/support.ts';
import { DAY_MS, NOW, SECOND } from './moment.ts';
import { series } from './stored.ts';

type Event = readonly [release: string, at: number];

const EURO: SeriesKey = { ...CALENDAR, scope: { currency: 'EUR' } };
const INFLATION = series('announcements', { currency: 'USD', indicator: 'inflation' });
const IN_EURO = series('announcements', { currency: 'EUR', indicator: 'inflation' });
const HOUR = 3600;
const PROVEN = NOW - HOUR * 1000;

interface Asked {
  readonly covered?: readonly StoredSeries[];
  readonly checkedAt?: number;
  readonly now?: number;
  readonly access?: AccessTag;
}

/** What a mirror with these events in the calendar of USD says, and with one of inflation in that of EUR. */
async function since(
  events: readonly Event[],
  { covered = [INFLATION], checkedAt = PROVEN, now = NOW, access = 'key:1' }: Asked = {},
) {
  const { mirror } = await testMirror();
  const rows = (all: readonly Event[]) =>
    all.map(([release, at], i) =>
      JSON.stringify({ announcement_datetime: at, calendar_event_id: `${at} ${i}`, release }),
    );
  await mirror.commitPage(page(rows(events), { series: CALENDAR }));
  await mirror.commitPage(page(rows([['inflation', SECOND - 30]]), { series: EURO }));
  const proven = covered.map((one) => ({ series: one, checkedAt }));
  return mirror.snapshot((reader) => releaseSince(reader, proven, { now, access }));
}

describe('the newest release that a series may lack', () => {
  it('is the last one that came out since the series was proven', async () => {
    const [last, before, earlier] = [SECOND - 9, SECOND - 60, SECOND - 2 * HOUR];
    expect(await since([last, before, earlier].map((at) => ['inflation', at]))).toBe(last * 1000);
    expect(await since([['inflation', earlier]])).toBeUndefined();
  });

  it('is out by now', async () => {
    expect(await since([['inflation', SECOND]], { now: NOW + 999 })).toBe(NOW);
    expect(await since([['inflation', SECOND + 1]], { now: NOW + 999 })).toBeUndefined();
  });

  it('may have come ten minutes late', async () => {
    const proven = SECOND - HOUR;
    expect(await since([['inflation', proven - 599]])).toBe((proven - 599) * 1000);
    expect(await since([['inflation', proven - 600]])).toBeUndefined();
  });

  it('is one of its indicator, or of any where the series has all of a currency', async () => {
    expect(await since([['gdp', SECOND - 9]])).toBeUndefined();
    const latest = series('announcements_latest', { currency: 'USD' });
    expect(await since([['gdp', SECOND - 9]], { covered: [latest] })).toBe((SECOND - 9) * 1000);
  });

  it('is out without a key when it may be read: 15 minutes later, on a grid of five', async () => {
    // 05:28:00 may be read at 05:45:00, 05:30:01 at 05:50:00.
    const [early, late] = [SECOND - 18 * 60 - 13, SECOND - 16 * 60 - 12];
    expect(await since([['inflation', early]], { access: 'keyless' })).toBe((SECOND - 73) * 1000);
    expect(await since([['inflation', late]], { access: 'keyless' })).toBeUndefined();
    // 04:55:01 may be read at 05:15:00, which is ten minutes and a second less than 05:24:59.
    const [released, out] = [SECOND - 51 * 60 - 12, SECOND - 31 * 60 - 13];
    const checkedAt = (out + 599) * 1000;
    expect(await since([['inflation', released]], { access: 'keyless', checkedAt })).toBe(out * 1000);
  });

  it('does not matter to a series that is no release, or that was proven a day ago', async () => {
    const events: Event[] = [['inflation', SECOND - 9]];
    expect(await since(events, { covered: [series('calendar', { currency: 'USD' })] })).toBeUndefined();
    expect(await since(events, { checkedAt: NOW - DAY_MS })).toBeUndefined();
    expect(await since(events, { checkedAt: NOW - DAY_MS + 1 })).toBe((SECOND - 9) * 1000);
  });

  it('is that of the calendar of its currency, and the newest of several series', async () => {
    const events: Event[] = [['inflation', SECOND - 9]];
    expect(await since(events, { covered: [IN_EURO] })).toBe((SECOND - 30) * 1000);
    expect(await since(events, { covered: [IN_EURO, INFLATION] })).toBe((SECOND - 9) * 1000);
    expect(await since(events, { covered: [INFLATION, IN_EURO] })).toBe((SECOND - 9) * 1000);
    const pound = series('announcements', { currency: 'GBP', indicator: 'inflation' });
    expect(await since(events, { covered: [pound] })).toBeUndefined();
    expect(await since(events, { covered: [] })).toBeUndefined();
  });
});
