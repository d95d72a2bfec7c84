import { describe, expect, test } from 'vitest';
import { MAIN_CURRENCIES } from '../../src/contract/words/words.ts';
import { ENDPOINTS } from '../../src/endpoints/index.ts';
import { parseKeys } from '../../src/serve/access/keys.ts';
import { createServer } from '../../src/serve/create.ts';
import { createMirrorSource } from '../../src/source/mirror.ts';
import { testPlatform } from '../support/platform.ts';
import { freshMirror, sandboxMirror } from '../support/service.ts';
import { LABELS } from './scripted-source.ts';

async function server(options: { empty?: boolean } = {}) {
  const { platform } = testPlatform();
  const mirror = options.empty ? await freshMirror(platform) : await sandboxMirror(platform);
  const source = createMirrorSource({ mirror, labels: LABELS });
  const serve = { labels: LABELS, quotas: false, keys: () => parseKeys('alpha trial A\nbeta basic B') };
  const app = await createServer({ source, mirror, endpoints: ENDPOINTS, platform, options: serve });
  return async (url: string, key: string | null = 'alpha') => {
    const answer = await app.inject({ url, headers: key === null ? {} : { 'x-api-key': key } });
    return { status: answer.statusCode, json: answer.json(), headers: answer.headers };
  };
}

const keyless = async (get: Awaited<ReturnType<typeof server>>, url: string) => get(url, null);

describe('forecasts of an indicator', () => {
  test('exist for every currency, newest target first, only those made before the release', async () => {
    const get = await server();
    for (const currency of MAIN_CURRENCIES) {
      const { status, json } = await get(`/v1/predictions/${currency}/inflation`);
      expect([currency, status, json.count > 0]).toEqual([currency, 200, true]);
      const dates = json.data.map((row: { date: string }) => row.date);
      expect(dates).toEqual([...dates].sort().reverse());
      const made = json.data.flatMap((row: { predictions: { is_pre_release: boolean }[] }) => row.predictions);
      expect(made.every((one: { is_pre_release: boolean }) => one.is_pre_release)).toBe(true);
      expect(json.prediction_count).toBe(made.length);
    }
  });

  test('a release ahead has no release time yet, one behind has', async () => {
    const get = await server();
    const { json } = await get('/v1/predictions/usd/inflation');
    const [ahead] = json.data;
    expect([ahead.date > '2026-10-31', 'announcement_datetime' in ahead]).toEqual([true, false]);
    expect(json.data.at(-1).announcement_datetime).toBeLessThan(Date.parse('2026-11-21') / 1000);
  });

  test('all of them include those made after the release', async () => {
    const get = await server();
    const before = (await get('/v1/predictions/usd/inflation')).json;
    const all = (await get('/v1/predictions/usd/inflation?pre_release_only=false')).json;
    expect(all.prediction_count).toBeGreaterThan(before.prediction_count);
    expect([before.pre_release_only, all.pre_release_only]).toEqual([true, false]);
  });

  test('the cursor and the envelope lead through the same pages', async () => {
    const get = await server();
    const path = '/v1/predictions/usd/inflation?start_date=2025-01-01&limit=3';
    const byOffset: string[] = [];
    const byCursor: string[] = [];
    let total = 0;
    for (let offset: number | undefined = 0; offset !== undefined; ) {
      const { json } = await get(`${path}&offset=${offset}`);
      byOffset.push(...json.data.map((row: { date: string }) => row.date));
      expect(json.has_more).toBe(json.pagination.has_more);
      offset = json.pagination.next_offset;
      total = json.pagination.total_count;
    }
    for (let before: string | undefined = '2099-01-01'; before !== undefined; ) {
      const { json } = await get(`${path}&before_date=${before}`);
      byCursor.push(...json.data.map((row: { date: string }) => row.date));
      before = json.next_cursor;
    }
    expect(byCursor).toEqual(byOffset);
    expect(new Set(byOffset).size).toBe(total);
  });

  test('official forecasts stand beside the data, as many as asked for', async () => {
    const get = await server();
    const { json } = await get('/v1/predictions/usd/inflation?official_limit=4');
    expect(json.official_forecasts).toHaveLength(4);
    expect(json.official_forecasts.every((one: { variable: string }) => one.variable === 'cpi')).toBe(true);
    expect(JSON.stringify(json.data)).not.toContain('forecast_observation_id');
    expect((await get('/v1/predictions/usd/inflation?official_limit=0')).json.official_forecasts).toEqual([]);
  });

  test('wrong words: 422 for a currency, 404 for an indicator', async () => {
    const get = await server();
    expect((await get('/v1/predictions/xyz/inflation')).status).toBe(422);
    expect((await get('/v1/predictions/usd/inflatoin')).json.code).toBe('unknown_indicator');
    expect((await get('/v1/predictions/usd/inflation?prediction_class=guess')).status).toBe(422);
    expect((await get('/v1/predictions/usd/inflation?official_limit=2001')).status).toBe(422);
    expect((await get('/v1/predictions/usd/inflation?start_date=2026-02-01&end_date=2026-01-01')).status).toBe(422);
  });
});

