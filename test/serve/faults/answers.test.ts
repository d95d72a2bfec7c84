import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { FaultRule } from '../../../src/serve/faults/fault.ts';
import { askRaw, spoiled } from './support.ts';

const HISTORY = '/v1/announcements/usd/inflation?limit=3';

/** The answer of a server without faults. */
const good = async (path: string) => askRaw(await spoiled([]), path);
const spoil = async (rule: FaultRule, path = HISTORY, headers: Readonly<Record<string, string>> = {}) =>
  askRaw(await spoiled([rule]), path, headers);

describe('a fault of an answer', () => {
  it('is named in the answer', async () => {
    const { headers } = await spoil({ fault: 'clock-skew', seconds: -300 });
    expect(headers).toMatchObject({ 'x-svc-fault': 'clock-skew', date: 'Fri, 20 Nov 2026 13:55:00 GMT' });
  });

  it('is latency with a part that the seed draws', async () => {
    const one = await spoiled([{ fault: 'latency', ms: 200, jitter: 100 }]);
    const { status, body } = await askRaw(one, HISTORY);
    const again = await spoiled([{ fault: 'latency', ms: 200, jitter: 100 }]);
    await askRaw(again, HISTORY);
    expect({ status, body }).toEqual({ status: 200, body: (await good(HISTORY)).body });
    expect(one.slept).toEqual(again.slept);
    expect(one.slept[0]).toBeGreaterThanOrEqual(200);
    expect(one.slept[0]).toBeLessThanOrEqual(300);
  });

  it('is a reset after so many bytes of the body', async () => {
    const { body } = await good(HISTORY);
    const cut = await spoil({ fault: 'reset', bytes: 40 });
    expect({ body: cut.body.toString(), end: cut.end, length: cut.headers['content-length'] }).toEqual({
      body: body.toString().slice(0, 40),
      end: 'ECONNRESET',
      length: String(body.length),
    });
    expect((await spoil({ fault: 'reset' })).body.toString()).toBe('');
  });

  it('is gzip that ends too early, for a caller who takes gzip', async () => {
    const { body } = await good(HISTORY);
    const { headers, body: got } = await spoil({ fault: 'truncated-gzip', bytes: 60 }, HISTORY, {
      'Accept-Encoding': 'gzip',
    });
    expect(got).toEqual(gzipSync(body, { level: 3 }).subarray(0, 60));
    expect(headers).toMatchObject({ 'content-encoding': 'gzip', 'content-length': '60' });
    expect(() => gunzipSync(got)).toThrow('unexpected end of file');
    expect((await spoil({ fault: 'truncated-gzip' })).body).toEqual(body);
  });

  it('is a length that is not the right one', async () => {
    const { body } = await good(HISTORY);
    const long = await spoil({ fault: 'wrong-length', by: 7 });
    expect([long.headers['content-length'], long.body]).toEqual([String(body.length + 7), body]);
    const short = await spoil({ fault: 'wrong-length', by: -7 });
    expect([short.headers['content-length'], short.body]).toEqual([String(body.length - 7), body]);
  });

  it('is an error of the service', async () => {
    const { status, headers, body } = await spoil({ fault: 'error', status: 503, retry_after: 2 });
    expect([status, headers['retry-after'], JSON.parse(body.toString())]).toEqual([
      503,
      '2',
      {
        detail: 'The store cannot be read at present.',
        code: 'service_unavailable',
        error: 'service_unavailable',
      },
    ]);
  });

  it.each([
    ['minute', 300, 'Minute quota of 300 requests is used up.'],
    ['hour', 5000, 'Hourly quota of 5000 requests is used up.'],
    ['month', 1000000, 'Monthly quota of 1000000 requests is used up.'],
    ['concurrency', 20, 'More than 20 requests at the same time.'],
    ['endpoint', 30, 'Quota of 30 requests a minute for this route is used up.'],
  ] as const)('is the refusal of a spent %s', async (window, limit, detail) => {
    const { status, headers, body } = await spoil({ fault: 'limit', window, retry_after: 9 });
    expect(status).toBe(429);
    expect(headers).toMatchObject({
      'retry-after': '9',
      'ratelimit-limit': String(limit),
      'ratelimit-remaining': '0',
      'ratelimit-reset': '9',
      'x-ratelimit-window': window,
    });
    expect(JSON.parse(body.toString())).toEqual({
      ...{ detail, code: 'rate_limit_exceeded', error: 'rate_limit_exceeded' },
      ...{ window, limit, retry_after: 9 },
    });
  });

  it('is the refusal of a spent day for a caller without a key', async () => {
    const { body } = await spoil({ fault: 'limit', window: 'day' }, HISTORY, { 'X-API-Key': '' });
    expect(JSON.parse(body.toString())).toEqual({
      detail: 'Keyless daily quota of 100 requests is used up.',
      code: 'anonymous_usd_rate_limit_exceeded',
      error: 'anonymous_usd_rate_limit_exceeded',
    });
  });

  it('is an old validator that is confirmed for ever', async () => {
    const server = await spoiled([{ fault: 'stale-etag' }]);
    const { headers, body } = await askRaw(server, HISTORY);
    expect(body).toEqual((await good(HISTORY)).body);
    const { etag = '' } = headers;
    const again = await askRaw(server, HISTORY, { 'If-None-Match': etag });
    expect([again.status, again.headers.etag, again.body.length]).toEqual([304, etag, 0]);
  });
});

