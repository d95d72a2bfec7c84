import { describe, expect, it } from 'vitest';
import { createClient } from '../../src/client/create.ts';
import { timeRangesOf } from '../../src/coverage/intervals.ts';
import { ENDPOINTS, endpointById } from '../../src/endpoints/index.ts';
import type { Fetch } from '../../src/platform/platform.ts';
import { nextSpan } from '../../src/sync/plan/spans.ts';
import { runSync } from '../../src/sync/run.ts';
import { selectTargets } from '../../src/sync/series/select.ts';
import { testPlatform } from '../support/platform.ts';
import { freshMirror, SERVICE_URL } from '../support/service.ts';

const DAY = 86_400;
const at = (iso: string) => Date.parse(iso) / 1000;
const iso = (unix: number) => new Date(unix * 1000).toISOString().replace('.000Z', 'Z');

/** A service that has an observation a day from a first to a last one, and remembers which spans it was asked for. */
function service(first: string, last: string) {
  const spans: { from: string; to: string }[] = [];
  const prices = new Map<string, number>();
  const fetch: Fetch = async (url) => {
    const { searchParams } = new URL(url);
    const [from, to] = [searchParams.get('start_time') ?? '', searchParams.get('end_time') ?? ''];
    spans.push({ from, to });
    const data = [];
    for (let time = at(first); time <= at(last); time += DAY) {
      if (time < at(from) || time > at(to)) continue;
      const price = prices.get(iso(time)) ?? 1.1;
      const source = { id: 'ecb', is_official: true };
      data.push({
        timestamp: iso(time),
        price,
        reference_date: iso(time).slice(0, 10),
        timestamp_type: 'official_fixing',
        source,
        source_pair: 'EUR/USD',
      });
    }
    return Response.json({ pair: 'EUR/USD', start_time: from, end_time: to, count: data.length, data });
  };
  return {
    fetch,
    spans,
    prices,
    last: (iso: string) => {
      last = iso;
    },
  };
}

async function world(first: string, last: string, now = '2026-11-21T05:46:13Z') {
  const upstream = service(first, last);
  const local = testPlatform({ now });
  const mirror = await freshMirror(local.platform);
  const sync = async (fetch: Fetch = upstream.fetch) => {
    const client = createClient({ platform: { ...local.platform, fetch }, baseUrl: SERVICE_URL, key: 'k-test' });
    const select = { endpoints: ENDPOINTS, now: local.clock.now(), indicatorsOf: async () => [] };
    return runSync({
      client,
      mirror,
      clock: local.clock,
      targets: await selectTargets(['fx', 'intraday', 'eur', 'usd'], select),
    });
  };
  const rows = async () => {
    const [series] = await mirror.find({ endpoint: 'fx_intraday_reference_rates', scope: {} });
    return series ? (await mirror.rows(series, {})).map(({ text }) => JSON.parse(text)) : [];
  };
  const proven = async () => {
    const [series] = await mirror.find({ endpoint: 'fx_intraday_reference_rates', scope: {} });
    const joined = series ? timeRangesOf(await mirror.coveredRanges(series, 'keyless')) : [];
    return joined.map(({ from, to }) => [iso(from), iso(to)]);
  };
  return { ...upstream, ...local, sync, rows, proven };
}