describe('without a key', () => {
  test('the refusal has no error member and says who publishes what', async () => {
    const { status, json, headers } = await keyless(await server(), '/v1/predictions/usd/inflation');
    expect([status, headers['www-authenticate']]).toEqual([401, 'Bearer']);
    expect(json).toEqual({
      detail: 'This route needs an API key.',
      code: 'api_key_required',
      subscribe_url: LABELS.subscribeUrl,
      coverage_url: 'https://svc.example/v1/predictions/coverage/usd',
      docs_url: LABELS.docsUrl,
      verified_history: {
        source: 'sandbox_consensus',
        additional_sources: ['sandbox_nowcast'],
        history_start: '2026-01-01',
        first_covered_release: '2026-01-01',
        cadence: 'every_release',
        variants: ['default'],
        verified_as_of: '2026-11-20',
      },
      availability: {
        types_with_sources: ['market_consensus', 'model_nowcast'],
        classes_with_sources: ['compiled_consensus', 'model_nowcast'],
        sources_with_coverage: ['sandbox_consensus', 'sandbox_nowcast'],
        reason: {
          compiled_consensus: 'values_require_key',
          forecaster_survey: 'no_source_for_pair',
          market_implied: 'no_source_for_pair',
          model_nowcast: 'values_require_key',
          central_bank_projection: 'no_source_for_pair',
          institutional_projection: 'no_source_for_pair',
          fxmacrodata: 'no_source_for_pair',
        },
        reason_text: {
          compiled_consensus:
            'Forecasts of USD inflation are published by Sandbox consensus (synthetic); their values need a key.',
          forecaster_survey: 'Nobody who is covered publishes forecasts of USD inflation in this class.',
          market_implied: 'Nobody who is covered publishes forecasts of USD inflation in this class.',
          model_nowcast:
            'Forecasts of USD inflation are published by Sandbox nowcast (synthetic); their values need a key.',
          central_bank_projection: 'Nobody who is covered publishes forecasts of USD inflation in this class.',
          institutional_projection: 'Nobody who is covered publishes forecasts of USD inflation in this class.',
          fxmacrodata: 'Nobody who is covered publishes forecasts of USD inflation in this class.',
        },
        plan_note: 'Forecast values need a key for every currency.',
        official_forecasts: {
          field: 'official_forecasts',
          note: 'Official forecasts keep periods of their own and stand beside the data.',
          sources: [
            {
              source: 'sandbox_bank',
              prediction_class: 'central_bank_projection',
              source_url: 'https://sandbox.invalid/sandbox_bank',
            },
            {
              source: 'sandbox_survey',
              prediction_class: 'forecaster_survey',
              source_url: 'https://sandbox.invalid/sandbox_survey',
            },
          ],
        },
      },
    });
  });

  test('nobody publishing it is another reason than a missing key', async () => {
    const { json } = await keyless(await server(), '/v1/predictions/usd/foreign_reserves');
    expect(json.verified_history).toBeNull();
    expect(new Set(Object.values(json.availability.reason))).toEqual(new Set(['no_source_for_pair']));
    expect(json.availability.reason_text.model_nowcast).toBe(
      'Nobody who is covered publishes forecasts of USD foreign_reserves in this class.',
    );
  });

  test('a class that was asked for is the only one that is spoken of', async () => {
    const { json } = await keyless(await server(), '/v1/predictions/usd/inflation?prediction_class=model_nowcast');
    expect(json.availability).toMatchObject({
      reason: { model_nowcast: 'values_require_key' },
      reason_text: {
        model_nowcast:
          'Forecasts of USD inflation are published by Sandbox nowcast (synthetic); their values need a key.',
      },
    });
    expect(Object.keys(json.availability.reason)).toEqual(['model_nowcast']);
    expect(Object.keys(json.availability.reason_text)).toEqual(['model_nowcast']);
  });

  test('a server that holds no coverage refuses all the same, and claims nothing', async () => {
    const { status, json } = await keyless(await server({ empty: true }), '/v1/predictions/usd/inflation');
    expect([status, json.code, 'error' in json]).toEqual([401, 'api_key_required', false]);
    expect(json.availability).toMatchObject({ reason: {}, classes_with_sources: [] });
  });

  test('other refusals keep their form, and a small plan gets 403', async () => {
    const get = await server();
    const { json } = await keyless(get, '/v1/predictions/usd?prediction_source=sandbox_survey');
    expect(json).toEqual({
      detail: 'This route needs an API key.',
      code: 'api_key_required',
      error: 'api_key_required',
      subscribe_url: LABELS.subscribeUrl,
    });
    expect((await get('/v1/predictions/usd/inflation', 'beta')).status).toBe(403);
    expect((await get('/v1/predictions/usd/inflation', 'stranger')).json.code).toBe('invalid_api_key');
  });
});

