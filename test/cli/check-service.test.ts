import { expect, it } from 'vitest';
import type { Fetch } from '../../src/platform/platform.ts';
import { testPlatform } from '../support/platform.ts';
import { macro } from '../support/run.ts';

const NOW = '2026-11-20T15:00:00Z';
const KEY = 'good-key-1234567890';
const ADDRESS = '--base-url https://svc.example';

/** A service that knows one key and tells what is left, whose clock shows some time. */
function service(date = NOW) {
  const seen: string[] = [];
  const fetch: Fetch = async (url, init) => {
    seen.push(`${init.method} ${url}`);
    const key = new Headers(init.headers).get('x-api-key');
    const headers = { date: new Date(date).toUTCString(), 'ratelimit-limit': '300', 'ratelimit-remaining': '299' };
    if (key === null || key === KEY) return Response.json({ status: 'ok', service: 'x' }, { headers });
    return Response.json({ detail: 'Unknown or revoked API key.', code: 'invalid_api_key' }, { status: 401, headers });
  };
  return { fetch, seen };
}

it('init asks the service once and says what it found', async () => {
  const { fetch, seen } = service();
  const { code, err } = await macro(`init ${ADDRESS} --key-stdin --yes`, testPlatform({ now: NOW, fetch, stdin: KEY }));
  expect([code, seen]).toEqual([0, ['GET https://svc.example/v1/ping']]);
  expect(err).toContain('note: https://svc.example answers, the key is accepted, 299 of 300 requests are left.\n');
  expect(err).not.toContain(KEY);
});

it('init without a key says what follows from having none', async () => {
  const { err } = await macro(`init ${ADDRESS} --yes`, testPlatform({ now: NOW, fetch: service().fetch }));
  expect(err).toContain(
    'note: https://svc.example answers, without a key it tells USD of the last 90 days only, 299 of',
  );
});

it('init asks with the key that questions would be asked with, and leaves it where it is', async () => {
  const of = (MACRO_API_KEY: string) => testPlatform({ now: NOW, fetch: service().fetch, env: { MACRO_API_KEY } });
  const good = of(KEY);
  const { code, err } = await macro(`init ${ADDRESS} --yes`, good);
  expect([code, err]).toEqual([
    0,
    expect.stringContaining(
      'note: https://svc.example answers, the key in MACRO_API_KEY is accepted, 299 of 300 requests are left.\n',
    ),
  ]);
  expect(err).not.toContain('without a key');
  const status = await macro(`auth status ${ADDRESS} --format json`, {
    ...good,
    platform: { ...good.platform, env: {} },
  });
  expect(JSON.parse(status.out).data[0].key).toBe('none');

  const refused = await macro(`init ${ADDRESS} --yes`, of('wrong-key-1234567890'));
  expect([refused.code, refused.err]).toEqual([
    0,
    expect.stringContaining('warning: https://svc.example refuses the key in MACRO_API_KEY: '),
  ]);
});

it('init asks with the key that is kept for the profile', async () => {
  const at = testPlatform({ now: NOW, fetch: service().fetch, stdin: KEY });
  await macro(`init ${ADDRESS} --key-stdin --yes`, at);
  const { err } = await macro(`init ${ADDRESS} --yes`, at);
  expect(err).toMatch(/note: https:\/\/svc\.example answers, the key in \S.* is accepted, 299 of 300/);
});

it('a key that the service refuses is exit 4 and is not kept', async () => {
  const at = testPlatform({ now: NOW, fetch: service().fetch, stdin: 'wrong-key-1234567890' });
  const { code, err } = await macro(`auth login ${ADDRESS}`, at);
  expect([code, err]).toEqual([
    4,
    expect.stringContaining('https://svc.example refuses this key, so it is not stored:'),
  ]);
  expect(JSON.parse((await macro(`auth status ${ADDRESS} --format json`, at)).out).data[0].key).toBe('none');
  expect((await macro(`init ${ADDRESS} --key-stdin --yes`, at)).code).toBe(4);
});

it('a service that does not answer is said, and what was typed is kept', async () => {
  const fetch = () => Promise.reject(new Error('connect ECONNREFUSED'));
  const at = testPlatform({ now: NOW, fetch, stdin: KEY });
  const { code, err } = await macro(`auth login ${ADDRESS}`, at);
  expect([code, err]).toEqual([
    0,
    expect.stringMatching(
      /^warning: https:\/\/svc\.example cannot be checked now: .+ macro doctor checks it again\.\n/,
    ),
  ]);
  expect(JSON.parse((await macro(`auth status ${ADDRESS} --format json`, at)).out).data[0].key).toBe('present');
});

it('a clock that is off is said', async () => {
  const at = testPlatform({ now: NOW, fetch: service('2026-11-20T14:50:00Z').fetch, stdin: KEY });
  expect((await macro(`auth login ${ADDRESS}`, at)).err).toContain(
    'warning: the clock of this machine is 600 s ahead of the service',
  );
});

it('--offline asks nobody', async () => {
  const { fetch, seen } = service();
  await macro(`auth login ${ADDRESS} --offline`, testPlatform({ now: NOW, fetch, stdin: 'wrong-key-1234567890' }));
  await macro(`init ${ADDRESS} --offline --yes`, testPlatform({ now: NOW, fetch }));
  expect(seen).toEqual([]);
});
