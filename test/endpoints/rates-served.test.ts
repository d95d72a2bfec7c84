import { beforeAll, describe, expect, it } from 'vitest';
import {
  COT_CURRENCIES,
  CURVE_CURRENCIES,
  FACTOR_CURRENCIES,
  MAIN_CURRENCIES,
} from '../../src/contract/words/words.ts';
import { ENDPOINTS, MAPPINGS } from '../../src/endpoints/index.ts';
import { openMirror } from '../../src/mirror/sqlite/open.ts';
import { createServer, type ServeApp } from '../../src/serve/create.ts';
import { createMirrorSource } from '../../src/source/mirror.ts';
import { freshFolder, testPlatform } from '../support/platform.ts';
import { LABELS } from '../support/service.ts';
import { fullSandboxPath, SANDBOX_NOW } from '../support/serving.ts';

// The whole data set of the sandbox, through the real server.

const KEY = { 'x-api-key': 'any' };
let app: ServeApp;

beforeAll(async () => {
  const { platform } = testPlatform({ folder: freshFolder(), now: SANDBOX_NOW });
  const path = await fullSandboxPath(platform);
  const mirror = await openMirror({ path, mappings: MAPPINGS, platform, mode: 'read' });
  const source = createMirrorSource({ mirror, labels: LABELS });
  app = await createServer({
    source,
    mirror,
    endpoints: ENDPOINTS,
    platform,
    options: { labels: LABELS, quotas: false },
  });
  return async () => {
    await app.close();
    mirror.close();
  };
}, 120_000);

const get = async (url: string, headers: Record<string, string> = KEY) => {
  const answer = await app.inject({ url, headers });
  return { status: answer.statusCode, body: answer.json(), text: answer.payload };
};

describe('curves', () => {
  it('are there for every currency of the set, with slopes and forwards', async () => {
    for (const currency of CURVE_CURRENCIES) {
      const nodes = await get(`/v1/curves/${currency}`);
      expect([currency, nodes.status, nodes.body.node_count >= 3]).toEqual([currency, 200, true]);
      expect(nodes.body.data).toHaveLength(nodes.body.node_count);
      const slopes = await get(`/v1/curves/${currency}?view=slopes`);
      expect(slopes.body.data.map(({ slope }: { slope: string }) => slope)).toContain('2Y10Y');
      const forwards = await get(`/v1/curves/${currency}?view=forwards`);
      expect(forwards.body.segment_count).toBe(forwards.body.data.length);
      expect(forwards.body.segment_count).toBeGreaterThan(1);
    }
  });

  it('show the newest announcements of the yields', async () => {
    const { body } = await get('/v1/curves/usd');
    for (const { indicator, date, val } of body.data) {
      const history = await get(`/v1/announcements/usd/${indicator}?limit=1`);
      expect([date, val]).toEqual([history.body.data[0].date, history.body.data[0].val]);
    }
    expect(body.data.map(({ maturity }: { maturity: string }) => maturity)).toEqual([
      '1Y',
      '2Y',
      '3Y',
      '4Y',
      '5Y',
      '7Y',
      '10Y',
      '20Y',
      '30Y',
      '40Y',
    ]);
  });

  it('of a moment know what its evening had not published yet as little as the announcements do', async () => {
    // New York closes at 16:15, 21:15 UTC in winter.
    const before = await get('/v1/curves/usd?as_of=2026-11-19T21:14:59Z');
    const after = await get('/v1/curves/usd?as_of=2026-11-19T21:15:00Z');
    const dates = ({ body }: typeof before) => [...new Set(body.data.map(({ date }: { date: string }) => date))];
    expect([dates(before), dates(after)]).toEqual([['2026-11-18'], ['2026-11-19']]);
    expect(before.body.as_of).toBe('2026-11-19T21:14:59Z');
  });

  it('need a key, and a currency of the set', async () => {
    expect((await get('/v1/curves/usd', {})).status).toBe(401);
    const unknown = await get('/v1/curves/xyz');
    expect([unknown.status, unknown.body.detail[0].loc]).toEqual([422, ['path', 'currency']]);
    expect((await get('/v1/curves/KRW')).status).toBe(422);
  });

  it('name everything that is wrong with a question', async () => {
    const url =
      '/v1/curves/usd?view=nods&metric=real&curve_family=x&method=y&date=2026-02-30&as_of=soon&availability=mine&max_staleness_days=367&require_common_date=maybe';
    const { status, body } = await get(url);
    expect(status).toBe(422);
    expect(body.detail.map(({ loc, type }: { loc: string[]; type: string }) => [loc[1], type])).toEqual([
      ['curve_family', 'enum'],
      ['metric', 'enum'],
      ['view', 'enum'],
      ['method', 'enum'],
      ['date', 'date_from_datetime_parsing'],
      ['as_of', 'value_error'],
      ['availability', 'enum'],
      ['max_staleness_days', 'less_than_equal'],
      ['require_common_date', 'bool_parsing'],
    ]);
  });
});

