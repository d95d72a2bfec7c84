import { describe, expect, test } from 'vitest';
import { createClient } from '../../src/client/create.ts';
import { testPlatform } from '../support/platform.ts';
import { scriptUpstream } from '../support/upstream.ts';
import { BASE, endpoint, KEY } from './support.ts';

const PING = { endpoint: endpoint('ping'), args: {} };
const GOOD = { request: 'GET /v1/ping', body: { status: 'ok', service: 'x' } };

const MONTH_ENDS = Date.parse('2026-12-01');

/** What else a 429 says that asks for two seconds, so many milliseconds after the epoch. */
const REFUSALS: Readonly<Record<string, (now: number) => Readonly<Record<string, string>>>> = {
  'nothing else': () => ({}),
  'that the minute is spent': () => ({
    'ratelimit-limit': '300',
    'ratelimit-remaining': '0',
    'x-ratelimit-limit': '300',
    'x-ratelimit-remaining': '0',
    'x-ratelimit-window': 'minute',
  }),
  'the same in both ways': () => ({
    'ratelimit-limit': '300',
    'ratelimit-remaining': '0',
    'ratelimit-reset': '2',
    'x-ratelimit-limit': '300',
    'x-ratelimit-remaining': '0',
    'x-ratelimit-window': 'minute',
  }),
  'every window': (now) => ({
    'ratelimit-limit': '300',
    'ratelimit-remaining': '0',
    'ratelimit-reset': '2',
    'ratelimit-policy': `300;w=60, 5000;w=3600, 1000000;w=${(MONTH_ENDS - now) / 1000}`,
    'x-ratelimit-limit': '300',
    'x-ratelimit-remaining': '0',
    'x-ratelimit-window': 'minute',
  }),
  'when the minute ends': (now) => ({
    'ratelimit-limit': '300',
    'ratelimit-remaining': '0',
    'ratelimit-reset': `${60 - ((now / 1000) % 60)}`,
  }),
  'that the hour is spent': () => ({
    'ratelimit-limit': '300',
    'ratelimit-remaining': '299',
    'ratelimit-reset': '2',
    'x-ratelimit-limit': '5000',
    'x-ratelimit-remaining': '0',
    'x-ratelimit-window': 'hour',
  }),
};

describe.each(['05', '40', '57'])('at second %s of a minute', (second) => {
  test.each(Object.keys(REFUSALS))('two seconds are two seconds for a refusal that also says %s', async (said) => {
    const now = Date.parse(`2026-11-21T05:46:${second}Z`);
    const headers = { 'retry-after': '2', ...REFUSALS[said]?.(now) };
    const upstream = scriptUpstream([{ request: 'GET /v1/ping', status: 429, headers, body: '' }, GOOD, GOOD]);
    const { platform, clock } = testPlatform({ fetch: upstream.fetch, now });
    const client = createClient({ platform, baseUrl: BASE, key: KEY });
    expect((await client.ask(PING)).status).toBe(200);
    expect((await client.ask(PING)).status).toBe(200);
    expect(clock.slept).toEqual([2000]);
    upstream.verify();
  });
});
