import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { MacroError } from '../../src/errors.ts';
import type { ServeOptions } from '../../src/serve/options.ts';
import { testPlatform } from '../support/platform.ts';
import { KEY, keyedLimits, keylessLimits, serveScripted } from './scripted-source.ts';

/** A server behind a socket, whose answers are read only when the test does. */
async function listening(options: Partial<ServeOptions> = {}) {
  // The clock stands still, else an hour passes and the streams end.
  const bench = await serveScripted(options, { platform: testPlatform({ sleeping: 'waits' }).platform });
  bench.source.says(() => {
    throw new MacroError('notFound', 'Nothing is stored.', { status: 404 });
  });
  onTestFinished(() => bench.app.close());
  onTestFinished(() => bench.app.cut());
  const address = await bench.app.listen(0, '127.0.0.1');
  const open = async (path: string, headers: Record<string, string>): Promise<IncomingMessage> => {
    const asking = get(`${address}${path}`, { headers, agent: false });
    asking.on('error', () => undefined);
    onTestFinished(() => void asking.destroy());
    const [answer] = (await once(asking, 'response')) as [IncomingMessage]; // what a request's response event carries
    answer.on('error', () => undefined);
    return answer;
  };
  const stream = (headers: Record<string, string>) => open('/v1/stream/events', headers);
  return { ...bench, open, stream };
}

const statusOf = ({ statusCode }: IncomingMessage) => statusCode;

// See docs/interface-access.md#concurrency.
test.each([
  ['one key', KEY, 20, keyedLimits(20)],
  ['one address without a key', {}, 2, keylessLimits(2)],
] as const)('%s has so many streams at a time; the next waits until one ends', async (_who, headers, slots, limits) => {
  const { stream, open } = await listening();
  const streams: IncomingMessage[] = [];
  for (let i = 0; i < slots; i += 1) streams.push(await stream(headers));
  expect(streams.map(statusOf)).toEqual(Array(slots).fill(200));
  const refused = await stream(headers);
  expect([refused.statusCode, await json(refused)]).toEqual([
    429,
    {
      detail: `More than ${slots} requests at the same time.`,
      code: 'rate_limit_exceeded',
      error: 'rate_limit_exceeded',
      window: 'concurrency',
      limit: slots,
      retry_after: 1,
    },
  ]);
  expect(refused.headers).toMatchObject({
    ...limits,
    'retry-after': '1',
    'ratelimit-reset': '1',
    'x-ratelimit-limit': String(slots),
    'x-ratelimit-remaining': '0',
    'x-ratelimit-window': 'concurrency',
  });
  expect(statusOf(await open('/v1/calendar/usd', headers))).toBe(429);
  expect(statusOf(await stream({ 'x-api-key': 'another' }))).toBe(200);
  streams[0]?.destroy();
  await expect.poll(async () => statusOf(await stream(headers))).toBe(200);
});

test('a request holds its slot until the last byte of its answer is taken', async () => {
  const { open, source } = await listening();
  source.says(() => ({ body: { text: 'x'.repeat(20_000_000) }, etag: null }));
  const unread = [await open('/v1/calendar/usd?n=1', {}), await open('/v1/calendar/usd?n=2', {})];
  expect(unread.map(statusOf)).toEqual([200, 200]);
  expect(statusOf(await open('/v1/calendar/usd?n=3', {}))).toBe(429);
  source.says(() => ({}));
  unread[0]?.resume();
  await expect.poll(async () => statusOf(await open('/v1/calendar/usd?n=4', {}))).toBe(200);
});

test.each([{ quotas: false }, { open: true }])('with %o there is no such limit', async (options) => {
  const { stream } = await listening(options);
  const streams: IncomingMessage[] = [];
  for (let i = 0; i < 21; i += 1) streams.push(await stream(KEY));
  for (let i = 0; i < 3; i += 1) streams.push(await stream({}));
  expect(streams.map(statusOf)).toEqual(Array(24).fill(200));
});
