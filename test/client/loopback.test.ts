import { createServer, type IncomingMessage } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { createClient } from '../../src/client/create.ts';
import { nodePlatform } from '../../src/platform/node.ts';
import { testClock } from '../support/clock.ts';
import { type Handler, startLoopback } from '../support/loopback.ts';
import { seededRandom } from '../support/platform.ts';
import { collect, days, endpoint, failure, KEY, SENTIMENT, WINDOW } from './support.ts';

const PING = { endpoint: endpoint('ping'), args: {} };
const BODY = JSON.stringify({ status: 'ok', service: 'x', filler: 'ä'.repeat(50_000) });
const JSON_TYPE = { 'content-type': 'application/json' };

/** A port of this machine that somebody has just given back. */
async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('A server on TCP has a port');
  return address.port;
}

/** The real fetch, with pauses that take no time. */
async function clientFor(handler: Handler, options: { key?: string; deadline?: number } = {}) {
  let requests = 0;
  const origin = await startLoopback((request, response) => {
    requests += 1;
    handler(request, response);
  });
  const platform = { fetch: nodePlatform().fetch, clock: testClock(0), random: seededRandom(1) };
  return { client: createClient({ platform, baseUrl: origin, ...options }), origin, requests: () => requests };
}

describe('over a real connection', () => {
  test('a compressed answer arrives whole', async () => {
    let accepted: string | undefined;
    const { client } = await clientFor((request, response) => {
      accepted = String(request.headers['accept-encoding']);
      response.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' }).end(gzipSync(BODY));
    });
    expect((await client.ask(PING)).body).toBe(BODY);
    expect(accepted).toBe('gzip');
  });

  test('an unchanged answer is a 304 without a body', async () => {
    const { client } = await clientFor((request, response) => {
      const isSame = request.headers['if-none-match'] === 'W/"1"';
      response.writeHead(isSame ? 304 : 200, { etag: 'W/"1"' }).end(isSame ? undefined : BODY);
    });
    const { etag } = await client.ask(PING);
    expect(await client.ask({ ...PING, ifNoneMatch: etag ?? '' })).toMatchObject({ status: 304, body: '' });
  });

  test.each<[string, Handler]>([
    [
      'compressed and cut off, with an honest end',
      (_, response) => {
        const zipped = gzipSync(BODY);
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(zipped.subarray(0, zipped.length / 2));
      },
    ],
    [
      'shorter than announced',
      (_, response) => {
        response.writeHead(200, { 'content-length': '5000' });
        response.write(BODY.slice(0, 100));
        setImmediate(() => response.destroy());
      },
    ],
    [
      'reset after some bytes',
      (_, response) => {
        response.writeHead(200, JSON_TYPE);
        response.write(BODY.slice(0, 2000), () => response.socket?.resetAndDestroy());
      },
    ],
    ['reset before any byte', (_, response) => void response.socket?.resetAndDestroy()],
    ['nothing at all', (_, response) => void response.writeHead(200, JSON_TYPE).end()],
  ])('an answer that is %s is an upstream error after four tries', async (_, handler) => {
    const { client, requests } = await clientFor(handler);
    expect(await failure(client.ask(PING))).toMatchObject({
      kind: 'upstream',
      message: expect.stringContaining('Tried 4 times.'),
    });
    expect(requests()).toBe(4);
  });

  test('an answer that breaks once is asked for again', async () => {
    let tries = 0;
    const { client } = await clientFor((_, response) => {
      tries += 1;
      if (tries === 1) response.socket?.destroy();
      else response.end(BODY);
    });
    expect((await client.ask(PING)).body).toBe(BODY);
  });

  test('a small body that unfolds to more than 64 MiB is stopped', async () => {
    // Ten members of a gzip stream are one body: 80 MiB from 80 KiB.
    const bomb = Buffer.concat(Array.from({ length: 10 }, () => gzipSync(Buffer.alloc(8 * 1024 * 1024, 32))));
    const { client, requests } = await clientFor((_, response) => {
      response.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' }).end(bomb);
    });
    expect(await failure(client.ask(PING))).toMatchObject({
      kind: 'protocol',
      code: 'body_too_large',
      message: 'The service answered with more than 64 MiB, which is more than we read.',
    });
    expect(requests()).toBe(1);
  });

  test('an answer that dribbles does not outlast the deadline', async () => {
    const { client, requests } = await clientFor(
      (_, response) => {
        response.writeHead(200, JSON_TYPE);
        const drops = setInterval(() => response.write(' '), 5);
        response.on('close', () => clearInterval(drops));
      },
      // Long enough for a busy machine to have sent the request.
      { deadline: 1000 },
    );
    expect(await failure(client.ask(PING))).toMatchObject({ kind: 'upstream', code: 'timeout' });
    expect(requests()).toBe(1);
  });

  test('a web page instead of data is refused at once', async () => {
    const { client, requests } = await clientFor((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Welcome to the Wi-Fi</html>');
    });
    expect(await failure(client.ask(PING))).toMatchObject({ kind: 'protocol', code: 'not_json' });
    expect(requests()).toBe(1);
  });

  test('a port where nobody listens is said in words', async () => {
    const platform = { fetch: nodePlatform().fetch, clock: testClock(0), random: seededRandom(1) };
    const client = createClient({ platform, baseUrl: `http://127.0.0.1:${await closedPort()}` });
    expect(await failure(client.ask(PING))).toMatchObject({ kind: 'upstream', code: 'network' });
  });

  test('a caller who stops while the body arrives is interrupted', async () => {
    const stop = new AbortController();
    const { client } = await clientFor((_, response) => {
      response.writeHead(200, JSON_TYPE);
      response.write('{"status":', () => setImmediate(() => stop.abort()));
    });
    expect(await failure(client.ask({ ...PING, signal: stop.signal }))).toMatchObject({ kind: 'interrupted' });
  });

  test('a walk over pages gives every row', async () => {
    const rows = days(0, 45);
    const { client, requests } = await clientFor((request, response) => {
      const query = new URL(request.url ?? '', 'http://h').searchParams;
      const offset = Number(query.get('offset') ?? 0);
      const data = rows.slice(offset, offset + 20);
      const end = offset + data.length;
      const has_more = end < rows.length;
      const pagination = { has_more, total_count: rows.length, ...(has_more && { next_offset: end }) };
      response
        .writeHead(200, { 'content-encoding': 'gzip' })
        .end(gzipSync(JSON.stringify({ ...WINDOW, data, pagination })));
    });
    const pages = await collect(client.pages({ endpoint: SENTIMENT, args: { limit: 20 } }));
    expect(pages.flatMap((page) => page.cut.rows.map((row) => row.value))).toEqual(rows);
    expect(requests()).toBe(3);
  });
});

