import { describe, expect, it } from 'vitest';
import type { Resolve } from '../../src/platform/platform.ts';
import { checkDestination } from '../../src/webhooks/send/guard.ts';
import { NAMES, REFUSED } from './destinations.ts';

const resolve: Resolve = async (host) => NAMES[host] ?? [];
const check = (url: string, allowLocal = false) => checkDestination(url, { resolve, allowLocal });

const ACCEPTED = [
  'https://hooks.example.com/in',
  'https://hooks.example.com:443/in?x=1',
  'https://hooks.example.com:1024/in',
  'https://hooks.example.com./in',
  'HTTPS://HOOKS.example.com/@in',
  'https://bücher.example/in',
];

describe('a destination', () => {
  it.each(REFUSED)('%j is refused as %s', async (url, reason) => {
    expect(await check(url)).toMatchObject({ reason });
  });

  it.each(ACCEPTED)('%s may be delivered to', async (url) => {
    expect(await check(url)).not.toHaveProperty('reason');
  });

  it('is connected to by the addresses that were checked', async () => {
    expect(await check('https://hooks.example.com/in')).toEqual({
      url: new URL('https://hooks.example.com/in'),
      addresses: ['93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'],
    });
  });

  it('of this machine is taken only when local ones are allowed', async () => {
    const local = [
      ['http://127.0.0.1:8788/in', ['127.0.0.1']],
      ['https://localhost:8788/in', ['127.0.0.1', '::1']],
      ['http://hooks.localhost:80/in', ['127.0.0.1', '::1']],
      ['http://[::1]:8788/in', ['::1']],
    ] as const;
    for (const [url, addresses] of local) {
      expect(await check(url)).toHaveProperty('reason');
      expect(await check(url, true)).toEqual({ url: new URL(url), addresses });
    }
  });

  it.each([
    ['http://hooks.example.com/in', 'not_https'],
    ['ftp://127.0.0.1/in', 'not_https'],
    ['http://user@127.0.0.1/', 'embedded_credentials'],
    ['http://127.0.0.1/#x', 'fragment_not_allowed'],
    ['https://10.0.0.1/', 'ip_literal'],
    ['http://0.0.0.0/', 'not_https'],
    ['https://inside.example.com/', 'private_address'],
    ['https://printer.local/', 'blocked_host'],
  ] as const)('like %s is refused even then, as %s', async (url, reason) => {
    expect(await check(url, true)).toMatchObject({ reason });
  });
});