describe('differentials', () => {
  it('are there for every currency of the set, spot and forward', async () => {
    for (const currency of MAIN_CURRENCIES.filter((code) => code !== 'USD')) {
      const spot = await get(`/v1/rate_differentials/${currency}/USD?limit=1`);
      expect([currency, spot.body.measure_used, spot.body.pagination.total_count > 200]).toEqual([
        currency,
        'risk_free_rate',
        true,
      ]);
      const forward = await get(`/v1/rate_differentials/${currency}/USD?rate_type=forward&limit=1`);
      expect([forward.body.forward_label, forward.body.data.length]).toEqual(['2Y5Y', 1]);
    }
  });

  it('equal the difference of both histories', async () => {
    const { body } = await get('/v1/rate_differentials/eur/usd?measure=gov_bond_10y&limit=100');
    const history = async (currency: string) => {
      const { data } = (await get(`/v1/announcements/${currency}/gov_bond_10y?limit=100`)).body;
      return new Map<string, number>(data.map((row: { date: string; val: number }) => [row.date, row.val]));
    };
    const [eur, usd] = [await history('eur'), await history('usd')];
    let compared = 0;
    for (const { date, base_val, quote_val, spread_bps } of body.data) {
      if (!eur.has(date) || !usd.has(date)) continue;
      compared += 1;
      expect([base_val, quote_val]).toEqual([eur.get(date), usd.get(date)]);
      // Three decimals: tenths of basis points are whole numbers.
      expect(spread_bps).toBe(Math.round((base_val - quote_val) * 1000) / 10);
    }
    expect(compared).toBeGreaterThan(90);
  });

  it('walk page by page to the end of the window', async () => {
    const dates: string[] = [];
    for (let next: number | undefined = 0; next !== undefined; ) {
      const { body } = await get(`/v1/rate_differentials/gbp/jpy?limit=100&offset=${next}`);
      dates.push(...body.data.map(({ date }: { date: string }) => date));
      expect(body.matched_points).toBe(body.pagination.total_count);
      next = body.pagination.next_offset;
    }
    expect(dates).toEqual([...new Set(dates)].sort().reverse());
    expect(dates.length).toBeGreaterThan(250);
  });

  it('refuse tenors that run backwards, equal currencies, and values outside of the lists', async () => {
    const backwards = await get('/v1/rate_differentials/eur/usd?start_tenor_years=5&end_tenor_years=5');
    expect([backwards.status, backwards.body.detail]).toEqual([
      422,
      [
        {
          loc: ['query', 'start_tenor_years'],
          msg: 'Value error, start_tenor_years must be less than end_tenor_years',
          type: 'value_error',
          input: '5',
        },
      ],
    ]);
    expect((await get('/v1/rate_differentials/eur/eur')).status).toBe(422);
    const { body } = await get(
      '/v1/rate_differentials/eur/usd?measure=libor&rate_type=swap&start_tenor_years=0&end_tenor_years=x&limit=101&offset=-1',
    );
    expect(body.detail.map(({ loc, type }: { loc: string[]; type: string }) => [loc[1], type])).toEqual([
      ['measure', 'enum'],
      ['rate_type', 'enum'],
      ['start_tenor_years', 'greater_than'],
      ['end_tenor_years', 'float_parsing'],
      ['limit', 'less_than_equal'],
      ['offset', 'greater_than_equal'],
    ]);
    expect((await get('/v1/rate_differentials/eur/usd', {})).status).toBe(401);
  });
});

