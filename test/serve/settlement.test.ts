import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAIN_CURRENCIES } from '../../src/contract/words/words.ts';
import { listedKeys, verifyRecord } from '../../src/derive/settlement/verify.ts';
import { ENDPOINTS, MAPPINGS } from '../../src/endpoints/index.ts';
import { openMirror } from '../../src/mirror/sqlite/open.ts';
import { parseKeys } from '../../src/serve/access/keys.ts';
import { createServer, type ServeApp } from '../../src/serve/create.ts';
import { keyFiles, openSigning } from '../../src/serve/signing-key.ts';
import { createMirrorSource } from '../../src/source/mirror.ts';
import { freshFolder, testPlatform } from '../support/platform.ts';
import { sandboxPath } from '../support/service.ts';
import { LABELS } from './scripted-source.ts';

// The whole way over a synthetic mirror: server, source, hooks, and a key of the server's own.

const world = testPlatform({ folder: freshFolder() });
const KEY = { 'x-api-key': 'alpha' };
const BASIC = { 'x-api-key': 'beta' };
let app: ServeApp;

beforeAll(async () => {
  const { platform, folder } = world;
  copyFileSync(await sandboxPath(platform), join(folder, 'sandbox.db'));
  const mirror = await openMirror({ path: join(folder, 'sandbox.db'), mappings: MAPPINGS, platform, mode: 'write' });
  afterAll(() => mirror.close());
  const signing = openSigning(keyFiles({ platform, folder: join(folder, 'serve') }), platform.random);
  const source = createMirrorSource({ mirror, labels: LABELS, signing });
  const options = { labels: LABELS, quotas: false, keys: () => parseKeys('alpha trial A\nbeta basic B') };
  app = await createServer({ source, mirror, endpoints: ENDPOINTS, platform, options });
});

const get = async (url: string, headers: Record<string, string> = {}) => {
  const answer = await app.inject({ url, headers });
  return {
    status: answer.statusCode,
    text: answer.payload,
    json: answer.payload === '' ? undefined : answer.json(),
    headers: answer.headers,
  };
};

describe('served records', () => {
  it('of every currency and contract are signed by a key that is published', async () => {
    const { json: published } = await get('/v1/settlement/keys');
    const keys = listedKeys(published) ?? [];
    expect(published).toMatchObject({
      count: 1,
      keys: [{ algorithm: 'Ed25519', status: 'active', valid_from: '2026-11-21T05:46:13Z' }],
    });
    for (const currency of MAIN_CURRENCIES) {
      const { status, text } = await get(`/v1/settlement/${currency}/inflation?strike=2`, KEY);
      expect([currency, status, verifyRecord(text, keys).result]).toEqual([currency, 200, 'valid']);
    }
    const { json: contracts } = await get('/v1/settlement/contracts');
    expect(contracts.count).toBe(contracts.data.length);
    for (const { contract_id: id, currency } of contracts.data) {
      const { json, text } = await get(`/v1/settlement/contracts/${id.toUpperCase()}`, KEY);
      expect([json.contract_id, json.currency, verifyRecord(text, keys).result]).toEqual([id, currency, 'valid']);
    }
  });

  it('settle on the first print of the history that the same server shows', async () => {
    const { json: history } = await get('/v1/announcements/usd/gdp?revisions=first&limit=1', KEY);
    const { json: record } = await get('/v1/settlement/usd/gdp', KEY);
    const [{ date, val }] = history.data;
    expect(record).toMatchObject({ period: date, status: 'settled', first_print: { val }, settlement_value: val });
  });

  it('stay the same bytes, and 304, while the data stay the same', async () => {
    const url = '/v1/settlement/usd/policy_rate';
    const first = await get(url, KEY);
    await world.clock.advance(60_000);
    const second = await get(url, KEY);
    expect([second.text, second.headers.etag]).toEqual([first.text, first.headers.etag]);
    const third = await get(url, { ...KEY, 'if-none-match': String(first.headers.etag) });
    expect([third.status, third.text]).toEqual([304, '']);
  });
});

