import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { createWire } from '../../../src/client/http/wire.ts';
import { followStream } from '../../../src/client/stream/follow.ts';
import type { StreamMessage } from '../../../src/client/stream/messages.ts';
import { createNodeFetch } from '../../../src/platform/node-network.ts';
import { settle } from '../../support/clock.ts';
import { startLoopback } from '../../support/loopback.ts';
import { testPlatform } from '../../support/platform.ts';
import { argsFor, endpoint } from '../support.ts';

const STREAM = endpoint('stream_events');
const TYPE = { 'content-type': 'text/event-stream' };
const data = (n: number) => `{"event_id":"usd_gdp_${n}","currency":"usd","indicator":"gdp","timestamp":${n}}`;
const frame = (n: number) => `id: usd_gdp_${n}\ndata: ${data(n)}\n\n`;

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** Our client on real sockets, answered in turn, the last answer for ever; only its clock is the test's. */
async function follow(...answers: readonly Answer[]) {
  const requests: IncomingMessage[] = [];
  const origin = await startLoopback((request, response) => {
    const answer = answers[Math.min(requests.length, answers.length - 1)];
    requests.push(request);
    answer?.(request, response);
  });
  const { platform, clock } = testPlatform({ fetch: createNodeFetch(), sleeping: 'waits' });
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const following = followStream(
    { wire: createWire({ platform, baseUrl: origin, key: 'k' }), ...platform },
    { endpoint: STREAM, args: argsFor(STREAM, {}), signal: stop.signal },
  );
  const news: StreamMessage[] = [];
  const all = async () => {
    for await (const one of following) if (one.kind !== 'beat') news.push(one);
  };
  const ended = all().then(
    () => 'done',
    (error: unknown) => error,
  );
  /** Waits for so much news; pauses between connections pass by. */
  const until = async (count: number) => {
    for (let told = 0; news.length < count; ) {
      await settle();
      const isPause = news.length > told && news.at(-1)?.kind === 'lost';
      if (isPause) await clock.advance(10_000);
      told = news.length;
    }
    return news.map((one) => (one.kind === 'event' ? one.row.text : one.kind));
  };
  return { news, ended, until, requests, stop };
}

it('reads what comes in pieces, and comes back behind it after the socket was cut', async () => {
  const [first, second] = [frame(1), frame(2)];
  const { until, requests } = await follow(
    (_, response) => {
      response.writeHead(200, TYPE);
      response.write(first.slice(0, 20));
      response.write(first.slice(20) + second.slice(0, 30), () => response.destroy());
    },
    (_, response) => {
      response.writeHead(200, TYPE);
      response.write(second);
    },
  );
  expect(await until(5)).toEqual(['open', data(1), 'lost', 'open', data(2)]);
  expect(requests.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, 'usd_gdp_1']);
});

it('comes back after an end, and after a connection that was cut before its answer', async () => {
  const { until } = await follow(
    (_, response) => response.writeHead(200, TYPE).end(frame(1)),
    (request) => request.socket.destroy(),
    (_, response) => response.writeHead(200, TYPE).write(frame(2)),
  );
  expect(await until(6)).toEqual(['open', data(1), 'lost', 'lost', 'open', data(2)]);
});

it('stays in its origin, and ends with 204', async () => {
  const { ended, requests } = await follow(
    (_, response) => response.writeHead(307, { location: '/other' }).end(),
    (_, response) => response.writeHead(204).end(),
  );
  expect(await ended).toBe('done');
  expect(requests.map(({ url, headers }) => [url, headers['x-api-key']])).toEqual([
    ['/v1/stream/events?payload=compact&live_only=false', 'k'],
    ['/other', 'k'],
  ]);
});

it('gives its socket back when it is stopped', async () => {
  const closed = Promise.withResolvers<void>();
  const { until, stop, ended } = await follow((request, response) => {
    response.writeHead(200, TYPE).write(frame(1));
    request.socket.on('close', () => closed.resolve());
  });
  await until(2);
  stop.abort(new Error('enough'));
  expect(await ended).toEqual(new Error('enough'));
  await closed.promise;
});
