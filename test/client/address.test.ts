import { describe, expect, test } from 'vitest';
import { readServiceAddress, urlOf } from '../../src/client/http/address.ts';

const urlFor = (base: string) => urlOf(readServiceAddress(base, true), '/v1/ping?a=1');

describe('base addresses', () => {
  test.each([
    ['https://h.example', 'https://h.example/v1/ping?a=1'],
    ['https://h.example/', 'https://h.example/v1/ping?a=1'],
    ['https://h.example/v1', 'https://h.example/v1/ping?a=1'],
    ['https://h.example/v1/', 'https://h.example/v1/ping?a=1'],
    ['https://h.example/api', 'https://h.example/api/v1/ping?a=1'],
    ['https://h.example/api/', 'https://h.example/api/v1/ping?a=1'],
    ['https://h.example/api/v1', 'https://h.example/api/v1/ping?a=1'],
    ['https://h.example:8443/api/v1/', 'https://h.example:8443/api/v1/ping?a=1'],
    ['http://127.0.0.1:4000', 'http://127.0.0.1:4000/v1/ping?a=1'],
    ['http://localhost:4000/v1', 'http://localhost:4000/v1/ping?a=1'],
    ['http://[::1]:4000/api', 'http://[::1]:4000/api/v1/ping?a=1'],
  ])('%s asks %s', (base, url) => {
    expect(urlFor(base)).toBe(url);
  });

  test('a port that no client asks is refused before anybody is asked', () => {
    expect(() => readServiceAddress('http://127.0.0.1:1', false)).toThrow(
      expect.objectContaining({
        kind: 'usage',
        message: 'Port 1 is reserved for other protocols, so it is never asked.',
      }),
    );
  });

  test('the identity of a service is its origin', () => {
    expect(readServiceAddress('https://H.example/api/v1/', false).origin).toBe('https://h.example');
  });

  test.each([
    'http://h.example',
    'http://localhost.example',
    'http://127.0.0.1.example',
    'http://10.0.0.1',
    'http://0.0.0.0',
  ])('a key does not travel to %s', (base) => {
    expect(() => readServiceAddress(base, true)).toThrow(expect.objectContaining({ kind: 'auth' }));
    expect(() => readServiceAddress(base, false)).toThrow(expect.objectContaining({ kind: 'usage' }));
  });

  test.each([
    '',
    'h.example',
    'ftp://h.example',
    'https://user:pass@h.example',
    'https://h.example?api_key=secret',
    'https://h.example/#secret',
  ])('what is no service address is refused: %s', (base) => {
    let message = '';
    try {
      readServiceAddress(base, false);
    } catch (error) {
      message = String(error);
      expect(error).toMatchObject({ kind: 'usage' });
    }
    expect(message).not.toBe('');
    expect(message).not.toMatch(/pass|secret/);
  });
});