describe('factors', () => {
  it('are there for every currency of the set; the dollar needs no key', async () => {
    for (const currency of FACTOR_CURRENCIES) {
      const { status, body } = await get(`/v1/factors/${currency}/monetary_stance`);
      expect([currency, status, body.data.length, body.data[0].val]).toEqual([currency, 200, 1, body.score]);
      expect(Math.abs(body.score)).toBeLessThanOrEqual(1);
    }
    expect((await get('/v1/factors/usd/monetary_stance', {})).status).toBe(200);
    expect((await get('/v1/factors/eur/monetary_stance', {})).status).toBe(401);
    expect((await get('/v1/factors/eur/momentum')).status).toBe(422);
    expect((await get('/v1/factors/brl/monetary_stance')).status).toBe(422);
  });

  it('show parts and sources to those who ask', async () => {
    const members = async (query: string) =>
      Object.keys((await get(`/v1/factors/usd/monetary_stance${query}`)).body.data[0]);
    const extras = ['components', 'source_observations', 'source_endpoints'];
    expect((await members('')).filter((name) => extras.includes(name))).toEqual([]);
    expect((await members('?include_components=1')).filter((name) => extras.includes(name))).toEqual(['components']);
    expect((await members('?include_sources=TRUE')).filter((name) => extras.includes(name))).toEqual(extras.slice(1));
    expect(
      (await members('?include_sources=true&include_components=true')).filter((name) => extras.includes(name)),
    ).toEqual(extras);
  });

  it('have a history', async () => {
    const { body } = await get('/v1/factors/jpy/monetary_stance?start_date=2026-08-01&limit=100');
    expect([body.start_date, body.end_date, body.pagination.total_count > 70]).toEqual([
      '2026-08-01',
      '2026-11-20',
      true,
    ]);
  });
});

describe('positions', () => {
  it('are there for every contract in both breakdowns of one open interest', async () => {
    for (const currency of COT_CURRENCIES) {
      const legacy = (await get(`/v1/cot/${currency}?limit=100`)).body;
      const financial = (await get(`/v1/cot/${currency}?report=tff_futures&limit=100`)).body;
      expect([legacy.report, financial.report, legacy.currency]).toEqual(['legacy_futures', 'tff_futures', currency]);
      expect(legacy.data.length).toBeGreaterThan(50);
      for (const [i, row] of legacy.data.entries()) {
        const other = financial.data[i];
        expect([row.date, row.open_interest]).toEqual([other.date, other.open_interest]);
        expect(new Date(`${row.date}T00:00:00Z`).getUTCDay()).toBe(2);
        expect(row.noncommercial_net).toBe(row.noncommercial_long - row.noncommercial_short);
        for (const side of ['long', 'short']) {
          expect(row[`total_reportable_${side}`] + row[`nonreportable_${side}`]).toBe(row.open_interest);
          expect(row[`noncommercial_${side}`] + row.noncommercial_spread + row[`commercial_${side}`]).toBe(
            row[`total_reportable_${side}`],
          );
          const groups = ['dealer', 'asset_manager', 'leveraged_funds', 'other_reportable'];
          const held = groups.map((group) => other[`${group}_${side}`] + other[`${group}_spread`]);
          expect(Math.min(...held)).toBeGreaterThan(0);
          expect(held.reduce((sum, count) => sum + count, 0) + other[`nonreportable_${side}`]).toBe(
            other.open_interest,
          );
        }
      }
    }
  });

  it('of the dollar are open for ninety days without a key, and without a delay', async () => {
    const { status, body } = await get('/v1/cot/usd?start_date=2020-01-01&limit=100', {});
    expect([status, body.start_date, body.freemium_delay]).toEqual([200, '2026-08-22', undefined]);
    expect(body.freemium_window).toMatchObject({ applied: true, max_days: 90, cutoff_date: '2026-08-22' });
    expect(body.data.every(({ date }: { date: string }) => date >= '2026-08-22')).toBe(true);
    expect((await get('/v1/cot/eur', {})).status).toBe(401);
    const unknown = await get('/v1/cot/sek');
    expect([unknown.status, unknown.body.code]).toEqual([404, 'unknown_currency']);
    expect((await get('/v1/cot/eur?report=disaggregated')).status).toBe(422);
  });

  it('were released on Friday at 15:30 in New York, and the next ones are expected then', async () => {
    const { body } = await get('/v1/cot/eur?limit=3');
    expect(
      body.data.map((row: { announcement_datetime: number }) =>
        new Date(row.announcement_datetime * 1000).toISOString(),
      ),
    ).toEqual(['2026-11-13T20:30:00.000Z', '2026-11-06T20:30:00.000Z', '2026-10-30T19:30:00.000Z']);
    expect([body.expected_next_release, body.data_lag_days]).toEqual(['2026-11-20T20:30:00Z', 10]);
  });
});

