import { execFileSync, spawnSync } from 'node:child_process';
import { createHash, createPrivateKey, sign } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { asJsonText, isJsonObject, type Json, type JsonObject, jsonEqual } from '../../../src/contract/json/json.ts';
import { attest, attestedBytes, listedKeys, verifyRecord } from '../../../src/derive/settlement/verify.ts';
import { freshFolder } from '../../support/platform.ts';
import fc from '../../support/properties.ts';
import { CANONICAL, KEY, KEYS, RECORD } from './vector.ts';

const keys = listedKeys(KEYS) ?? [];
const record: JsonObject = JSON.parse(RECORD);
const attestation = record.attestation as JsonObject;

/** Result and reason for a text or for a value. */
function judged(input: string | Json, known = keys): readonly string[] {
  const { result, reason } = verifyRecord(typeof input === 'string' ? input : JSON.stringify(input), known);
  return [result, reason];
}

const withAttestation = (changes: JsonObject) => ({ ...record, attestation: { ...attestation, ...changes } });
const without = (value: JsonObject, name: string) =>
  Object.fromEntries(Object.entries(value).filter(([member]) => member !== name));

describe('the vector of the specification', () => {
  it('has 664 canonical bytes with the stated digest', () => {
    const bytes = attestedBytes(record);
    expect(bytes.length).toBe(664);
    expect(Buffer.from(bytes).toString()).toBe(CANONICAL);
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(attestation.sha256);
  });

  it('is valid under its key, however its members are ordered and spaced', () => {
    expect(verifyRecord(RECORD, keys)).toMatchObject({
      result: 'valid',
      reason: 'signature_holds',
      detail: 'The signature of ed25519-56475aa75463474c holds.',
      sha256: attestation.sha256,
    });
    const turned = Object.fromEntries(Object.entries(record).reverse());
    expect(judged(JSON.stringify(turned, null, 2))).toEqual(['valid', 'signature_holds']);
    expect(judged(RECORD.replace('"settlement_value":3.2', '"settlement_value":3.20'))[0]).toBe('valid');
  });

  it('is what its private key makes of the record', () => {
    const head = Buffer.from('302e020100300506032b657004220420', 'hex');
    const seed = Buffer.from(Array.from({ length: 32 }, (_, i) => i));
    const key = createPrivateKey({ key: Buffer.concat([head, seed]), format: 'der', type: 'pkcs8' });
    const signing = {
      keys: () => [],
      sign: (bytes: Uint8Array) => ({
        algorithm: 'Ed25519',
        key_id: KEY.key_id,
        signature: sign(null, bytes, key).toString('base64'),
        signed_at: '2026-10-14T12:30:03Z',
      }),
    };
    const bare = asJsonText(RECORD.replace(/,"attestation":.*$/, '}'));
    expect(JSON.parse(attest(bare, signing, 0))).toEqual(record);
  });

  const openssl = spawnSync('openssl', ['pkeyutl', '-help'], { encoding: 'utf8' });
  it.skipIf(!`${openssl.stdout}${openssl.stderr}`.includes('-rawin'))(
    'is accepted by openssl, and refused with one byte changed (skipped where no openssl knows -rawin)',
    () => {
      const folder = freshFolder();
      const file = (name: string, content: string | Uint8Array) => {
        writeFileSync(join(folder, name), content);
        return join(folder, name);
      };
      const der = Buffer.concat([
        Buffer.from('302a300506032b6570032100', 'hex'),
        Buffer.from(KEY.public_key, 'base64'),
      ]);
      const pem = file('key.pem', `-----BEGIN PUBLIC KEY-----\n${der.toString('base64')}\n-----END PUBLIC KEY-----\n`);
      const signature = file('signature', Buffer.from(String(attestation.signature), 'base64'));
      const verify = (bytes: string) =>
        spawnSync('openssl', [
          'pkeyutl',
          '-verify',
          '-rawin',
          '-pubin',
          '-inkey',
          pem,
          '-in',
          file('bytes', bytes),
          '-sigfile',
          signature,
        ]);
      expect(execFileSync('openssl', ['version'], { encoding: 'utf8' })).toMatch(/\S/);
      expect(verify(CANONICAL).status).toBe(0);
      expect(verify(CANONICAL.replace('3.2', '3.3')).status).not.toBe(0);
    },
  );
});

