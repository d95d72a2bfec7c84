import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { ENDPOINTS } from '../../src/endpoints/index.ts';
import type { ServerBounds } from '../../src/platform/bounded-server.ts';
import { parseKeys } from '../../src/serve/access/keys.ts';
import { startServe } from '../../src/serve/create.ts';
import type { ServeOptions } from '../../src/serve/options.ts';
import { testPlatform } from '../support/platform.ts';
import { LABELS, scriptedSource } from './scripted-source.ts';

interface Place {
  readonly port?: number;
  readonly host?: string;
}

async function start(place: Place = {}, options: Partial<ServeOptions> = {}, bounds: Partial<ServerBounds> = {}) {
  const source = scriptedSource();
  const running = await startServe({
    source,
    endpoints: ENDPOINTS,
    platform: testPlatform({ sleeping: 'waits' }).platform,
    options: { labels: LABELS, ...options },
    bounds,
    port: 0,
    ...place,
  });
  onTestFinished(() => running.close());
  return { source, ...running, port: Number(new URL(running.address).port) };
}

/** Everything that a server sends to these bytes until it closes the connection. */
function exchangeBytes(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.setEncoding('latin1');
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
  });
}

const CLOSE = 'Host: 127.0.0.1\r\nConnection: close\r\n';

test('a server listens on loopback and answers over a socket', async () => {
  const { address } = await start();
  expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  const response = await fetch(`${address}/v1/ping`);
  expect([response.status, await response.json()]).toEqual([200, { ok: true }]);
});

test.each(['0.0.0.0', '::', '192.168.1.4', '128.0.0.1', 'example.org'])(
  'listening on %s is refused without a list of keys, and with one when the server is open',
  async (host) => {
    await expect(start({ host })).rejects.toMatchObject({
      kind: 'usage',
      message: `Refused to listen on ${host}: others could read this mirror.`,
      hint: 'Say who may ask with --keys FILE, or listen on 127.0.0.1.',
    });
    const keys = parseKeys('alpha trial A');
    await expect(start({ host }, { keys: () => keys, open: true })).rejects.toMatchObject({ kind: 'usage' });
  },
);

test('with a list of keys any host may be listened on', async () => {
  const { port } = await start({ host: '0.0.0.0' }, { keys: () => parseKeys('alpha trial A') });
  expect((await fetch(`http://127.0.0.1:${port}/v1/ping`)).status).toBe(200);
});

test('a port that is taken is told with what to do', async () => {
  const { port } = await start();
  await expect(start({ port })).rejects.toMatchObject({
    kind: 'usage',
    message: `Port ${port} of 127.0.0.1 is taken by another program.`,
    hint: 'Choose another with --port; --port 0 takes any free one.',
  });
});

test('headers beyond 16 KiB are refused and the connection is closed', async () => {
  const { port } = await start();
  const told = await exchangeBytes(port, `GET /v1/ping HTTP/1.1\r\n${CLOSE}X-Long: ${'x'.repeat(20_000)}\r\n\r\n`);
  expect(told).toMatch(/^HTTP\/1\.1 431 /);
  expect(told).toMatch(
    /\r\n\r\n\{"detail":"The headers are too large\.","code":"header_too_large","error":"header_too_large"\}$/,
  );
});

test('an address of 9000 characters is refused', async () => {
  const { port } = await start();
  const told = await exchangeBytes(port, `GET /v1/ping?x=${'y'.repeat(9_000)} HTTP/1.1\r\n${CLOSE}\r\n`);
  expect(told).toMatch(/^HTTP\/1\.1 414 /);
  expect(told).toContain('"code":"uri_too_long"');
});

test.each([
  ['what is no HTTP', 'hello\r\n\r\n'],
  ['two lengths', `POST /v1/ping HTTP/1.1\r\n${CLOSE}Content-Length: 3\r\nContent-Length: 4\r\n\r\nabc`],
  [
    'a length beside chunks',
    `POST /v1/ping HTTP/1.1\r\n${CLOSE}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  ],
])('%s is refused as a bad request', async (_what, bytes) => {
  const { port, source } = await start();
  expect(await exchangeBytes(port, bytes)).toMatch(/^HTTP\/1\.1 400 /);
  expect(source.asked).toEqual([]);
});

test('an absolute address in the request line is a path like any other', async () => {
  const { port } = await start();
  const told = await exchangeBytes(port, `GET http://elsewhere.example/v1/ping HTTP/1.1\r\n${CLOSE}\r\n`);
  expect(told).toMatch(/^HTTP\/1\.1 200 /);
});

test('a HEAD leaves the connection usable', async () => {
  const { port } = await start();
  const told = await exchangeBytes(
    port,
    `HEAD /v1/ping HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nGET /v1/ping HTTP/1.1\r\n${CLOSE}\r\n`,
  );
  expect(told.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2);
  expect(told.match(/\{"ok":true\}/g)).toHaveLength(1);
});

test('closing answers what is under way, then refuses', async () => {
  const { address, source, close } = await start();
  let open = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  source.says(() => gate.then(() => ({})));
  const running = fetch(`${address}/v1/calendar/usd`);
  await expect.poll(() => source.asked.length).toBe(1);
  const closed = close();
  open();
  expect((await running).status).toBe(200);
  await closed;
  await expect(fetch(`${address}/v1/ping`)).rejects.toThrow();
});

test('a body that cannot be parsed after the answer was sent closes the connection: one answer to one request', async () => {
  const { port } = await start();
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk) => {
    if (text === '') socket.write('this is no chunk\r\n');
    text += chunk;
  });
  const ended = new Promise((resolve) => socket.on('end', resolve).on('error', resolve));
  socket.write('GET /v1/ping HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n');
  await ended;
  socket.destroy();
  expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200']);
  expect(text).toMatch(/\r\n\r\n\{"ok":true\}$/);
});

test('a keyed request that breaks in its body is told so with BYPASS', async () => {
  const { port } = await start();
  const bytes =
    'POST /v1/ping HTTP/1.1\r\nHost: 127.0.0.1\r\nX-API-Key: k\r\nTransfer-Encoding: chunked\r\n\r\nno chunk\r\n';
  expect(await exchangeBytes(port, bytes)).toMatch(/^HTTP\/1\.1 400 [^{]*\r\nX-SVC-Edge-Cache: BYPASS\r\n/);
});

test('peers whose requests do not get complete make room for one whose request is', async () => {
  const { address, port } = await start({}, {}, { connections: 3 });
  const cut: number[] = [];
  for (let i = 0; i < 6; i += 1) {
    const socket = connect(port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket.on('error', () => undefined).on('close', () => cut.push(i));
    await new Promise((resolve) => socket.once('connect', resolve));
    socket.write('GET /v1/ping HTTP/1.1\r\nX-Slow: ');
    expect((await fetch(`${address}/v1/ping`)).status).toBe(200);
  }
  await expect.poll(() => cut.length).toBeGreaterThanOrEqual(3);
  expect(cut.slice(0, 3)).toEqual([0, 1, 2]);
});
