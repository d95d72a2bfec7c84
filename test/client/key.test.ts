import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { fingerprint, readApiKey, redact } from '../../src/client/http/key.ts';
import { KEY } from './support.ts';

describe('keys', () => {
  test('blanks around a key are dropped; an empty key is none', () => {
    expect(readApiKey('  abc \n')?.reveal()).toBe('abc');
    expect(readApiKey('   ')).toBeUndefined();
    expect(readApiKey(undefined)).toBeUndefined();
  });

  test.each(['kéy', 'a\nb', 'a\u0000b', '🔑', 'x'.repeat(257)])('%j can be no key', (raw) => {
    expect(() => readApiKey(raw)).toThrow(expect.objectContaining({ kind: 'auth', code: 'invalid_api_key' }));
  });

  test('256 characters are still a key', () => {
    expect(readApiKey('x'.repeat(256))?.reveal()).toHaveLength(256);
  });

  test('the fingerprint is the start of the SHA-256', () => {
    // printf abc | sha256sum
    expect(fingerprint(redact('abc'))).toBe('ba7816bf8f01');
  });

  test('a key does not show itself', () => {
    const key = redact(KEY);
    expect(
      [String(key), `${key}`, JSON.stringify({ key }), inspect(key, { depth: 9, showHidden: true })].join(),
    ).not.toContain(KEY);
  });
});