describe('a page that lies', () => {
  const SECOND = `${HISTORY}&offset=3`;
  const page = async (as: 'repeated' | 'shifted' | 'empty' | 'total' | 'next') => {
    const { body, headers } = await spoil({ fault: 'page', as }, SECOND);
    expect(headers.etag).toBeUndefined();
    return JSON.parse(body.toString());
  };
  const rows = async (path: string) => JSON.parse((await good(path)).body.toString());

  it('repeats the rows of the page before', async () => {
    const [first, second] = [await rows(HISTORY), await rows(SECOND)];
    const pagination = { ...second.pagination, page_includes_latest_available: true };
    expect(await page('repeated')).toMatchObject({ data: first.data, pagination });
  });

  it('is shifted by a row', async () => {
    const [first, second] = [await rows(HISTORY), await rows(SECOND)];
    const told = await page('shifted');
    expect(told).toMatchObject({ data: [first.data[2], ...second.data.slice(0, 2)], pagination: second.pagination });
  });

  it('is empty and promises more', async () => {
    const { pagination } = await rows(SECOND);
    const told = { ...pagination, returned_count: 0, has_more: true, next_offset: 6 };
    expect(await page('empty')).toMatchObject({ data: [], pagination: told });
  });

  it('has another total, or leads back to itself', async () => {
    const { data, pagination } = await rows(SECOND);
    const moved = { ...pagination, total_count: pagination.total_count + 1 };
    expect(await page('total')).toMatchObject({ data, pagination: moved });
    expect(await page('next')).toMatchObject({ data, pagination: { ...pagination, has_more: true, next_offset: 3 } });
  });

  it('keeps every number as it is spelled', async () => {
    const { body } = await spoil({ fault: 'page', as: 'next' }, HISTORY);
    const numbers = (text: string) => text.slice(text.indexOf('"data"')).match(/:-?\d[\d.]*/g);
    expect(numbers(body.toString())).toEqual(numbers((await good(HISTORY)).body.toString()));
  });
});

describe('a rule', () => {
  const status = async (server: { port: number }, path = HISTORY) => (await askRaw(server, path)).status;

  it('hits its path alone, under both addresses', async () => {
    const server = await spoiled([{ fault: 'error', path: '/v1/announcements/*' }]);
    expect([await status(server), await status(server, `/api${HISTORY}`), await status(server, '/v1/ping')]).toEqual([
      500, 500, 200,
    ]);
  });

  it('makes bursts', async () => {
    const server = await spoiled([{ fault: 'error', status: 503, skip: 1, times: 2, every: 4 }]);
    const seen: number[] = [];
    for (let i = 0; i < 8; i += 1) seen.push(await status(server, '/v1/ping'));
    expect(seen).toEqual([200, 503, 503, 200, 200, 503, 503, 200]);
  });
});

describe('a request that asks for a fault itself', () => {
  const ask = async (wish: string, allowsHeader = true) => {
    const { status, body } = await askRaw(await spoiled([], { allowsHeader }), '/v1/ping', { 'X-SVC-Fault': wish });
    return [status, JSON.parse(body.toString()).code];
  };

  it('gets it', async () => {
    expect(await ask('error; status=503, latency; ms=5')).toEqual([503, 'service_unavailable']);
  });

  it('is refused where the header says what no fault is', async () => {
    expect(await ask('error; status=200')).toEqual([400, 'bad_faults']);
  });

  it('is refused over real data', async () => {
    expect(await ask('error', false)).toEqual([400, 'faults_not_allowed']);
  });
});