describe('a history that is asked for by spans of time', () => {
  it('is walked back from now in months until a long stretch has nothing, and no second is left out', async () => {
    const { sync, spans, rows, proven } = await world('2026-06-01T13:15:00Z', '2026-11-20T13:15:00Z');
    const report = await sync();
    expect(report.series.map(({ name, outcome, problem }) => [name, outcome, problem])).toEqual([
      ['fx intraday eur usd', 'complete', undefined],
    ]);
    expect(await rows()).toHaveLength(173);
    expect(spans[0]).toEqual({ from: '2026-10-21T05:46:14Z', to: '2026-11-21T05:46:13Z' });
    for (const [i, { from, to }] of spans.entries()) {
      expect(at(to) - at(from)).toBe(31 * DAY - 1);
      const older = spans[i + 1];
      if (older) expect(at(older.to)).toBe(at(from) - 1);
    }
    // 174 days hold the rows: six months of 31 days, and three more without a row that end the walk.
    expect(spans).toHaveLength(9);
    expect(await proven()).toEqual([[spans[8]?.from, '2026-11-21T05:46:13Z']]);
  });

  it('asks for the days since, and a few before them, the next time', async () => {
    const { sync, spans, rows, prices, clock, last } = await world('2026-06-01T13:15:00Z', '2026-11-20T13:15:00Z');
    await sync();
    spans.length = 0;
    prices.set('2026-11-19T13:15:00Z', 1.2);
    last('2026-11-22T13:15:00Z');
    await clock.advance(2 * DAY * 1000);
    const report = await sync();
    expect(spans).toEqual([{ from: '2026-11-18T05:46:13Z', to: '2026-11-23T05:46:13Z' }]);
    expect(report.rows).toEqual({ added: 2, revised: 1, vanished: 0, unchanged: 2 });
    expect(await rows()).toHaveLength(175);
  });

  it('goes on after a death at any request and ends with the same rows, asking for one span twice at most', async () => {
    const whole = await world('2026-06-01T13:15:00Z', '2026-11-20T13:15:00Z');
    await whole.sync();
    const expected = await whole.rows();
    for (let survived = 0; survived < whole.spans.length; survived += 1) {
      const { sync, fetch, rows, spans } = await world('2026-06-01T13:15:00Z', '2026-11-20T13:15:00Z');
      let left = survived;
      const dying: Fetch = async (url, init) => {
        if (left === 0) throw new Error('killed');
        left -= 1;
        return fetch(url, init);
      };
      expect((await sync(dying)).outcome).toBe('failed');
      expect((await sync()).outcome).toBe('complete');
      expect(await rows()).toEqual(expected);
      expect(spans.length).toBeLessThanOrEqual(whole.spans.length + 1);
    }
  });

  it('ends after three empty months when the pair has nothing at all', async () => {
    const { sync, spans, rows } = await world('2099-01-01T00:00:00Z', '2099-01-01T00:00:00Z');
    expect((await sync()).outcome).toBe('complete');
    expect(spans).toHaveLength(3);
    expect(await rows()).toEqual([]);
  });

  it('never asks for more than the service gives at once, however long nobody synced', async () => {
    const { sync, spans, clock, last, rows } = await world('2026-06-01T13:15:00Z', '2026-11-20T13:15:00Z');
    await sync();
    spans.length = 0;
    last('2027-03-01T13:15:00Z');
    await clock.advance(100 * DAY * 1000);
    await sync();
    expect(spans.map(({ from, to }) => Math.ceil((at(to) - at(from)) / DAY))).toEqual([31, 31, 31, 10]);
    expect(await rows()).toHaveLength(273);
  });
});

describe('the next span', () => {
  const sync = endpointById('fx_intraday_reference_rates')?.mirror?.sync;
  if (sync?.kind !== 'spans') throw new Error('no spans');
  const span = (from: string, to: string) => ({ from: at(from), to: at(to), checkedAt: 0 });

  it('jumps over what is proven and fills gaps between it', () => {
    const held = [
      span('2026-07-01T00:00:00Z', '2026-08-01T00:00:00Z'),
      span('2026-08-11T00:00:00Z', '2026-11-01T00:00:00Z'),
    ];
    const next = nextSpan(sync, held, at('2026-10-15T00:00:00Z'));
    expect(next && [iso(next.from), iso(next.to)]).toEqual(['2026-08-01T00:00:01Z', '2026-08-10T23:59:59Z']);
    const before = nextSpan(sync, held, at('2026-08-01T00:00:00Z'));
    expect(before && [iso(before.from), iso(before.to)]).toEqual(['2026-05-31T00:00:00Z', '2026-06-30T23:59:59Z']);
  });

  it('is none before the first date that any series can have', () => {
    expect(nextSpan(sync, [], at('1998-12-31T23:59:59Z'))).toBeUndefined();
    expect(nextSpan(sync, [], at('1999-01-05T00:00:00Z'))).toEqual({
      from: at('1999-01-01T00:00:00Z'),
      to: at('1999-01-05T00:00:00Z'),
    });
  });
});
