import { expect, test } from 'vitest';
import { testPlatform } from '../support/platform.ts';
import { macro } from '../support/run.ts';
import { scriptUpstream } from '../support/upstream.ts';
import { KEY } from './support.ts';

const OFF = { NODE_TLS_REJECT_UNAUTHORIZED: '0' };
const PONG = { request: 'GET /v1/ping', body: { status: 'ok', service: 'x' } };

test('a key is not sent where certificates are not checked', async () => {
  const at = testPlatform({ env: { ...OFF, MACRO_API_KEY: KEY } });
  expect(await macro('ping --base-url https://api.example.test', at)).toEqual({
    code: 4,
    out: '',
    err:
      'macro: NODE_TLS_REJECT_UNAUTHORIZED=0 lets anybody on the way read the API key.\n' +
      'Unset it. For a certificate of your own give its authority: NODE_EXTRA_CA_CERTS=/path/to/ca.pem.\n',
  });
});

test.each([
  ['without a key', { ...OFF }, 'https://api.example.test'],
  ['with certificates checked', { NODE_TLS_REJECT_UNAUTHORIZED: '1', MACRO_API_KEY: KEY }, 'https://api.example.test'],
  ['to this machine without TLS', { ...OFF, MACRO_API_KEY: KEY }, 'http://127.0.0.1:8787'],
])('a request %s is sent', async (_, env, url) => {
  const upstream = scriptUpstream([PONG]);
  expect((await macro(`ping --base-url ${url}`, { env, fetch: upstream.fetch })).code).toBe(0);
  upstream.verify();
});
