import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecure } from 'node:https';
import { createServer as createRaw, type Server as NetServer } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import { nodePost } from '../../src/platform/node-network.ts';
import type { PostRequest } from '../../src/platform/platform.ts';
import { CERTIFICATE, CERTIFICATE_KEY } from '../support/certificate.ts';

const BODY = new TextEncoder().encode('{"id":"usd_gdp_1"}');

/** Listens on loopback until the test ends; gives the port. */
async function listening(server: NetServer): Promise<number> {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve());
  });
  onTestFinished(() => void server.close());
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}

const post = (url: string, changes: Partial<PostRequest> = {}) =>
  nodePost({
    url: new URL(url),
    addresses: ['127.0.0.1'],
    headers: { 'Content-Type': 'application/json' },
    body: BODY,
    connectTime: 5_000,
    totalTime: 5_000,
    answerBytes: 65_536,
    ...changes,
  });

/** Answers every request, and notes what it was. */
function noting(answer: RequestListener = (_, response) => response.end()) {
  const seen: unknown[] = [];
  const listener: RequestListener = (request, response) => {
    const chunks: Uint8Array[] = [];
    request.on('data', (chunk: Uint8Array) => chunks.push(chunk));
    request.on('end', () => {
      const { host, 'content-length': length } = request.headers;
      seen.push([request.method, request.url, host, length, Buffer.concat(chunks).toString()]);
      answer(request, response);
    });
  };
  return { seen, listener };
}

describe('a post', () => {
  it('goes to the address that was checked, under the name of the URL', async () => {
    const { seen, listener } = noting();
    const port = await listening(createServer(listener));
    expect(await post(`http://hooks.example.com:${port}/in?x=1`)).toEqual({
      status: 200,
      headers: expect.any(Headers),
    });
    expect(seen).toEqual([['POST', '/in?x=1', `hooks.example.com:${port}`, '18', '{"id":"usd_gdp_1"}']]);
  });

  it('follows no redirect', async () => {
    const { seen, listener } = noting((_, response) => response.writeHead(307, { Location: '/other' }).end());
    const port = await listening(createServer(listener));
    expect(await post(`http://hooks.example.com:${port}/in`)).toEqual({ status: 307, headers: expect.any(Headers) });
    expect(seen.length).toBe(1);
  });

  it('gives the headers of the answer', async () => {
    const { listener } = noting((_, response) => response.writeHead(429, { 'Retry-After': '30' }).end('later'));
    const port = await listening(createServer(listener));
    const { status, headers } = await post(`http://hooks.example.com:${port}/in`);
    expect([status, headers.get('retry-after')]).toEqual([429, '30']);
  });

  it('does not read an answer without end', async () => {
    const { listener } = noting((_, response) => {
      const more = () => response.destroyed || response.write('x'.repeat(8_192), () => setImmediate(more));
      more();
    });
    const port = await listening(createServer(listener));
    expect(await post(`http://hooks.example.com:${port}/in`)).toEqual({ status: 200, headers: expect.any(Headers) });
  });

  it('ends in time where nobody answers', async () => {
    const { listener } = noting(() => undefined);
    const server = createServer(listener);
    const port = await listening(server);
    const answer = post(`http://hooks.example.com:${port}/in`, { totalTime: 30 });
    await expect(answer).rejects.toMatchObject({ name: 'TimeoutError' });
    server.closeAllConnections();
  });

  it('ends in time where no connection comes to stand', async () => {
    const server = createRaw((socket) => socket.on('error', () => undefined).resume());
    const port = await listening(server);
    const answer = post(`https://hooks.example.com:${port}/in`, { connectTime: 30 });
    await expect(answer).rejects.toMatchObject({ name: 'TimeoutError', message: 'No connection in time' });
  });

  it('says what a connection died of', async () => {
    const server = createServer();
    const port = await listening(server);
    await new Promise((resolve) => server.close(resolve));
    await expect(post(`http://hooks.example.com:${port}/in`)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('is ended from outside', async () => {
    const { listener } = noting(() => undefined);
    const server = createServer(listener);
    const port = await listening(server);
    await expect(post(`http://hooks.example.com:${port}/in`, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: 'AbortError',
    });
  });

  it('trusts only a certificate of the name of the URL', async () => {
    const names: unknown[] = [];
    const { seen, listener } = noting();
    const server = createSecure({ cert: CERTIFICATE, key: CERTIFICATE_KEY }, listener);
    server.on('secureConnection', (socket) => names.push(socket.servername));
    const port = await listening(server);
    await expect(post(`https://hooks.example.com:${port}/in`)).rejects.toMatchObject({
      code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
    });
    const trusted = getCACertificates('default');
    setDefaultCACertificates([...trusted, CERTIFICATE]);
    onTestFinished(() => setDefaultCACertificates([...trusted]));
    await expect(post(`https://other.example.com:${port}/in`)).rejects.toMatchObject({
      code: 'ERR_TLS_CERT_ALTNAME_INVALID',
    });
    expect(seen).toEqual([]);
    expect(await post(`https://hooks.example.com:${port}/in`)).toEqual({ status: 200, headers: expect.any(Headers) });
    expect(names.at(-1)).toBe('hooks.example.com');
    expect(seen.length).toBe(1);
  });
});
