import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createSecureServer } from 'node:http2';
import { join } from 'node:path';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { ensureBuilt, PROGRAM } from '../support/built.ts';
import { API_CERTIFICATE, API_CERTIFICATE_KEY } from '../support/certificate.ts';
import { startConnectProxy } from '../support/connect-proxy.ts';
import { freshFolder } from '../support/platform.ts';

beforeAll(ensureBuilt);

it('a service that speaks HTTP/2 alone is asked in it', async () => {
  const asked: string[] = [];
  const server = createSecureServer({ cert: API_CERTIFICATE, key: API_CERTIFICATE_KEY }, (request, response) => {
    asked.push(`${request.httpVersion} ${request.method} ${request.url}`);
    response.end('{"status":"ok","service":"x"}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  const proxy = await startConnectProxy(() => (typeof address === 'object' ? (address?.port ?? 0) : 0), 200);
  const folder = freshFolder();
  const authority = join(folder, 'ca.pem');
  writeFileSync(authority, API_CERTIFICATE);
  const words = ['ping', '--base-url', 'https://api.macro.test', '--format', 'json'];
  const child = spawn(process.execPath, [PROGRAM, ...words], {
    env: { MACRO_HOME: folder, NODE_EXTRA_CA_CERTS: authority, HTTPS_PROXY: `http://${proxy.host}` },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let out = '';
  child.stdout.on('data', (text) => {
    out += text;
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  expect({ code, body: JSON.parse(out) }).toEqual({ code: 0, body: { status: 'ok', service: 'x' } });
  expect(asked).toEqual(['2.0 GET /v1/ping']);
});