describe('verifyRecord', () => {
  it('tells an altered member by both digests', () => {
    const told = verifyRecord(RECORD.replace('"latest_value":3.0', '"latest_value":3.1'), keys);
    expect([told.result, told.reason]).toEqual(['invalid', 'altered']);
    expect(told.detail).toContain(String(attestation.sha256));
    expect(told.detail).toContain(String(told.sha256));
    expect(judged({ ...record, note: 'added' })).toEqual(['invalid', 'altered']);
  });

  it('tells a right digest under a signature of other bytes', () => {
    const altered = { ...record, settlement_value: 3.3 };
    const sha256 = createHash('sha256').update(attestedBytes(altered)).digest('hex');
    expect(judged({ ...altered, attestation: { ...attestation, sha256 } })).toEqual(['invalid', 'wrong_signature']);
  });

  it.each([
    ['no attestation', without(record, 'attestation'), ['unsigned', 'no_attestation']],
    ['a null attestation', { ...record, attestation: null }, ['unsigned', 'no_attestation']],
    [
      'a digest alone',
      { ...record, attestation: { canonicalization: 'RFC8785', sha256: String(attestation.sha256) } },
      ['unsigned', 'no_signature'],
    ],
    [
      'a wrong digest alone',
      { ...record, attestation: { canonicalization: 'RFC8785', sha256: '0'.repeat(64) } },
      ['invalid', 'altered'],
    ],
    ['an attestation that is a text', { ...record, attestation: 'signed' }, ['invalid', 'malformed_attestation']],
    [
      'another canonicalization',
      withAttestation({ canonicalization: 'JCS2' }),
      ['invalid', 'unknown_canonicalization'],
    ],
    [
      'a digest in capitals',
      withAttestation({ sha256: String(attestation.sha256).toUpperCase() }),
      ['invalid', 'malformed_attestation'],
    ],
    ['another algorithm', withAttestation({ algorithm: 'RS256' }), ['invalid', 'wrong_algorithm']],
    ['a null algorithm', withAttestation({ algorithm: null }), ['invalid', 'wrong_algorithm']],
    ['an object as algorithm', withAttestation({ algorithm: { toString: false } }), ['invalid', 'wrong_algorithm']],
    ['no name of a key', withAttestation({ key_id: null }), ['invalid', 'malformed_attestation']],
    ['another key', withAttestation({ key_id: 'ed25519-0000000000000000' }), ['unknown_key', 'key_not_known']],
    ['a signature that is no base64', withAttestation({ signature: '*' }), ['invalid', 'malformed_signature']],
    [
      'no padding',
      withAttestation({ signature: String(attestation.signature).replace(/=+$/, '') }),
      ['invalid', 'malformed_signature'],
    ],
    [
      'the web alphabet',
      withAttestation({ signature: String(attestation.signature).replaceAll('/', '_') }),
      ['invalid', 'malformed_signature'],
    ],
    ['a short signature', withAttestation({ signature: 'AAAA' }), ['invalid', 'malformed_signature']],
    [
      'other bits in the padding',
      withAttestation({ signature: String(attestation.signature).replace('BA==', 'BB==') }),
      ['invalid', 'malformed_signature'],
    ],
    [
      'another signature',
      withAttestation({ signature: Buffer.alloc(64, 7).toString('base64') }),
      ['invalid', 'wrong_signature'],
    ],
  ] as const)('%s', (_, input, expected) => {
    expect(judged(input)).toEqual(expected);
  });

  it.each([
    ['', 'not_a_record'],
    ['[1]', 'not_a_record'],
    ['{"a":1', 'not_a_record'],
    [`${RECORD}${RECORD}`, 'not_a_record'],
    [RECORD.replace('"revised":true', '"revised":false,"revised":true'), 'ambiguous'],
    [RECORD.replace('"val":3.2', '"val":9.9,"val":3.2'), 'ambiguous'],
    [RECORD.replace('"val":3.2', '"val":3.20000000000000000001'), 'ambiguous'],
    [RECORD.replace('"latency_ms":1000', '"latency_ms":9007199254740993'), 'ambiguous'],
    [RECORD.replace('"val":3.2', '"val":1e400'), 'ambiguous'],
    [RECORD.replace('"val":3.2', '"val":1e-999999999'), 'ambiguous'],
    [RECORD.replace('"publisher":"BLS"', '"publisher":"\\ud800"'), 'ambiguous'],
  ])('cannot vouch for %j', (text, reason) => {
    expect(judged(text)).toEqual(['invalid', reason]);
  });

  it('finds nothing without keys, and takes any listed form of one', () => {
    expect(judged(RECORD, [])).toEqual(['unknown_key', 'key_not_known']);
    const forms: Json[] = [KEY, [KEY], { data: [KEY] }, KEY.jwk, without(KEY, 'jwk'), without(KEY, 'public_key')];
    for (const form of forms) expect(judged(RECORD, listedKeys(form))).toEqual(['valid', 'signature_holds']);
    for (const form of [null, 1, 'x', {}, { keys: 1 }, [1]] satisfies Json[]) expect(listedKeys(form)).toBeUndefined();
  });

  it.each([
    ['of another algorithm', { ...KEY, algorithm: 'P-256' }],
    ['too short', { ...KEY, public_key: 'AAAA' }],
    ['no base64', { ...KEY, public_key: 'A6EHv_POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg=' }],
    ['whose JWK is another key', { ...KEY, jwk: { ...KEY.jwk, x: 'B6EHv_POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg' } }],
    ['whose JWK is of another curve', { ...KEY, jwk: { ...KEY.jwk, crv: 'X25519' } }],
    [
      'that borrows the name of another',
      { ...without(KEY, 'jwk'), public_key: Buffer.alloc(32, 1).toString('base64') },
    ],
  ])('does not trust a published key %s', (_, key) => {
    expect(judged(RECORD, listedKeys([key]))).toEqual(['invalid', 'malformed_key']);
  });

  it('says that a valid signature is by a retired key', () => {
    const retired = { ...KEY, status: 'retired', valid_until: '2026-11-01T00:00:00Z' };
    expect(verifyRecord(RECORD, listedKeys([retired]) ?? [])).toMatchObject({
      result: 'valid',
      detail: 'The signature of ed25519-56475aa75463474c holds, a key that is retired.',
    });
  });
});