describe('official prices', () => {
  it('are there for every currency, a hundred a page, and filtered by what is asked', async () => {
    for (const currency of MAIN_CURRENCIES) {
      const { status, body } = await get(`/v1/financial_prices/${currency}`);
      expect([currency, status, body.count, body.pagination.limit]).toEqual([currency, 200, 100, 100]);
    }
    const only = async (query: string) => (await get(`/v1/financial_prices/usd?${query}`)).body;
    const auctions = await only('measure=bid_to_cover');
    expect(auctions.filters).toEqual({
      source: null,
      measure: 'bid_to_cover',
      instrument_id: null,
      issuer: null,
      start_date: null,
      end_date: null,
    });
    expect(new Set(auctions.data.map(({ instrument_type }: { instrument_type: string }) => instrument_type))).toEqual(
      new Set(['auction']),
    );
    expect(
      (await only('instrument_id=par_10y&start_date=2026-11-13&end_date=2026-11-19')).data.map(
        ({ date }: { date: string }) => date,
      ),
    ).toEqual(['2026-11-19', '2026-11-18', '2026-11-17', '2026-11-16', '2026-11-13']);
    const nothing = await only('issuer=nobody');
    expect([nothing.data, nothing.count, nothing.pagination.total_count]).toEqual([[], 0, 0]);
  });

  it('say the same as the announcements', async () => {
    const prices = (await get('/v1/financial_prices/eur?instrument_id=overnight&limit=5')).body.data;
    const history = (await get('/v1/announcements/eur/risk_free_rate?limit=5')).body.data;
    const told = (rows: readonly { date: string; val: number; announcement_datetime: number }[]) =>
      rows.map(({ date, val, announcement_datetime }) => [date, val, announcement_datetime]);
    expect(told(prices)).toEqual(told(history));
  });

  it('need a key and bounded filters', async () => {
    expect((await get('/v1/financial_prices/usd', {})).status).toBe(401);
    expect((await get('/v1/financial_prices/krw')).status).toBe(404);
    const { status, body } = await get(
      `/v1/financial_prices/usd?source=${'x'.repeat(81)}&measure=${'x'.repeat(61)}&issuer=${'x'.repeat(241)}&instrument_id=`,
    );
    expect([status, body.detail.map(({ type }: { type: string }) => type)]).toEqual([
      422,
      ['string_too_long', 'string_too_long', 'string_too_short', 'string_too_long'],
    ]);
  });
});