describe('who may ask', () => {
  it.each([
    ['/v1/settlement/contracts', 200, 200],
    ['/v1/settlement/keys', 200, 200],
    ['/v1/settlement/usd/inflation', 200, 200],
    ['/v1/settlement/eur/inflation', 401, 200],
    ['/v1/settlement/contracts/usd_inflation_threshold', 200, 200],
    ['/v1/settlement/contracts/eur_inflation_threshold', 401, 200],
  ])('%s: %i without a key, %i with one', async (url, keyless, keyed) => {
    expect([(await get(url)).status, (await get(url, KEY)).status]).toEqual([keyless, keyed]);
  });

  it('the plan basic lacks records, but not templates and keys', async () => {
    const status = async (url: string) => (await get(url, BASIC)).status;
    expect(await status('/v1/settlement/usd/inflation')).toBe(403);
    expect(await status('/v1/settlement/contracts/usd_inflation_threshold')).toBe(403);
    expect(await status('/v1/settlement/contracts')).toBe(200);
    expect(await status('/v1/settlement/keys')).toBe(200);
  });

  it('no member of a keyless answer stands outside of the signature', async () => {
    const { text } = await get('/v1/settlement/usd/inflation?strike=2');
    const keys = listedKeys((await get('/v1/settlement/keys')).json) ?? [];
    expect(verifyRecord(text, keys).result).toBe('valid');
    expect(text).not.toContain('freemium');
  });
});

describe('refusals', () => {
  it.each([
    [
      '/v1/settlement/usd/inflation?period=2010-01-31',
      { code: 'release_not_available', detail: 'No release of inflation of USD for 2010-01-31 is available.' },
    ],
    [
      '/v1/settlement/usd/ppi',
      {
        code: 'not_mirrored',
        detail:
          'The mirror has nothing for settlement record USD ppi. Fill it with: macro sync settlement record usd ppi',
      },
    ],
    ['/v1/settlement/usd/inflatoin', { code: 'unknown_indicator', suggestions: ['inflation'] }],
    ['/v1/settlement/xyz/inflation', { code: 'unknown_currency' }],
    [
      '/v1/settlement/contracts/usd_inflation_treshold',
      { code: 'unknown_resource', suggestions: ['usd_inflation_threshold'] },
    ],
    ['/v1/settlement/contracts?currency=xyz', { code: 'unknown_currency' }],
  ])('%s is 404', async (url, body) => {
    const { status, json } = await get(url, KEY);
    expect([status, json]).toEqual([404, expect.objectContaining(body)]);
  });

  it('without a key say what was kept back', async () => {
    const { status, json } = await get('/v1/settlement/usd/inflation?period=2026-07-31');
    expect([status, json.code]).toEqual([404, 'release_not_available']);
    expect(json.freemium_window).toMatchObject({ applied: true, max_days: 90, cutoff_date: '2026-08-23' });
    expect(json.freemium_delay).toMatchObject({
      applied: true,
      delay_seconds: 900,
      withheld_count: 0,
      next_available_at: null,
    });
    expect((await get('/v1/settlement/usd/inflation?period=2010-01-31', KEY)).json).not.toHaveProperty(
      'freemium_delay',
    );
  });

  it.each([
    ['period=latests', 'date_from_datetime_parsing', 'period'],
    ['period=2026-02-30', 'date_from_datetime_parsing', 'period'],
    ['strike=high', 'float_parsing', 'strike'],
    ['strike=1e999', 'float_parsing', 'strike'],
    ['strike=', 'float_parsing', 'strike'],
    ['strike=99999999999999999999', 'value_error', 'strike'],
    ['strike=9007199254740993', 'value_error', 'strike'],
    ['strike=1e20', 'value_error', 'strike'],
    ['strike=0.30000000000000001', 'value_error', 'strike'],
    ['strike=1e-400', 'value_error', 'strike'],
    ['comparison=ge', 'enum', 'comparison'],
    ['comparison=GT', 'enum', 'comparison'],
  ])('%s is 422 on both routes', async (query, type, name) => {
    for (const path of ['usd/inflation', 'contracts/usd_inflation_threshold']) {
      const { status, json } = await get(`/v1/settlement/${path}?${query}`, KEY);
      expect([status, json.detail[0].type, json.detail[0].loc]).toEqual([422, type, ['query', name]]);
    }
  });

  it.each([
    ['strike=9007199254740991', '9007199254740991.0'],
    ['strike=%2B02.50', '2.5'],
    ['strike=-.5', '-0.5'],
    ['strike=3.', '3.0'],
    ['strike=1e-7', '1e-7'],
  ])('%s is kept digit by digit and signed', async (query, strike) => {
    const { status, text } = await get(`/v1/settlement/usd/inflation?${query}`, KEY);
    expect([status, /"strike":([^,}]+)/.exec(text)?.[1]]).toEqual([200, strike]);
  });
});
