import { Agent, request } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { ANSWERED } from '../support/answered.ts';
import fc, { draws } from '../support/properties.ts';
import { KEY, serveScripted } from './scripted-source.ts';

const words = ANSWERED.flatMap(({ at, query }) =>
  Object.values({ ...at, ...query }).flatMap(({ words: known }) => known.slice(0, 5)),
);
const nasty = [
  ...words,
  '',
  ' ',
  '0',
  '-1',
  '1e9',
  '+5',
  '99999999999999999999',
  'NaN',
  'null',
  'true',
  '2026-02-30',
  '2026-01-01',
  '9999-12-31',
  '2026-01-01T00:00:00+99:99',
  'Europe/London',
  '../../etc/passwd',
  "' or 1=1 --",
  '\u0000',
  '\u202e',
  '%',
  '__proto__',
  'constructor',
  'a,b,,a',
  'a'.repeat(3_000),
];
const value = fc.oneof(fc.constantFrom(...nasty), fc.string({ unit: 'binary', maxLength: 40 }));
const anyEndpoint = fc.constantFrom(...ANSWERED);

/** Every documented status; never a 500. */
const LEGAL = [200, 304, 400, 401, 404, 414, 422];

test('no value of any parameter of any endpoint makes a 500, and every answer is JSON', async () => {
  const { app } = await serveScripted({ quotas: false });
  const property = fc.asyncProperty(
    anyEndpoint.chain((endpoint) =>
      fc.record({
        endpoint: fc.constant(endpoint),
        at: fc.array(value, { minLength: 3, maxLength: 3 }),
        query: fc.array(fc.tuple(fc.constantFrom('odd', 'api_key', ...Object.keys(endpoint.query)), value), {
          maxLength: 6,
        }),
        keyed: fc.boolean(),
        useExample: fc.boolean(),
      }),
    ),
    async ({ endpoint, at, query, keyed, useExample }) => {
      let place = 0;
      const path = endpoint.path.replace(/\{([^}]+)\}/g, (_all, name: string) => {
        const text = useExample ? (endpoint.doc.example[name] ?? '') : (at[place++] ?? '');
        return encodeURIComponent(text.toWellFormed());
      });
      const asked = query.map(([name, text]): [string, string] => [name, text.toWellFormed()]);
      const response = await app.inject({
        url: `${path}?${new URLSearchParams(asked)}`,
        headers: keyed ? KEY : {},
      });
      expect(LEGAL).toContain(response.statusCode);
      expect(() => response.json()).not.toThrow();
      expect(response.headers).not.toHaveProperty('access-control-allow-origin');
    },
  );
  await fc.assert(property, { numRuns: draws(300) });
});

test('raw addresses, whatever their signs, never make a 500', async () => {
  const { app } = await serveScripted({ quotas: false });
  const { port } = new URL(await app.listen(0, '127.0.0.1'));
  const agent = new Agent({ keepAlive: true });
  onTestFinished(async () => {
    agent.destroy();
    await app.close();
  });
  const sign = fc.constantFrom(...'/%?&=.:;,{}<>*#@!$+-_~^|\\"\'aZ09\u00e9');
  const part = fc.oneof(fc.constantFrom('/v1/', '/api/v1/', 'forex/EUR/USD', 'calendar/usd', '%zz', '%00', '//'), sign);
  const property = fc.asyncProperty(fc.array(part, { maxLength: 20 }), fc.boolean(), async (parts, keyInQuery) => {
    const path = `/${parts.join('')}${keyInQuery ? '?api_key=a' : ''}`;
    const status = await new Promise((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port, path, agent }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode));
      });
      sent.on('error', reject).end();
    });
    expect(LEGAL).toContain(status);
  });
  await fc.assert(property, { numRuns: draws(200) });
});

test('headers that steer an answer never make a 500', async () => {
  const { app } = await serveScripted();
  const text = fc.string({ unit: fc.constantFrom(...' \t"W/*,;=q01.gzipabearB\u00e9'), maxLength: 60 });
  const headers = fc.record(
    { 'if-none-match': text, 'accept-encoding': text, 'x-api-key': text, authorization: text },
    { requiredKeys: [] },
  );
  const property = fc.asyncProperty(headers, async (sent) => {
    const response = await app.inject({ url: '/v1/calendar/usd', headers: sent });
    expect([200, 304, 401, 429]).toContain(response.statusCode);
  });
  await fc.assert(property, { numRuns: draws(200) });
});
