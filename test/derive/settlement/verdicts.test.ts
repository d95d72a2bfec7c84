import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../src/contract/json/json.ts';
import { attestedBytes, isKeptByReaders, listedKeys, verifyRecord } from '../../../src/derive/settlement/verify.ts';
import { KEY, KEYS, RECORD } from './vector.ts';

const record: JsonObject = JSON.parse(RECORD);
const attestation = record.attestation as JsonObject;
const changed = (changes: JsonObject) => JSON.stringify({ ...record, attestation: { ...attestation, ...changes } });
const digestOf = (value: JsonObject) => createHash('sha256').update(attestedBytes(value)).digest('hex');
const verdict = (text: string, keys: Json = KEYS) => {
  const { result, detail } = verifyRecord(text, listedKeys(keys) ?? []);
  return `${result}: ${detail}`;
};
const without = (value: JsonObject, ...names: readonly string[]) =>
  Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));

describe('the verdict on a record, in words', () => {
  it.each<[string, string, string]>([
    ['no object', '[1]', 'invalid: This is not one JSON object.'],
    [
      'a name twice',
      RECORD.replace('"revised":true', '"revised":true,"revised":true'),
      'invalid: The member "revised" stands there twice, so that nobody can vouch for it.',
    ],
    [
      'a long number',
      RECORD.replace('"val":3.2', `"val":3.2${'0'.repeat(38)}1`),
      `invalid: The number 3.2${'0'.repeat(37)} has more digits than JSON readers keep, so that nobody can vouch for it.`,
    ],
    [
      'a large number',
      RECORD.replace('"val":3.2', '"val":1e999'),
      'invalid: The number 1e999 has more digits than JSON readers keep, so that nobody can vouch for it.',
    ],
    [
      'half a character',
      RECORD.replace('"BLS"', '"\\ud800"'),
      'invalid: A string contains half of a character, so that nobody can vouch for it.',
    ],
    [
      'no attestation',
      JSON.stringify(without(record, 'attestation')),
      'unsigned: The record has no attestation: nobody vouches for it.',
    ],
    [
      'an attestation of another form',
      JSON.stringify({ ...record, attestation: [] }),
      'invalid: The attestation is not an object.',
    ],
    [
      'another canonical form',
      changed({ canonicalization: { a: 1 } }),
      `invalid: The canonicalization '{"a":1}' is not known; RFC8785 is.`,
    ],
    [
      'no canonical form',
      JSON.stringify({ ...record, attestation: without(attestation, 'canonicalization') }),
      'invalid: The canonicalization that is missing is not known; RFC8785 is.',
    ],
    [
      'a digest with something before it',
      changed({ sha256: `x${attestation.sha256}` }),
      'invalid: The sha256 of the attestation is not 64 hex digits in lower case.',
    ],
    [
      'a digest with something behind it',
      changed({ sha256: `${attestation.sha256}0` }),
      'invalid: The sha256 of the attestation is not 64 hex digits in lower case.',
    ],
    [
      'a digest in a list',
      changed({ sha256: [attestation.sha256 ?? null] }),
      'invalid: The sha256 of the attestation is not 64 hex digits in lower case.',
    ],
    [
      'no signature, said by nulls',
      changed({ algorithm: null, key_id: null, signature: null }),
      'unsigned: The digest holds, but anybody could have made it: there is no signature.',
    ],
    [
      'another algorithm with a long name',
      changed({ algorithm: 'x'.repeat(100) }),
      `invalid: The algorithm '${'x'.repeat(80)}' is not known; Ed25519 is.`,
    ],
    ['no name of a key', changed({ key_id: '' }), 'invalid: The attestation names no key.'],
    [
      'a short signature',
      changed({ signature: 'AAAA' }),
      'invalid: The signature is not 64 bytes in padded standard base64.',
    ],
    [
      'another signature',
      changed({ signature: Buffer.alloc(64, 7).toString('base64') }),
      'invalid: The digest holds, but the signature was not made by ed25519-56475aa75463474c.',
    ],
    [
      'another key',
      changed({ key_id: 'k2' }),
      "unknown_key: The record is signed with 'k2', which is not among the keys (known: ed25519-56475aa75463474c).",
    ],
  ])('with %s', (_, text, expected) => {
    expect(verdict(text)).toBe(expected);
  });

  it('names both digests of what was altered', () => {
    const altered = { ...record, settlement_value: 3.3 };
    expect(verdict(JSON.stringify(altered))).toBe(
      `invalid: The record was altered: its canonical bytes have the digest ${digestOf(altered)}, ` +
        `the attestation states ${attestation.sha256}.`,
    );
  });

  it('names the keys that are known, or that none is', () => {
    const says = (known: string) =>
      `unknown_key: The record is signed with 'ed25519-56475aa75463474c', which is not among the keys (${known}).`;
    expect(verdict(RECORD, [])).toBe(says('none is known'));
    const others = ['k1', 'k2'].map((key_id) => ({ ...KEY, key_id }));
    expect(verdict(RECORD, others)).toBe(says('known: k1, k2'));
  });

  it.each<[string, JsonObject, string]>([
    ['is for another algorithm', { ...KEY, algorithm: 'P-256' }, 'is for P-256, not for Ed25519'],
    ['is of another kind', { ...KEY, jwk: { ...KEY.jwk, kty: 'EC' } }, 'is no Ed25519 key'],
    ['is of another curve', { ...KEY, jwk: { ...KEY.jwk, crv: 'X25519' } }, 'is no Ed25519 key'],
    ['is too short', { ...without(KEY, 'jwk'), public_key: 'AAAA' }, 'is no 32 bytes in base64'],
    ['is no text', { ...without(KEY, 'jwk'), public_key: 7 }, 'is no 32 bytes in base64'],
    ['is not there', without(KEY, 'jwk', 'public_key'), 'is no 32 bytes in base64'],
    ['has a short second form', { ...KEY, jwk: { ...KEY.jwk, x: 'AAAA' } }, 'is no 32 bytes in base64'],
    ['has another second form', { ...KEY, jwk: { ...KEY.jwk, x: 'A'.repeat(43) } }, 'differs from its JWK'],
    [
      'has the name of another',
      { ...without(KEY, 'jwk'), public_key: Buffer.alloc(32, 1).toString('base64') },
      'does not match its name',
    ],
  ])('tells why a published key cannot be used: it %s', (_, key, fault) => {
    expect(verdict(RECORD, [key])).toBe(`invalid: The published key 'ed25519-56475aa75463474c' ${fault}.`);
  });

  it('takes a key of a free name, also one that only begins or ends like a fingerprint', () => {
    for (const id of ['main', 'ed25519-0000000000000000-2', 'x-ed25519-0000000000000000']) {
      const named = changed({ key_id: id });
      expect(verdict(named, [{ ...without(KEY, 'jwk'), key_id: id }])).toBe(`valid: The signature of ${id} holds.`);
    }
  });

  it('finds the right one of several keys of one name', () => {
    const wrong = { ...without(KEY, 'jwk'), key_id: 'main', public_key: Buffer.alloc(32, 1).toString('base64') };
    const right = { ...without(KEY, 'jwk'), key_id: 'main' };
    expect(verdict(changed({ key_id: 'main' }), [wrong, right])).toBe('valid: The signature of main holds.');
  });
});

describe('a number that every reader keeps', () => {
  it.each([
    ['0', true],
    ['-0', true],
    ['3.20', true],
    ['1e3', true],
    ['9007199254740991', true],
    ['-9007199254740991', true],
    ['9007199254740992', false],
    ['-9007199254740992', false],
    ['9007199254740993', false],
    ['90071992547409.92', true],
    ['9007199254740992.0', true],
    ['0.1', true],
    ['0.10000000000000000555', false],
    ['1e22', true],
    ['1E+22', true],
    ['1e-300', true],
    ['1e400', false],
    ['1e-1000', false],
    ['1e1000', false],
    [`0.5${'0'.repeat(327)}`, true],
    [`0.5${'0'.repeat(328)}`, false],
  ])('%s: %s', (spelling, expected) => {
    expect(isKeptByReaders(spelling)).toBe(expected);
  });
});
