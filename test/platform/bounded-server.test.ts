import { once } from 'node:events';
import type { RequestListener, ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createBoundedServer, type ServerBounds } from '../../src/platform/bounded-server.ts';
import { testClock } from '../support/clock.ts';

const BOUNDS: ServerBounds = {
  connections: 2,
  unreadBytes: 1_000_000,
  headerBytes: 16_384,
  pipelined: 4,
  headersTime: 600_000,
  requestTime: 600_000,
  idle: 600_000,
  silence: 600_000,
};
const HEAD = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: keep-alive\r\n\r\n';
const GET = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
const CHUNKED = 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n';
const REFUSED =
  'HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nContent-Length: 88\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n{"detail":"The request is not HTTP.","code":"invalid_request","error":"invalid_request"}';

/** A server whose every answer is "ok" at once, unless the test answers by itself. */
async function start(
  bounds: Partial<ServerBounds> = {},
  handler: RequestListener = (_request, response) => ok(response),
) {
  const clock = testClock(0, 'waits');
  const server = createBoundedServer(handler, { bounds: { ...BOUNDS, ...bounds }, clock });
  const accepted: Socket[] = [];
  server.on('connection', (socket) => accepted.push(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo; // a listening TCP server has one
  return { server, clock, accepted, peer: () => peerOf(port) };
}

/** Without a date, which would differ each time. */
function ok(response: ServerResponse, body = 'ok'): void {
  response.sendDate = false;
  response.setHeader('Content-Length', body.length).setHeader('Connection', 'keep-alive').end(body);
}

async function peerOf(port: number) {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  onTestFinished(() => void socket.destroy());
  socket.setEncoding('latin1');
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  let isCut = false;
  socket.on('error', () => undefined);
  for (const event of ['end', 'close'])
    socket.on(event, () => {
      isCut = true;
    });
  await once(socket, 'connect');
  return {
    socket,
    say: (bytes: string) => void socket.write(bytes),
    /** What it was told, once that is so much. */
    async told(length: number): Promise<string> {
      while (text.length < length && !isCut) await Promise.race([once(socket, 'data'), once(socket, 'close')]);
      return text;
    },
    /** What it was told, once the server has ended or cut the connection. */
    async last(): Promise<string> {
      while (!isCut) await Promise.race([once(socket, 'end'), once(socket, 'close')]);
      return text;
    },
    get isCut() {
      return isCut;
    },
  };
}

const OK = `${HEAD}ok`;

test('at the limit the request that has been incomplete longest makes room', async () => {
  const { peer, accepted } = await start();
  const slow = await peer();
  slow.say('GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ');
  const later = await peer();
  later.say('GET /later');
  await expect.poll(() => accepted.length).toBe(2);
  const third = await peer();
  third.say(GET);
  expect([await third.told(OK.length), await slow.last(), later.isCut]).toEqual([OK, '', false]);
});

test('an idle connection makes room, and one whose request came since does not', async () => {
  const { peer } = await start();
  const [idle, busy] = [await peer(), await peer()];
  busy.say(GET);
  await busy.told(OK.length);
  idle.say(GET);
  await idle.told(OK.length);
  busy.say(GET);
  await busy.told(OK.length * 2);
  const third = await peer();
  third.say(GET);
  expect([await third.told(OK.length), await idle.last(), busy.isCut]).toEqual([OK, OK, false]);
});

test('who waits for the server is not cut: then the newcomer is', async () => {
  const waiting: ServerResponse[] = [];
  const { peer } = await start({}, (_request, response) => waiting.push(response));
  const peers = [await peer(), await peer()];
  for (const one of peers) one.say(GET);
  await expect.poll(() => waiting.length).toBe(2);
  expect(await (await peer()).last()).toBe('');
  for (const response of waiting) ok(response);
  expect(await Promise.all(peers.map((one) => one.told(OK.length)))).toEqual([OK, OK]);
});

test('requests of one connection are answered one after the other, in their order', async () => {
  const waiting: ServerResponse[] = [];
  const { peer } = await start({}, (_request, response) => waiting.push(response));
  const one = await peer();
  one.say(GET.repeat(3));
  let text = '';
  for (const body of ['a1', 'b2', 'c3']) {
    await expect.poll(() => waiting.length).toBe(1);
    for (const response of waiting.splice(0)) ok(response, body);
    text += HEAD + body;
    expect(await one.told(text.length)).toBe(text);
  }
});

test('a connection with more requests than may wait is cut', async () => {
  let asked = 0;
  const { peer } = await start({}, () => {
    asked += 1;
  });
  const [polite, flooding] = [await peer(), await peer()];
  polite.say(GET.repeat(4));
  await expect.poll(() => asked).toBe(1);
  flooding.say(GET.repeat(5));
  expect(await flooding.last()).toBe('');
  expect([asked, polite.isCut]).toEqual([2, false]);
});

test('of a packet with thousands of requests little is parsed once the connection is cut', async () => {
  let parsed = 0;
  const { server, peer } = await start({ pipelined: 32 }, () => undefined);
  server.on('request', () => {
    parsed += 1;
  });
  const flooding = await peer();
  flooding.say(GET.repeat(2_400));
  expect(await flooding.last()).toBe('');
  // What 2,048 bytes hold, behind the 33rd that cut it.
  expect(parsed).toBeLessThan(33 + 2_048 / GET.length);
});

test('who reads slowly gets every large answer that was asked for at once', async () => {
  const large = 'y'.repeat(500_000);
  const { peer } = await start({ pipelined: 200, unreadBytes: 500_000_000 }, (_request, response) =>
    ok(response, large),
  );
  const one = await peer();
  one.socket.pause();
  one.say(GET.repeat(120));
  await new Promise<void>((resolve) => setImmediate(resolve));
  one.socket.resume();
  const length = `Content-Length: ${large.length}`;
  const head = HEAD.replace('Content-Length: 2', length);
  const text = await one.told((head.length + large.length) * 120);
  expect([text.length, text.split(length).length - 1]).toEqual([(head.length + large.length) * 120, 120]);
});

test('answers that nobody reads are bounded: the peer that has not read for longest is cut', async () => {
  const large = 'x'.repeat(20_000_000);
  const { peer, accepted } = await start({ connections: 10, unreadBytes: 30_000_000 }, (request, response) =>
    ok(response, request.url === '/large' ? large : 'ok'),
  );
  for (let i = 0; i < 3; i += 1) {
    const one = await peer();
    one.socket.pause();
    one.say('GET /large HTTP/1.1\r\nHost: x\r\n\r\n');
    await expect.poll(() => accepted.length).toBe(i + 1);
  }
  const reading = await peer();
  reading.say(GET);
  expect(await reading.told(OK.length)).toBe(OK);
  expect(accepted.map(({ destroyed }) => destroyed)).toEqual([true, true, false, false]);
});

test('a peer that dribbles on after its 408 is cut', async () => {
  const { server, accepted, clock, peer } = await start({}, () => undefined);
  const slow = await peer();
  slow.say('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n');
  await expect.poll(() => accepted.length).toBe(1);
  const [socket] = accepted;
  server.emit('clientError', Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket);
  expect(await slow.last()).toMatch(/^HTTP\/1\.1 408 /);
  slow.say('x');
  expect([clock.sleepers, socket?.destroyed]).toEqual([1, false]);
  await clock.advance(1_000);
  expect(socket?.destroyed).toBe(true);
});

test('a body that breaks after the answer closes the connection, and nothing is appended', async () => {
  const { peer } = await start();
  const one = await peer();
  one.say(CHUNKED);
  expect(await one.told(OK.length)).toBe(OK);
  one.say('this is no chunk\r\n');
  expect(await one.last()).toBe(OK);
});

test('a body that breaks before the answer is refused, once', async () => {
  const waiting: ServerResponse[] = [];
  const { peer } = await start({}, (_request, response) => waiting.push(response));
  const one = await peer();
  one.say(CHUNKED);
  await expect.poll(() => waiting.length).toBe(1);
  one.say('this is no chunk\r\n');
  expect(await one.last()).toBe(REFUSED);
  for (const response of waiting) ok(response);
  expect(await one.last()).toBe(REFUSED);
});

test('what is broken behind requests is refused behind their answers', async () => {
  const waiting: ServerResponse[] = [];
  const { peer } = await start({}, (_request, response) => waiting.push(response));
  const one = await peer();
  one.say(`${GET}${GET}no HTTP\r\n\r\n`);
  for (let i = 0; i < 2; i += 1) {
    await expect.poll(() => waiting.length).toBe(1);
    for (const response of waiting.splice(0)) ok(response);
  }
  expect(await one.last()).toBe(OK + OK + REFUSED);
});