describe('official vintages of a source', () => {
  test('need the source to be named', async () => {
    const get = await server();
    const { status, json } = await get('/v1/predictions/usd');
    expect([status, json]).toEqual([
      400,
      {
        detail: 'Name one source with prediction_source: listings over all sources are disabled.',
        code: 'prediction_source_required',
        error: 'prediction_source_required',
      },
    ]);
    expect((await get(`/v1/predictions/usd?prediction_source=${'x'.repeat(161)}`)).status).toBe(422);
    expect((await get('/v1/predictions/usd?prediction_source=nobody')).json.code).toBe('not_mirrored');
  });

  test('are walked back from the newest by id, each once', async () => {
    const get = await server();
    const path = '/v1/predictions/usd?prediction_source=sandbox_bank';
    const whole = (await get(`${path}&limit=1000`)).json;
    const ids: string[] = [];
    for (let before: string | undefined = ''; before !== undefined; ) {
      const { json } = await get(`${path}&limit=7${before === '' ? '' : `&before_id=${before}`}`);
      ids.push(...json.data.map((row: { forecast_observation_id: string }) => row.forecast_observation_id));
      expect(json.has_more).toBe(json.next_cursor !== undefined);
      before = json.next_cursor;
    }
    expect(ids).toEqual(whole.data.map((row: { forecast_observation_id: string }) => row.forecast_observation_id));
    expect([whole.count, whole.has_more]).toEqual([ids.length, false]);
  });

  test('are filtered by what they forecast', async () => {
    const get = await server();
    const { json } = await get(
      '/v1/predictions/eur?prediction_source=sandbox_survey&variable=cpi&target_period=2027Q4',
    );
    expect(json.filters).toEqual({ variable: 'cpi', target_period: '2027Q4', publication_precision: null });
    expect(json.count).toBeGreaterThan(0);
    const told = json.data.map((row: Record<string, string>) => `${row.variable} ${row.target_period}`);
    expect(new Set(told)).toEqual(new Set(['cpi 2027Q4']));
    const exact = await get('/v1/predictions/eur?prediction_source=sandbox_survey&publication_precision=exact');
    expect(exact.json.data).toEqual([]);
  });
});

describe('coverage', () => {
  test('is public, counts what it lists and never shows a value', async () => {
    const get = await server();
    const all = (await keyless(get, '/v1/predictions/coverage')).json;
    expect([all.currency_count, all.currencies.map((one: { currency: string }) => one.currency)]).toEqual([
      MAIN_CURRENCIES.length,
      MAIN_CURRENCIES,
    ]);
    for (const told of all.currencies) {
      const { json } = await keyless(get, `/v1/predictions/coverage/${told.currency}`);
      expect(json.indicator_count).toBe(json.indicators.length);
      const covered = json.indicators.filter(
        (one: { external_prediction_source_count: number }) => one.external_prediction_source_count > 0,
      );
      expect(told.indicators_with_external_prediction_sources).toBe(covered.length);
      expect(told.coverage_url).toBe(`https://svc.example/v1/predictions/coverage/${told.currency.toLowerCase()}`);
      expect(JSON.stringify(json)).not.toContain('predicted_value');
    }
    expect(all.access).toMatchObject({ coverage_requires_key: false, values_require_key: true });
  });

  test('names exactly those who are there: each source has forecasts', async () => {
    const get = await server();
    const { json } = await keyless(get, '/v1/predictions/coverage/usd');
    for (const { indicator, sources } of json.indicators) {
      const answer = await get(`/v1/predictions/usd/${indicator}?start_date=2026-01-01`);
      if (sources.length === 0) expect([indicator, answer.status]).toEqual([indicator, 404]);
      else {
        const made = answer.json.data.flatMap(
          (row: { predictions: { prediction_source: string }[] }) => row.predictions,
        );
        const names = new Set(made.map((one: { prediction_source: string }) => one.prediction_source));
        expect([indicator, [...names].sort()]).toEqual([
          indicator,
          sources.map((one: { source: string }) => one.source).sort(),
        ]);
      }
    }
  });

  test('of an unknown currency is 404', async () => {
    expect((await keyless(await server(), '/v1/predictions/coverage/xyz')).json.code).toBe('unknown_currency');
  });
});
