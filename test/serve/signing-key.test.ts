import { createPublicKey, verify } from 'node:crypto';
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { keyFiles, openSigning, retireKeys, type SigningOptions } from '../../src/serve/signing-key.ts';
import { KEY } from '../derive/settlement/vector.ts';
import { type TestPlatform, testPlatform } from '../support/platform.ts';

const NOW = Date.parse('2026-10-01T00:00:00Z') / 1000;
const BYTES = new TextEncoder().encode('{"a":1}');

/** The keys of a folder as a server reads them for one answer after the other. */
function openFolder(options: SigningOptions) {
  const open = openSigning(keyFiles(options), options.platform.random);
  return {
    sign: async (bytes: Uint8Array, now: number) => (await open(now)).sign(bytes, now),
    keys: async (now: number) => (await open(now)).keys(now),
  };
}

function place(world: TestPlatform = testPlatform()) {
  const folder = join(world.folder, 'serve', 'mirror-1');
  return { world, folder, options: { platform: world.platform, folder } };
}

/** A world whose next 32 random bytes are 00 to 1f: the seed of the specification's vector. */
function knownSeed() {
  const world = testPlatform();
  const random = { ...world.platform.random, bytes: () => Uint8Array.from({ length: 32 }, (_, i) => i) };
  const at = place(world);
  return { ...at, options: { ...at.options, platform: { ...world.platform, random } } };
}

describe('the signing key', () => {
  it('is made when it is first needed, 32 random bytes, and published as the specification’s vector is', async () => {
    const { options, folder, world } = knownSeed();
    expect(world.platform.files.exists(folder)).toBe(false);
    const signing = openFolder(options);
    expect(world.platform.files.exists(folder)).toBe(false);
    expect(await signing.keys(NOW)).toEqual([KEY]);
  });

  it('is kept where only its owner reads it', async () => {
    const { options, folder } = place();
    await openFolder(options).sign(BYTES, NOW);
    const [name = ''] = readdirSync(folder);
    expect([statSync(folder).mode & 0o777, statSync(join(folder, name)).mode & 0o777]).toEqual([0o700, 0o600]);
  });

  it('signs so that its published half verifies, after a restart too', async () => {
    const { options } = place();
    const before = await openFolder(options).sign(BYTES, NOW);
    const again = openFolder(options);
    const [key] = await again.keys(NOW + 60);
    expect(await again.sign(BYTES, NOW + 60)).toEqual({ ...before, signed_at: '2026-10-01T00:01:00Z' });
    expect([key?.key_id, before.algorithm, before.signed_at]).toEqual([
      before.key_id,
      'Ed25519',
      '2026-10-01T00:00:00Z',
    ]);
    const publicKey = createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x: key?.jwk.x ?? '' } });
    expect(verify(null, BYTES, publicKey, Buffer.from(before.signature, 'base64'))).toBe(true);
  });

  it('gives equal bytes one signature and one moment of signing while it is open', async () => {
    const signing = openFolder(place().options);
    const first = await signing.sign(BYTES, NOW);
    expect(await signing.sign(BYTES, NOW + 3600)).toBe(first);
    expect((await signing.sign(Uint8Array.of(1), NOW + 3600)).signature).not.toBe(first.signature);
  });

  it('that is retired stays listed without its private half, and another one signs', async () => {
    const { options, folder } = place();
    const signing = openFolder(options);
    const { key_id: old } = await signing.sign(BYTES, NOW);
    expect(await retireKeys(keyFiles(options), NOW + 60)).toEqual([old]);
    const next = await signing.sign(BYTES, NOW + 120);
    expect(next.key_id).not.toBe(old);
    const listed = (await signing.keys(NOW + 120)).map(({ key_id, status, valid_from, valid_until }) => [
      ...[key_id, status, valid_from, valid_until],
    ]);
    expect(listed.sort()).toEqual(
      [
        [old, 'retired', '2026-10-01T00:00:00Z', '2026-10-01T00:01:00Z'],
        [next.key_id, 'active', '2026-10-01T00:02:00Z', undefined],
      ].sort(),
    );
    expect(readFileSync(join(folder, `${old}.json`), 'utf8')).not.toContain('private_seed');
    expect(await retireKeys(keyFiles(place().options), NOW)).toEqual([]);
  });

  it('of two servers that start at the same moment is listed by both', async () => {
    const { options } = place();
    const ids: string[] = [];
    for (const _ of [0, 1]) {
      // Neither sees what the other has just written.
      const list = (folder: string) =>
        options.platform.files.list(folder).filter((name) => !ids.some((id) => name.startsWith(id)));
      const platform = { ...options.platform, files: { ...options.platform.files, list } };
      ids.push((await openFolder({ ...options, platform }).sign(BYTES, NOW)).key_id);
    }
    const listed = await openFolder(options).keys(NOW);
    expect(new Set(ids).size).toBe(2);
    expect(listed.map(({ key_id, status }) => [key_id, status])).toEqual([...ids].sort().map((id) => [id, 'active']));
  });

  it.each([
    ['no JSON', 'x'],
    ['no key', '{}'],
    ['another key’s private half', ''],
  ])('that is damaged (%s) is told, and nothing is signed with another', async (what, content) => {
    const { options, folder } = place();
    const signing = openFolder(options);
    const { key_id: id } = await signing.sign(BYTES, NOW);
    const file = join(folder, `${id}.json`);
    const swapped = { ...JSON.parse(readFileSync(file, 'utf8')), private_seed: Buffer.alloc(32, 9).toString('base64') };
    writeFileSync(file, what.startsWith('another') ? JSON.stringify(swapped) : content);
    await expect(signing.sign(BYTES, NOW)).rejects.toThrow(
      expect.objectContaining({ kind: 'mirror', message: `The signing key ${file} is damaged.` }),
    );
  });

  it('that others can read is refused, except where modes mean nothing', async () => {
    const { options, folder } = place();
    const { key_id: id } = await openFolder(options).sign(BYTES, NOW);
    chmodSync(join(folder, `${id}.json`), 0o640);
    await expect(openFolder(options).sign(BYTES, NOW)).rejects.toThrow(
      expect.objectContaining({ kind: 'mirror', hint: `Type: chmod 600 ${join(folder, `${id}.json`)}` }),
    );
    const windows = { ...options, platform: { ...options.platform, os: 'windows' as const } };
    expect((await openFolder(windows).sign(BYTES, NOW)).key_id).toBe(id);
  });
});