/** Every place of a value: the names that lead there. */
function placesOf(value: Json, at: readonly string[] = []): readonly (readonly string[])[] {
  if (!isJsonObject(value)) return [at];
  return [at, ...Object.entries(value).flatMap(([name, member]) => placesOf(member, [...at, name]))];
}

function changed(
  value: JsonObject,
  [name = '', ...rest]: readonly string[],
  change: (old: Json | undefined) => Json | undefined,
): JsonObject {
  const old = value[name];
  const next = rest.length > 0 && isJsonObject(old) ? changed(old, rest, change) : change(old);
  const others = Object.entries(value).filter(([member]) => member !== name);
  return Object.fromEntries(next === undefined ? others : [...others, [name, next]]);
}

describe('any change', () => {
  const places = placesOf(record).filter((at) => at.length > 0 && at.at(-1) !== 'signed_at');
  const anything = fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value)) as Json);

  it('of any member of a signed record is found: taken away, replaced, or joined by another', () => {
    const property = fc.property(
      fc.constantFrom(...places),
      fc.constantFrom('takes', 'replaces', 'adds'),
      anything,
      fc.string(),
      (at, how, value, name) => {
        const other = changed(record, at, (old) => {
          if (how === 'takes') return undefined;
          return how === 'adds' && isJsonObject(old) ? { ...old, [`${name}+`]: value } : value;
        });
        fc.pre(!jsonEqual(other, record));
        // What stands in the attestation beside its own members is nobody's word.
        fc.pre(!(how === 'adds' && at.join() === 'attestation'));
        expect(judged(other)[0]).not.toBe('valid');
      },
    );
    fc.assert(property, { numRuns: 500 });
  });

  it('of any byte of its text is found, unless it means the same', () => {
    const covered = RECORD.indexOf(',"signed_at"');
    const property = fc.property(fc.nat(covered - 1), fc.integer({ min: 32, max: 126 }), (at, code) => {
      const text = `${RECORD.slice(0, at)}${String.fromCharCode(code)}${RECORD.slice(at + 1)}`;
      const [result] = judged(text);
      if (result === 'valid') expect(JSON.parse(text)).toEqual(record);
    });
    fc.assert(property, { numRuns: 2_000 });
  });
});
