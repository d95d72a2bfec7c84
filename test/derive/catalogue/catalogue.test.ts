import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { PageView, SeriesRoute } from '../../../src/contract/hooks.ts';
import { cutBody } from '../../../src/contract/json/body.ts';
import { asJsonText } from '../../../src/contract/json/json.ts';
import { FULL_COVERAGE } from '../../../src/contract/time/coverage.ts';
import { type CatalogueArgs, deriveCatalogue } from '../../../src/derive/catalogue.ts';
import catalogue from '../../../src/endpoints/catalogue/catalogue.ts';
import { bodyOf, LABELS } from '../announcements/page.ts';

const ROUTES: readonly SeriesRoute[] = [
  { path: '/v1/ping', method: 'GET', access: { class: 'public' } },
  { path: '/v1/forex/{base}/{quote}', method: 'GET', access: { class: 'keyed' }, currencies: ['EUR', 'USD'] },
  { path: '/v1/calendar/{currency}', method: 'GET', access: { class: 'usd' }, currencies: ['EUR', 'USD', 'BRL'] },
  { path: '/v1/announcements/changes', method: 'GET', access: { class: 'usd', narrows: 'currencies' } },
];

// The instant of the recorded answer.
const NOW = '2026-09-19T08:57:59Z';

const view = (args: Partial<CatalogueArgs>, rows: readonly string[] = [], day = NOW): PageView<CatalogueArgs> => ({
  args: { currency: 'USD', include_capabilities: false, include_coverage: false, ...args },
  now: Date.parse(day) / 1000,
  caller: { kind: 'keyless' },
  labels: LABELS,
  routes: ROUTES,
  coverage: FULL_COVERAGE,
  stored: {},
  rows: rows.map((text, i) => ({ key: [['gdp', 'effr', 'm2'][i] ?? ''], text: asJsonText(text) })),
  total: rows.length,
  window: async () => [],
  following: async () => [],
  edge: async () => undefined,
});

const ENTRIES = [
  '{"name":"GDP","coverage":{"available":true,"row_count":318}}',
  '{"coverage":{"available":false}}',
  '{"name":"M2"}',
];

describe('a catalogue', () => {
  test('is bare when nothing more was asked', () => {
    expect(bodyOf(deriveCatalogue(view({ indicator: 'gdp' }, ENTRIES)))).toEqual({});
  });

  test('lists the coverage of every entry by its slug, or of one', () => {
    expect(bodyOf(deriveCatalogue(view({ include_coverage: true }, ENTRIES)))).toEqual({
      coverage: [
        { indicator: 'gdp', available: true, row_count: 318 },
        { indicator: 'effr', available: false },
        { indicator: 'm2' },
      ],
    });
    expect(bodyOf(deriveCatalogue(view({ include_coverage: true, indicator: 'effr' }, ENTRIES)))).toEqual({
      coverage: [{ indicator: 'effr', available: false }],
    });
  });

  test('counts lag and freshness to the day of the question, and touches nothing else', () => {
    // See docs/interface-endpoints.md#catalogue, on 2026-11-21.
    const inflation =
      '{"name":"Inflation (CPI)","maturity":1.50,"coverage":{"available":true,"row_count":900,"data_lag_days":21,' +
      '"stale_after_days":95,"has_recent_data":true,"latest_available_date":"2026-10-31","freshness_quality":"fresh"}}';
    const on = (day: string) => deriveCatalogue(view({ include_coverage: true }, [inflation], `${day}T12:00:00Z`));
    expect(on('2026-11-21').rows).toEqual([inflation]);
    const fresh = inflation.replace('"data_lag_days":21', '"data_lag_days":95');
    expect(on('2027-02-03').rows).toEqual([fresh]);
    const stale = inflation
      .replace('"data_lag_days":21', '"data_lag_days":96')
      .replace('"has_recent_data":true', '"has_recent_data":false')
      .replace('"freshness_quality":"fresh"', '"freshness_quality":"stale"');
    expect(on('2027-02-04').rows).toEqual([stale]);
    expect(bodyOf(on('2027-02-04'))).toEqual({ coverage: [{ indicator: 'gdp', ...JSON.parse(stale).coverage }] });
  });

  test('tells which routes of the currency ask for a key', () => {
    const keys = (currency: string) => {
      const { capabilities } = bodyOf(deriveCatalogue(view({ currency, include_capabilities: true })));
      return capabilities;
    };
    expect(keys('USD')).toMatchObject({
      currency: 'USD',
      endpoints: [
        { path: '/v1/ping', method: 'GET', requires_api_key: false },
        { path: '/v1/forex/{base}/{quote}', method: 'GET', requires_api_key: true },
        { path: '/v1/calendar/{currency}', method: 'GET', requires_api_key: false },
        { path: '/v1/announcements/changes', method: 'GET', requires_api_key: false },
      ],
      auth: { header: 'X-API-Key', bearer: 'Authorization: Bearer' },
    });
    expect(keys('BRL')).toMatchObject({
      endpoints: [
        { path: '/v1/ping', requires_api_key: false },
        { path: '/v1/calendar/{currency}', requires_api_key: true },
        { path: '/v1/announcements/changes', requires_api_key: true },
      ],
    });
  });
});

const PATH = '../shared/fixtures/recorded/probe/data_catalogue_usd_excerpt.json';

describe.skipIf(!existsSync(PATH))(`a recorded catalogue (skipped without ${PATH})`, () => {
  test('gives the list that the older route gave', () => {
    const { rows } = cutBody(catalogue.body, readFileSync(PATH, 'utf8'));
    const recorded = {
      ...view({ include_coverage: true }),
      rows: rows.map(({ name, text }) => ({ key: [name], text })),
    };
    // The service counts from the newest release where it names one.
    expect(deriveCatalogue(recorded).rows).toEqual(rows.map((row) => row.text));
    expect(bodyOf(deriveCatalogue(recorded))).toEqual({
      coverage: rows.map(({ name, value }) => ({ indicator: name, ...(value.coverage as object) })),
    });
  });
});
