import { describe, expect, it } from 'vitest';
import { createClient } from '../../src/client/create.ts';
import { readParams } from '../../src/contract/params/read-params.ts';
import panel from '../../src/endpoints/announcements/panel.ts';
import predictions from '../../src/endpoints/predictions/series.ts';
import { MacroError } from '../../src/errors.ts';
import { testPlatform } from '../support/platform.ts';
import { type Exchange, scriptUpstream } from '../support/upstream.ts';

const BASE = 'https://svc.example';
const ANSWER = {
  availability: 'public',
  start_date: '2026-01-01',
  end_date: '2026-12-31',
  count: 0,
  missing_count: 0,
  data: [],
};
const BUSY: Exchange = {
  request: 'POST /v1/research/panel',
  status: 503,
  body: { detail: 'busy', code: 'service_unavailable' },
};

function world(script: readonly Exchange[], key: string | undefined = 'k-secret') {
  const upstream = scriptUpstream(script);
  const { platform } = testPlatform({ fetch: upstream.fetch });
  return {
    upstream,
    client: createClient({ platform, baseUrl: BASE, ...(key !== '' && { key }) }),
    now: platform.clock.now(),
  };
}

function question(now: number) {
  const query = {
    series: 'usd/inflation:60,eur:inflation',
    decision_times: '2026-10-14T12:30:00Z,2026-11-14',
    start_date: '2026-01-01',
    end_date: '2026-12-31',
  };
  return { endpoint: panel, args: readParams(panel, { path: {}, query }, { mode: 'strict', now }).args };
}

describe('a question with too many arguments for an address', () => {
  it('is posted as JSON, with the key in the header and no validator', async () => {
    const sent = { 'content-type': 'application/json', 'x-api-key': 'k-secret', 'if-none-match': null };
    const { upstream, client, now } = world([{ request: 'POST /v1/research/panel', body: ANSWER, sent }]);
    const reply = await client.ask({ ...question(now), ifNoneMatch: 'W/"1"' });
    upstream.verify();
    expect(reply.request).toBe('POST /v1/research/panel');
    expect(JSON.parse(upstream.requests[0]?.body ?? '')).toEqual({
      series: [
        { currency: 'USD', indicator: 'inflation', max_age_days: 60 },
        { currency: 'EUR', indicator: 'inflation' },
      ],
      decision_times: ['2026-10-14T12:30:00Z', '2026-11-14T00:00:00Z'],
      start_date: '2026-01-01',
      end_date: '2026-12-31',
      availability: 'public',
    });
  });

  it('is asked again like any read, with the same body', async () => {
    const { upstream, client, now } = world([
      { ...BUSY, times: 2 },
      { request: 'POST /v1/research/panel', body: ANSWER },
    ]);
    expect((await client.ask(question(now))).status).toBe(200);
    upstream.verify();
    expect(new Set(upstream.requests.map(({ body }) => body)).size).toBe(1);
  });

  it('gives up after four tries', async () => {
    const { upstream, client, now } = world([{ ...BUSY, times: 4 }]);
    await expect(client.ask(question(now))).rejects.toMatchObject({ kind: 'upstream', status: 503 });
    upstream.verify();
  });

  it('carries parameters that the contract does not know in the address', async () => {
    const { upstream, client, now } = world([{ request: 'POST /v1/research/panel?trace=1', body: ANSWER }]);
    await client.ask({ ...question(now), extra: { trace: '1' } });
    upstream.verify();
  });

  it('needs a key before anything is sent', async () => {
    const { client, now } = world([], '');
    await expect(client.ask(question(now))).rejects.toMatchObject({ kind: 'auth', code: 'api_key_required' });
  });
});

describe('forecasts without a key', () => {
  const args = { currency: 'USD', indicator: 'gdp', pre_release_only: true, limit: 20, offset: 0 };
  const refusal = (reason: Record<string, string>, sources: readonly string[] = []) => ({
    request: 'GET /v1/predictions/USD/gdp?pre_release_only=true&limit=20&offset=0',
    status: 401,
    body: {
      detail: 'This route needs an API key.',
      code: 'api_key_required',
      subscribe_url: 'https://svc.example/subscribe',
      availability: { reason, official_forecasts: { field: 'official_forecasts', sources } },
    },
  });

  async function hintOf(exchange: Exchange): Promise<string | undefined> {
    const { client } = world([exchange], '');
    try {
      await client.ask({ endpoint: predictions, args });
    } catch (error) {
      if (error instanceof MacroError) return error.hint;
      throw error;
    }
    return undefined;
  }

  it('ask the service all the same, which knows whether a key would help', async () => {
    const open = { model_nowcast: 'values_require_key', market_implied: 'no_source_for_pair' };
    expect(await hintOf(refusal(open))).toBe(
      'A key gives access to the published data: model_nowcast. Give one with: macro auth login, or in MACRO_API_KEY. See macro predictions coverage. Plans: https://svc.example/subscribe',
    );
  });

  it('say when nobody publishes them', async () => {
    const none = { model_nowcast: 'no_source_for_pair' };
    expect(await hintOf(refusal(none))).toMatch(
      /^Nobody publishes such values for this pair, so a key would not bring any\. See/,
    );
    expect(await hintOf(refusal(none, ['spf']))).toMatch(/A key would show official forecasts only\. See/);
  });

  it('fall back to the plain hint where the service does not say', async () => {
    expect(await hintOf(refusal({}))).toMatch(/^Give a key with: macro auth login/);
  });
});
