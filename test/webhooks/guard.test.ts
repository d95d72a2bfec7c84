import { describe, expect, it } from 'vitest';
import type { Resolve } from '../../src/platform/platform.ts';
import { checkDestination } from '../../src/webhooks/guard.ts';

const NAMES: Readonly<Record<string, readonly string[]>> = {
  'hooks.example.com': ['93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'],
  'xn--bcher-kva.example': ['93.184.215.14'],
  'inside.example.com': ['10.1.2.3'],
  'half.example.com': ['93.184.215.14', 'fd00::1'],
  'metadata.example.com': ['169.254.169.254'],
};
const resolve: Resolve = async (host) => NAMES[host] ?? [];
const check = (url: string, allowLocal = false) => checkDestination(url, { resolve, allowLocal });

// Wire facts, sections 10.3 and 16, and the spellings of design/quality.md, section 3.
const REFUSED = [
  ['', 'invalid_url'],
  ['hooks.example.com/in', 'invalid_url'],
  ['//hooks.example.com/in', 'invalid_url'],
  ['https:hooks.example.com', 'invalid_url'],
  ['https:///hooks.example.com', 'invalid_url'],
  ['https://hooks.example.com\\@10.0.0.1/', 'invalid_url'],
  [' https://hooks.example.com/', 'invalid_url'],
  ['https://hooks.exa\tmple.com/', 'invalid_url'],
  ['https://hooks.example.com:99999/', 'invalid_url'],
  ['https://[::1/', 'invalid_url'],
  ['http://hooks.example.com/in', 'not_https'],
  ['ftp://hooks.example.com/in', 'not_https'],
  ['http://user@127.0.0.1:22/#x', 'not_https'],
  ['https://user:pass@hooks.example.com/', 'embedded_credentials'],
  ['https://@hooks.example.com/', 'embedded_credentials'],
  ['https://u@127.0.0.1/#x', 'embedded_credentials'],
  ['https://hooks.example.com/in#part', 'fragment_not_allowed'],
  ['https://hooks.example.com/in#', 'fragment_not_allowed'],
  ['https://127.0.0.1/', 'ip_literal'],
  ['https://127.0.0.1./', 'ip_literal'],
  ['https://2130706433/', 'ip_literal'],
  ['https://0x7f000001/', 'ip_literal'],
  ['https://0177.0.0.1/', 'ip_literal'],
  ['https://0x7f.1/', 'ip_literal'],
  ['https://127.1/', 'ip_literal'],
  ['https://%31%32%37.0.0.1/', 'ip_literal'],
  ['https://１２７.0.0.1/', 'ip_literal'],
  ['https://8.8.8.8/', 'ip_literal'],
  ['https://[::1]/', 'ip_literal'],
  ['https://[::ffff:127.0.0.1]:22/', 'ip_literal'],
  ['https://localhost/', 'blocked_host'],
  ['https://LOCALHOST./', 'blocked_host'],
  ['https://localhost../', 'blocked_host'],
  ['https://ⓛocalhost/', 'blocked_host'],
  ['https://localhost%2e/', 'blocked_host'],
  ['https://api.localhost/', 'blocked_host'],
  ['https://printer.local/', 'blocked_host'],
  ['https://metadata.google.internal/', 'blocked_host'],
  ['https://metadata.google.internal./', 'blocked_host'],
  ['https://router.home.arpa/', 'blocked_host'],
  ['https://abcdef.onion/', 'blocked_host'],
  ['https://intranet:22/', 'blocked_host'],
  ['https://hooks.example.com:22/', 'port_not_allowed'],
  ['https://hooks.example.com:0/', 'port_not_allowed'],
  ['https://hooks.example.com:80/', 'port_not_allowed'],
  ['https://nowhere.example.com:1023/', 'port_not_allowed'],
  ['https://nowhere.example.com/', 'unresolved_host'],
  ['https://inside.example.com/', 'private_address'],
  ['https://half.example.com/', 'private_address'],
  ['https://metadata.example.com/', 'private_address'],
] as const;

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
