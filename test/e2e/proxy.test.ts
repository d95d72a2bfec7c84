import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { ensureBuilt, PROGRAM } from '../support/built.ts';
import { API_CERTIFICATE, API_CERTIFICATE_KEY } from '../support/certificate.ts';
import { startConnectProxy } from '../support/connect-proxy.ts';
import { freshFolder } from '../support/platform.ts';

const BASE = 'https://api.macro.test';
const KEY = 'canary-4f1c9e7b-never-to-be-seen';

beforeAll(ensureBuilt);

/** A service with a certificate of its own, behind a proxy that alone knows where it is. */
async function behindProxy(status = 200) {
  const asked: string[] = [];
  const server = createServer({ cert: API_CERTIFICATE, key: API_CERTIFICATE_KEY }, (request, response) => {
    asked.push(`${request.url} ${keyOf(request)}`);
    if (request.url?.startsWith('/v1/stream')) response.writeHead(204).end();
    else if (request.url?.startsWith('/v1/ping')) response.end('{"status":"ok","service":"x"}');
    else response.end('{"count":0,"data":[],"has_more":false}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const proxy = await startConnectProxy(() => (typeof address === 'object' ? (address?.port ?? 0) : 0), status);
  return { proxy, asked };
}

const keyOf = ({ headers }: IncomingMessage) => `${headers['x-api-key']} ${headers['proxy-authorization']}`;

async function run(words: string, env: Record<string, string>) {
  const folder = freshFolder();
  const authority = join(folder, 'ca.pem');
  writeFileSync(authority, API_CERTIFICATE);
  const child = spawn(process.execPath, [PROGRAM, ...words.split(' ')], {
    env: { MACRO_HOME: folder, MACRO_BASE_URL: BASE, MACRO_API_KEY: KEY, NODE_EXTRA_CA_CERTS: authority, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { out: '', err: '' };
  child.stdout.on('data', (text) => {
    said.out += text;
  });
  child.stderr.on('data', (text) => {
    said.err += text;
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  return { code, ...said };
}

describe('a proxy of the environment', () => {
  it.each(['HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'all_proxy'])('%s is used, and sees no key', async (name) => {
    const { proxy, asked } = await behindProxy();
    const { code, out, err } = await run('ping --verbose --format json', {
      [name]: `http://desk:pa%24s@${proxy.host}`,
    });
    expect({ code, body: JSON.parse(out) }).toEqual({ code: 0, body: { status: 'ok', service: 'x' } });
    // printf 'desk:pa$s' | base64
    expect(proxy.seen).toEqual(['CONNECT api.macro.test:443 Basic ZGVzazpwYSRz']);
    expect(asked).toEqual([`/v1/ping ${KEY} undefined`]);
    expect(err).toContain(`${BASE} is asked through the proxy http://${proxy.host} (${name})`);
    expect(err).not.toMatch(/pa(%24|\$)s|canary/);
  });

  it('carries the stream too', async () => {
    const { proxy, asked } = await behindProxy();
    const { code } = await run('stream --live-only --no-fetch', { HTTPS_PROXY: proxy.host });
    expect([code, asked.filter((line) => line.startsWith('/v1/stream'))]).toEqual([0, [expect.stringContaining(KEY)]]);
    expect(new Set(proxy.seen)).toEqual(new Set(['CONNECT api.macro.test:443']));
  });

  it('that refuses is named, without what is private, after one try', async () => {
    const { proxy } = await behindProxy(407);
    const { code, err } = await run('ping', { HTTPS_PROXY: `http://desk:pa%24s@${proxy.host}` });
    expect([code, err.split('\n')[0]]).toEqual([
      6,
      `macro: Cannot reach ${BASE} through the proxy http://${proxy.host} (HTTPS_PROXY): it answered 407.`,
    ]);
    expect(proxy.seen).toHaveLength(1);
  });

  it.each(['socks5://127.0.0.1:1080', 'ftp://127.0.0.1'])('%s is exit 2', async (address) => {
    const { code, err } = await run('ping', { ALL_PROXY: address });
    const [scheme] = address.split(':');
    expect([code, err.split('\n')[0]]).toEqual([
      2,
      `macro: ALL_PROXY names a proxy of the kind ${scheme}://, which macro cannot speak to.`,
    ]);
  });
});
