import { request } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ENDPOINTS } from '../../src/endpoints/index.ts';
import { parseKeys } from '../../src/serve/keys.ts';
import type { ServeOptions } from '../../src/serve/options.ts';
import { startServe } from '../../src/serve/start.ts';
import { createMirrorSource } from '../../src/source/mirror.ts';
import { testPlatform } from '../support/platform.ts';
import { freshMirror, LABELS } from '../support/service.ts';

async function started(options: Partial<ServeOptions> = {}): Promise<string> {
  const { platform } = testPlatform();
  const mirror = await freshMirror(platform);
  const source = createMirrorSource({ mirror, labels: LABELS });
  const parts = { source, mirror, endpoints: ENDPOINTS, platform, options: { labels: LABELS, ...options } };
  const server = await startServe({ ...parts, port: 0 });
  onTestFinished(() => server.close());
  return server.address;
}

function statusFor(address: string, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const asking = request(`${address}/v1/ping`, { headers: { host } }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    asking.on('error', reject);
    asking.end();
  });
}

describe('a server on loopback', () => {
  it('answers to names of its own machine and to no other, so that no web page can point its name here', async () => {
    const address = await started();
    for (const host of ['127.0.0.1', 'localhost:8787', '[::1]:80']) expect(await statusFor(address, host)).toBe(200);
    for (const host of ['evil.example', '127.0.0.1.evil.example', 'localhost.evil.example:8787'])
      expect(await statusFor(address, host)).toBe(403);
  });

  it('answers to any name where only listed keys are good', async () => {
    const address = await started({ keys: parseKeys('secret-key individual desk\n') });
    expect(await statusFor(address, 'mirror.example')).toBe(200);
  });
});
