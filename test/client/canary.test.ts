import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { createClient } from '../../src/client/create.ts';
import { testPlatform } from '../support/platform.ts';
import { BASE, endpoint, KEY, SENTIMENT } from './support.ts';

/** Everything that a service could answer to make a key show up, the key echoed wherever it can be. */
const ECHO = { detail: `Bad key ${KEY}`, code: KEY, error: KEY, [KEY]: KEY, nested: [{ [KEY]: `x${KEY}y` }] };
const FINDING = { detail: [{ loc: ['header', KEY], msg: KEY, type: KEY, input: KEY, ctx: { [KEY]: KEY } }] };
const HEADERS = {
  'x-request-id': 'r',
  deprecation: 'true',
  link: `<https://h.example/${KEY}>; rel="successor-version"`,
};

const answers: readonly [string, () => Response][] = [
  ...[400, 401, 403, 404, 405, 409, 413, 418, 422, 429, 500, 503].flatMap((status): [string, () => Response][] => [
    [`${status}`, () => Response.json(ECHO, { status, headers: HEADERS })],
    [`${status} with findings`, () => Response.json(FINDING, { status, headers: HEADERS })],
  ]),
  ['200 with an error', () => Response.json(ECHO)],
  ['200 about another currency', () => Response.json({ currency: KEY, data: [] })],
  ['200 that is no JSON', () => new Response(`<html>${KEY}</html>`)],
  ['200 that is cut off', () => new Response(`{"x":"${KEY}`)],
  ['200 with a note', () => Response.json({ currency: 'USD', data: [] }, { headers: HEADERS })],
  ['a redirect', () => new Response(null, { status: 302, headers: { location: `https://h.example/?k=${KEY}` } })],
  ['a request id', () => Response.json({}, { status: 500, headers: { 'x-request-id': KEY } })],
];

describe('a key shows up nowhere but in its header', () => {
  test.each(answers)('after %s', async (_, answer) => {
    const urls: string[] = [];
    const notes: string[] = [];
    const { platform } = testPlatform({
      fetch: async (url, init) => {
        urls.push(url);
        expect(new Headers(init.headers).get('x-api-key')).toBe(KEY);
        return answer();
      },
    });
    const client = createClient({ platform, baseUrl: BASE, key: KEY, onWait: (wait) => notes.push(wait.reason) });
    const outcome = await client
      .ask({ endpoint: endpoint('calendar'), args: { currency: 'USD' } })
      .catch((error) => error);
    const seen = [
      inspect(outcome, { depth: 12, showHidden: true }),
      JSON.stringify(outcome),
      ...urls,
      ...notes,
      inspect(client),
    ];
    expect(seen.join('\n')).not.toContain(KEY);
  });

  test('nor is it sent when somebody puts it into an argument', async () => {
    const { platform } = testPlatform();
    const client = createClient({ platform, baseUrl: BASE, key: KEY });
    const outcome = await client.ask({ endpoint: SENTIMENT, args: {}, extra: { token: KEY } }).catch((error) => error);
    expect(outcome).toMatchObject({ kind: 'usage' });
    expect(inspect(outcome)).not.toContain(KEY);
  });
});
