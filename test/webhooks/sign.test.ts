import { spawnSync } from 'node:child_process';
import { createHmac, webcrypto } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { signDelivery } from '../../src/webhooks/sign.ts';
import fc from '../support/properties.ts';
import { BODY, bytes, EVENT_ID, SECRET, SIGNATURE, TIMESTAMP } from './vector.ts';

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;
const ascii = fc.string({
  unit: fc.integer({ min: 33, max: 126 }).map((code) => String.fromCharCode(code)),
  minLength: 1,
});

describe('the signature of a delivery', () => {
  it('is that of the test vector', () => {
    expect(signDelivery({ timestamp: String(TIMESTAMP), eventId: EVENT_ID, body: bytes(BODY) }, SECRET)).toBe(
      SIGNATURE,
    );
  });

  it('is what WebCrypto computes of the same bytes', async () => {
    const property = fc.asyncProperty(ascii, fc.uint8Array({ maxLength: 300 }), async (secret, body) => {
      const key = await webcrypto.subtle.importKey('raw', bytes(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [
        'sign',
      ]);
      const signed = await webcrypto.subtle.sign('HMAC', key, Buffer.concat([bytes(`17.${EVENT_ID}.`), body]));
      const expected = `v1=${Buffer.from(signed).toString('hex')}`;
      expect(signDelivery({ timestamp: '17', eventId: EVENT_ID, body }, secret)).toBe(expected);
    });
    await fc.assert(property, { numRuns: 50 });
  });

  it.skipIf(!hasOpenssl)('is what openssl dgst computes of the same bytes (skipped without the program)', () => {
    const input = Buffer.concat([bytes(`${TIMESTAMP}.${EVENT_ID}.`), bytes(BODY)]);
    const done = spawnSync('openssl', ['dgst', '-sha256', '-hmac', SECRET, '-hex'], { input });
    expect(`v1=${done.stdout.toString().trim().split('= ').at(-1)}`).toBe(SIGNATURE);
  });

  it('takes the secret as it stands: the prefix is part of the key', () => {
    const message = { timestamp: '1', eventId: 'e', body: bytes('{}') };
    const bare = createHmac('sha256', SECRET.replace('whsec_', '')).update('1.e.{}').digest('hex');
    expect(signDelivery(message, SECRET)).not.toBe(`v1=${bare}`);
  });
});
