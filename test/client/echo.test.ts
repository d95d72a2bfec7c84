import { describe, expect, test } from 'vitest';
import { createClient } from '../../src/client/create.ts';
import { sendDirect } from '../../src/client/http/direct.ts';
import { createErase } from '../../src/client/http/scrub.ts';
import { createWire } from '../../src/client/http/wire.ts';
import { testPlatform } from '../support/platform.ts';
import { macro } from '../support/run.ts';
import { BASE, endpoint, KEY } from './support.ts';

const CALENDAR = { endpoint: endpoint('calendar'), args: { currency: 'USD' } };

/** A service that echoes the key in its rows and headers, written as it likes. */
function echoing(spelled: string) {
  const body = `{"currency":"USD","note":"for ${spelled}","data":[],"x":{"${spelled}":1.50}}`;
  const fetch = async () => new Response(body, { headers: { etag: `W/"${KEY}"`, 'x-echo': KEY } });
  return testPlatform({ fetch, env: { MACRO_API_KEY: KEY } });
}

const escaped = `\\u0063${KEY.slice(1, -1)}\\u006E`;

describe.each([KEY, escaped])('a body that echoes the key as %s', (spelled) => {
  const clean = '{"currency":"USD","note":"for [redacted]","data":[],"x":{"[redacted]":1.50}}';

  test('is handed on without it, and otherwise as it came', async () => {
    const client = createClient({ platform: echoing(spelled).platform, baseUrl: BASE, key: KEY });
    expect(await client.ask(CALENDAR)).toMatchObject({ body: clean, etag: 'W/"[redacted]"' });
  });

  test('is handed on without it to whoever asks by hand', async () => {
    const wire = createWire({ platform: echoing(spelled).platform, baseUrl: BASE, key: KEY });
    const reply = await sendDirect(wire, { method: 'GET', target: '/v1/anything' });
    expect([
      reply.body,
      new Headers(reply.headers.map(([name, value]): [string, string] => [name, value])).get('x-echo'),
    ]).toEqual([clean, '[redacted]']);
  });

  test('is printed and kept without it', async () => {
    const at = echoing(spelled);
    const live = await macro(`calendar usd --format json --base-url ${BASE}`, at);
    expect([live.code, live.out]).toEqual([0, `${clean}\n`]);
    const held = await macro('calendar usd --format json --offline', at);
    expect(`${held.out}${held.err}`).not.toContain('canary');
  });
});

test.each([
  ['short-key-1', '{"a":"short-key-1","b":"myshort-key-12"}', '{"a":"[redacted]","b":"myshort-key-12"}'],
  ['inflation', '{"indicator":"inflation"}', '{"indicator":"inflation"}'],
  ['policy_rate', '{"indicator":"policy_rate"}', '{"indicator":"policy_rate"}'],
  ['123456', '{"val":123456}', '{"val":123456}'],
  ['a"b/c\\d-0123456789', '{"k":"a\\"b\\/c\\\\d-0123456789"}', '{"k":"[redacted]"}'],
  ['key+with/signs=0123', '{"url":"/x?k=key%2Bwith%2Fsigns%3D0123"}', '{"url":"/x?k=[redacted]"}'],
])('the key %s makes of %s %s', (key, text, clean) => {
  expect(createErase(key)(text)).toBe(clean);
});
