import { expect, it } from 'vitest';
import { testPlatform } from '../support/platform.ts';
import { macro } from '../support/run.ts';
import { SERVICE_URL } from '../support/service.ts';

const KEY = 'k-very-secret-0123456789';

function world(fetch: () => Promise<Response>) {
  return testPlatform({ fetch, env: { MACRO_BASE_URL: SERVICE_URL, MACRO_API_KEY: KEY } });
}

it('records each request and its answer, without the key and without secrets', async () => {
  const answer = { status: 'ok', echo: KEY, secret: 'whsec_abc', nested: { signing_secret: 'x"y' } };
  const at = world(async () => Response.json(answer, { headers: { 'set-cookie': 'a=b' } }));
  await macro('api /v1/ping --trace out.har --quiet', at);
  const text = at.platform.files.readText(`${at.folder}/out.har`);
  expect(text).not.toMatch(new RegExp(`${KEY}|whsec_abc|x\\\\\\\\"y|a=b`));
  const { log } = JSON.parse(text);
  expect([log.version, log.creator.name, log.entries.length]).toEqual(['1.2', 'macro', 1]);
  const [{ request, response, startedDateTime }] = log.entries;
  expect([request.method, new URL(request.url).pathname, startedDateTime]).toEqual([
    'GET',
    '/v1/ping',
    '2026-11-21T05:46:13.000Z',
  ]);
  expect(request.headers).toContainEqual({ name: 'x-api-key', value: 'redacted' });
  expect(response.status).toBe(200);
  expect(JSON.parse(response.content.text)).toMatchObject({
    status: 'ok',
    secret: 'redacted',
    nested: { signing_secret: 'redacted' },
  });
  expect(at.platform.files.mode(`${at.folder}/out.har`)).toBe(0o600);
});

it('records a request that nobody answered', async () => {
  const at = world(() => Promise.reject(new Error('connect ECONNREFUSED')));
  expect((await macro('ping --trace out.har --quiet', at)).code).toBe(6);
  const { entries } = JSON.parse(at.platform.files.readText(`${at.folder}/out.har`)).log;
  expect(entries.length).toBe(4);
  expect(entries[0].response).toMatchObject({ status: 0, _error: 'connect ECONNREFUSED' });
});

it('records nothing without the option', async () => {
  const at = world(async () => Response.json({ status: 'ok' }));
  await macro('ping --quiet', at);
  expect(at.platform.files.exists(`${at.folder}/out.har`)).toBe(false);
});
