import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ENDPOINTS } from '../../src/endpoints/index.ts';
import { parseKeys } from '../../src/serve/access/keys.ts';
import { startServe } from '../../src/serve/create.ts';
import type { ServeOptions } from '../../src/serve/options.ts';
import { createMirrorSource } from '../../src/source/mirror.ts';
import { testPlatform } from '../support/platform.ts';
import { freshMirror, LABELS } from '../support/service.ts';

async function started(options: Partial<ServeOptions> = {}, host = '127.0.0.1'): Promise<string> {
  const { platform } = testPlatform();
  const mirror = await freshMirror(platform);
  const source = createMirrorSource({ mirror, labels: LABELS });
  const parts = { source, mirror, endpoints: ENDPOINTS, platform, options: { labels: LABELS, ...options } };
  const server = await startServe({ ...parts, port: 0, host });
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

const LOOPBACK = ['127.0.0.1', '127.8.8.8:80', 'localhost:8787', 'LocalHost.', '[::1]:80'];
const FOREIGN = [
  'evil.example',
  '127.0.0.1.evil.example',
  'localhost.evil.example:8787',
  'mirror.example',
  '1.2.3.4.5',
];
const ADDRESSES = ['192.168.1.4:8787', '10.0.0.1', '[2001:db8::1]:8787', '[2001:db8::1]'];
const KEYS = { keys: () => parseKeys('secret-key individual desk\n') };

async function statuses(address: string, hosts: readonly string[]): Promise<readonly unknown[]> {
  return Promise.all(hosts.map(async (host) => [host, await statusFor(address, host)]));
}

const all = (hosts: readonly string[], status: number) => hosts.map((host) => [host, status]);

// See docs/interface.md#hosts: what a page of another site could have its name point at.
describe('the names under which a server may be asked', () => {
  it('on loopback are those of loopback, so that no web page can point its name here', async () => {
    const address = await started();
    expect(await statuses(address, LOOPBACK)).toEqual(all(LOOPBACK, 200));
    expect(await statuses(address, [...FOREIGN, ...ADDRESSES])).toEqual(all([...FOREIGN, ...ADDRESSES], 403));
  });

  it('are the same where only listed keys are good', async () => {
    expect(await statuses(await started(KEYS), FOREIGN)).toEqual(all(FOREIGN, 403));
  });

  it('are those that were allowed, too', async () => {
    const address = await started({ allowedHosts: ['Mirror.example', '[2001:db8::1]'] });
    const ours = ['mirror.example', 'MIRROR.example.:443', '[2001:db8::1]:8787'];
    expect(await statuses(address, ours)).toEqual(all(ours, 200));
    expect(await statuses(address, ['evil.example', 'x.mirror.example'])).toEqual(
      all(['evil.example', 'x.mirror.example'], 403),
    );
  });

  it('on a server that others reach are all addresses, which no name stands for', async () => {
    const address = (await started(KEYS, '0.0.0.0')).replace('0.0.0.0', '127.0.0.1');
    expect(await statuses(address, [...LOOPBACK, ...ADDRESSES])).toEqual(all([...LOOPBACK, ...ADDRESSES], 200));
    expect(await statuses(address, FOREIGN)).toEqual(all(FOREIGN, 403));
  });

  it('are told from others with forbidden_host', async () => {
    const address = await started();
    const { body, edge } = await refusal(address, { host: 'evil.example', 'x-api-key': 'any' });
    expect(body).toEqual({
      detail:
        'This server answers only to names of its own machine. Start it with --allowed-host NAME to allow another name.',
      code: 'forbidden_host',
      error: 'forbidden_host',
    });
    expect(edge).toBe('BYPASS');
  });
});

describe('a server that listens on localhost', () => {
  it('answers on the addresses of both kinds that this machine has', async () => {
    const address = await started({}, 'localhost');
    const { port } = new URL(address);
    const four = await fetch(`http://127.0.0.1:${port}/v1/ping`);
    expect(four.status).toBe(200);
    expect(await statusFor(`http://[::1]:${port}`, 'localhost').catch(isUnreachable)).toBe(200);
  });
});

/** A machine without IPv6 has no second address. */
function isUnreachable(error: NodeJS.ErrnoException): number {
  return error.code === 'EADDRNOTAVAIL' || error.code === 'EAFNOSUPPORT' ? 200 : 0;
}

function refusal(address: string, headers: Record<string, string>): Promise<{ body: unknown; edge: unknown }> {
  return new Promise((resolve, reject) => {
    const asking = request(`${address}/v1/ping`, { headers }, async (answer) => {
      resolve({ body: JSON.parse(await text(answer)), edge: answer.headers['x-svc-edge-cache'] });
    });
    asking.on('error', reject);
    asking.end();
  });
}
