import { EnvHttpProxyAgent } from 'undici';
import { describe, expect, it } from 'vitest';
import { proxyFor, proxySettings } from '../../src/platform/node-network.ts';

const API = 'https://api.macro.test/v1/ping';
const HTTPS = { HTTPS_PROXY: 'http://proxy.test:3128' };

describe('the proxy of a request', () => {
  it.each<[string, Record<string, string>, string, string | undefined]>([
    ['none', {}, API, undefined],
    ['HTTPS_PROXY', HTTPS, API, 'http://proxy.test:3128 HTTPS_PROXY'],
    ['https_proxy first', { ...HTTPS, https_proxy: 'http://low.test:1' }, API, 'http://low.test:1 https_proxy'],
    ['ALL_PROXY where it is missing', { ALL_PROXY: 'http://all.test' }, API, 'http://all.test ALL_PROXY'],
    [
      'all_proxy where it is empty',
      { https_proxy: '', all_proxy: 'http://all.test' },
      API,
      'http://all.test all_proxy',
    ],
    [
      'not ALL_PROXY where it is there',
      { ...HTTPS, ALL_PROXY: 'socks5://s.test' },
      API,
      'http://proxy.test:3128 HTTPS_PROXY',
    ],
    ['HTTP_PROXY, as undici has it', { HTTP_PROXY: 'http://plain.test' }, API, 'http://plain.test HTTP_PROXY'],
    [
      'HTTP_PROXY for http',
      { ...HTTPS, HTTP_PROXY: 'http://plain.test' },
      'http://h.test/x',
      'http://plain.test HTTP_PROXY',
    ],
    [
      'a password that is not shown',
      { HTTPS_PROXY: 'https://me:secret@proxy.test' },
      API,
      'https://proxy.test HTTPS_PROXY',
    ],
    ['an address without a scheme', { HTTPS_PROXY: 'proxy.test:3128' }, API, 'http://proxy.test:3128 HTTPS_PROXY'],
    ['none to this machine', { ...HTTPS, HTTP_PROXY: 'http://plain.test' }, 'http://127.0.0.1:8787', undefined],
    ['none to localhost', HTTPS, 'https://localhost:8443', undefined],
  ])('%s', (_, env, url, expected) => {
    const proxy = proxyFor(env, url);
    expect(proxy && `${proxy.shown} ${proxy.from}`).toBe(expected);
  });

  it.each([
    ['socks5://me:secret@s.test:1080', 'ALL_PROXY names a proxy of the kind socks5://, which macro cannot speak to.'],
    ['socks4://secret.test', 'ALL_PROXY names a proxy of the kind socks4://, which macro cannot speak to.'],
    ['http://', 'ALL_PROXY names no address of a proxy.'],
  ])('%s is refused', (value, message) => {
    expect(() => proxyFor({ ALL_PROXY: value }, API)).toThrow(expect.objectContaining({ kind: 'usage', message }));
    expect(proxyFor({ ALL_PROXY: value, NO_PROXY: 'macro.test' }, API)).toBeUndefined();
  });
});

/** Whether undici sends a request through the proxy: it gives a tunnel a connection of its own making. */
function undiciProxies(env: Record<string, string>, url: string): boolean {
  let isProxied: boolean | undefined;
  const agent = new EnvHttpProxyAgent({
    ...proxySettings(env),
    factory: (_, options: { connect?: unknown }) => {
      isProxied = typeof options.connect === 'function';
      throw new Error('far enough');
    },
  });
  // It is told of the failure.
  agent.dispatch({ origin: new URL(url).origin, path: '/', method: 'GET' }, { onResponseError: () => undefined });
  if (isProxied === undefined) throw new Error('undici asked for no connection');
  return isProxied;
}

describe('NO_PROXY means for our words what it means for undici', () => {
  const NAMES = [
    '',
    '*',
    'macro.test',
    '.macro.test',
    '*.macro.test',
    'api.macro.test',
    'API.Macro.Test.',
    'other.test',
  ];
  const PORTS = [
    'api.macro.test:443',
    'api.macro.test:8443',
    '*:443',
    'x.test, macro.test',
    'x.test api.macro.test',
    'pi.macro.test',
  ];
  const SIXES = ['2001:db8::1', '[2001:db8::1]', '[2001:db8::1]:8443'];
  it.each([...NAMES, ...PORTS, ...SIXES])('%j', (noProxy) => {
    const env = { ...HTTPS, NO_PROXY: noProxy };
    const urls = [
      API,
      'https://api.macro.test:8443',
      'https://macro.test',
      'https://api.macro.test.',
      'https://[2001:db8::1]',
      'https://[2001:db8::1]:8443',
    ];
    expect(urls.map((url) => proxyFor(env, url) !== undefined)).toEqual(urls.map((url) => undiciProxies(env, url)));
  });
});
