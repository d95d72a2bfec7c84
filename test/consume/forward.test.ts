import { expect, it } from 'vitest';
import { forwardHandler } from '../../src/events/handlers.ts';
import { createNodeFetch } from '../../src/platform/node-network.ts';
import { startLoopback } from '../support/loopback.ts';
import { EVENT } from './event.ts';

it('posts the event as JSON with its id as the idempotency key, and nothing that lets somebody in', async () => {
  const seen: unknown[] = [];
  const origin = await startLoopback(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method, url, headers } = request;
    seen.push([
      method,
      url,
      headers['content-type'],
      headers['idempotency-key'],
      headers.authorization,
      headers['x-api-key'],
    ]);
    seen.push(Buffer.concat(chunks).toString('utf8'));
    response.writeHead(202).end();
  });
  expect(await forwardHandler(`${origin}/events?desk=1`, createNodeFetch())(EVENT)).toBeUndefined();
  expect(seen).toEqual([['POST', '/events?desk=1', 'application/json', EVENT.id, undefined, undefined], EVENT.text]);
});

it.each([301, 307, 400, 409, 429, 500, 503])('%d is a failure, and no redirect is followed', async (status) => {
  let asked = 0;
  const origin = await startLoopback((_, response) => {
    asked += 1;
    response.writeHead(status, { location: '/elsewhere' }).end('no');
  });
  expect(await forwardHandler(origin, createNodeFetch())(EVENT)).toBe(`${origin} answered ${status}`);
  expect(asked).toBe(1);
});

it('nobody there is a failure', async () => {
  const refused = () =>
    Promise.reject(new TypeError('fetch failed', { cause: Object.assign(new Error(), { code: 'ECONNREFUSED' }) }));
  expect(await forwardHandler('http://127.0.0.1:9/', refused)(EVENT)).toBe(
    'no answer from http://127.0.0.1:9: ECONNREFUSED',
  );
});

it.each(['nonsense', 'ftp://a.test', 'http://me:secret@a.test', 'file:///etc/passwd'])(
  '%s is no address, and is not repeated',
  (address) => {
    expect(() => forwardHandler(address, createNodeFetch())).toThrow(
      'The address of --forward is none that can be posted to.',
    );
  },
);