describe('redirects', () => {
  test('inside the origin are followed, with the key', async () => {
    const keys: unknown[] = [];
    const { client } = await clientFor(
      (request, response) => {
        keys.push(request.headers['x-api-key']);
        if (request.url === '/v1/ping') response.writeHead(308, { location: '/moved/ping' }).end();
        else response.end(BODY);
      },
      { key: KEY },
    );
    expect((await client.ask(PING)).request).toBe('GET /v1/ping');
    expect(keys).toEqual([KEY, KEY]);
  });

  test.each([301, 302, 303, 307, 308])(
    'a %d to another origin is not followed, with or without the key',
    async (status) => {
      const arrived: unknown[] = [];
      const elsewhere = await startLoopback((request, response) => {
        arrived.push(request.headers);
        response.end(BODY);
      });
      const { client, requests } = await clientFor(
        (_, response) => void response.writeHead(status, { location: `${elsewhere}/v1/ping?token=t` }).end(),
        { key: KEY },
      );
      expect(await failure(client.ask(PING))).toMatchObject({
        kind: 'upstream',
        code: 'redirect_refused',
        message: expect.stringContaining(`to another place, ${elsewhere}, which was not followed`),
      });
      expect(arrived).toEqual([]);
      expect(requests()).toBe(1);
    },
  );

  test('five are followed, a sixth is not', async () => {
    const chain =
      (length: number): Handler =>
      (request, response) => {
        const step = Number(/\d+$/.exec(request.url ?? '')?.[0] ?? 0);
        if (step < length) response.writeHead(302, { location: `/step/${step + 1}` }).end();
        else response.end(BODY);
      };
    const short = await clientFor((request, response) => chain(5)(withoutVersion(request), response));
    expect((await short.client.ask(PING)).status).toBe(200);
    const long = await clientFor((request, response) => chain(6)(withoutVersion(request), response));
    expect(await failure(long.client.ask(PING))).toMatchObject({
      kind: 'upstream',
      message: expect.stringContaining('more than 5 times'),
    });
    expect(long.requests()).toBe(6);
  });

  test.each([
    ['no address', {}],
    ['an address with a password', { location: 'http://user:pass@127.0.0.1:PORT/' }],
    ['something else', { location: 'http://[' }],
    ['another protocol', { location: 'file:///etc/passwd' }],
  ])('with %s are refused', async (_, headers: { location?: string }) => {
    const { client } = await clientFor((request, response) => {
      const location = headers.location?.replace('127.0.0.1:PORT', String(request.headers.host));
      response.writeHead(302, location ? { location } : {}).end();
    });
    const error = await failure(client.ask(PING));
    expect(error).toMatchObject({ kind: 'upstream', code: 'redirect_refused' });
    expect(error.message).not.toContain('pass@');
  });
});

/** `/v1/ping` is step 0 of a chain. */
function withoutVersion(request: IncomingMessage): IncomingMessage {
  if (request.url === '/v1/ping') request.url = '/step/0';
  return request;
}
