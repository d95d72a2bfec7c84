import { chmodSync, copyFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { MAPPINGS } from '../../src/endpoints/index.ts';
import type { Mirror } from '../../src/mirror/api/mirror.ts';
import type { SharedMirror } from '../../src/mirror/api/shared.ts';
import { openServerMirror } from '../../src/mirror/postgres/open.ts';
import { openDesk } from '../../src/serve/desk-key.ts';
import { openSigning, retireKeys, sharedKeys } from '../../src/serve/signing-key.ts';
import { sharedSigningSecrets } from '../../src/webhooks/signing-secrets.ts';
import { sqlOn } from '../mirror/postgres/support.ts';
import { testPlatform } from '../support/platform.ts';
import { freshAddress, POSTGRES_BIN } from '../support/postgres.ts';
import { managed, NOW } from './webhooks/support.ts';

const SECONDS = NOW / 1000;
const BYTES = new TextEncoder().encode('{"a":1}');
const LIST = '/v1/webhooks/subscriptions';
const WISH = { url: 'https://hooks.example.com/in' };

let hosts = 0;

/** A machine that serves a mirror, with a folder and random numbers of its own. */
async function host(address: string) {
  hosts += 1;
  const { platform, folder } = testPlatform({ now: NOW, seed: hosts });
  const mirror = await openServerMirror({ address, mappings: MAPPINGS, platform, mode: 'write', dates: 'caller' });
  onTestFinished(() => mirror.close());
  const file = join(folder, 'desk.key');
  const { id } = await mirror.stamp();
  const parts = { platform, table: sharedOf(mirror).secrets, mirror: id, file };
  return { platform, file, mirror, open: () => openDesk(parts) };
}

function sharedOf({ shared }: Mirror): SharedMirror {
  if (!shared) throw new Error('A mirror on a server shares');
  return shared;
}

async function twoHosts() {
  const address = await freshAddress();
  const [one, other] = [await host(address), await host(address)];
  return { address, one, other };
}

describe.skipIf(POSTGRES_BIN === undefined)('the secrets of a desk', () => {
  it('are sealed with a key that the first host makes, and that nobody else may read', async () => {
    const { address, one } = await twoHosts();
    const made = await one.open();
    expect([made.isNew, made.madeBy, (await one.open()).isNew]).toEqual([true, one.platform.host, false]);
    expect([readFileSync(one.file, 'utf8'), statSync(one.file).mode & 0o777]).toEqual([
      expect.stringMatching(/^desk_[0-9a-f]{64}\n$/),
      0o600,
    ]);
    const secrets = sharedSigningSecrets(made, one.platform);
    const secret = await secrets.make('sub_a');
    await openSigning(sharedKeys(made), one.platform.random)(SECONDS);
    const rows = JSON.stringify(await sqlOn(address, 'select * from secrets'));
    const seen = [secret, secret.slice(6), Buffer.from(secret).toString('base64').slice(0, 60)];
    expect(seen.filter((text) => rows.includes(text))).toEqual([]);
    chmodSync(one.file, 0o644);
    await expect(one.open()).rejects.toThrow(`Others can read the desk key ${one.file}.`);
  });

  it('are read by each host that has the key, a rotation by the other one at once', async () => {
    const { one, other } = await twoHosts();
    const first = sharedSigningSecrets(await one.open(), one.platform);
    copyFileSync(one.file, other.file);
    const second = sharedSigningSecrets(await other.open(), other.platform);
    const before = await first.make('sub_a');
    expect([await second.read('sub_a'), await second.read('sub_b')]).toEqual([before, undefined]);
    const after = await second.make('sub_a');
    expect(after).not.toBe(before);
    expect(await Promise.all([first.read('sub_a'), first.read('sub_b')])).toEqual([after, undefined]);
    await first.forget('sub_a');
    expect(await second.read('sub_a')).toBeUndefined();
  });

  it('are refused to a host without the key, in a sentence; one with another key does not start', async () => {
    const { one, other } = await twoHosts();
    await one.open();
    const lacking = await other.open();
    expect([lacking.sealing, lacking.madeBy, lacking.isNew]).toEqual([undefined, one.platform.host, false]);
    const { ask } = await managed({}, { secrets: sharedSigningSecrets(lacking, other.platform) });
    const refused = await ask(`POST ${LIST}`, WISH);
    expect([refused.status, refused.body.code, refused.body.detail]).toEqual([
      409,
      'secret_elsewhere',
      `This machine cannot issue signing secrets: the desk key that ${one.platform.host} made is not here.`,
    ]);
    expect((await ask(`GET ${LIST}`)).body).toEqual({ data: [], count: 0 });
    writeFileSync(other.file, `desk_${'0'.repeat(64)}\n`, { mode: 0o600 });
    await expect(other.open()).rejects.toMatchObject({ kind: 'mirror', code: 'desk_key_wrong' });
    writeFileSync(other.file, 'whsec_1\n', { mode: 0o600 });
    await expect(other.open()).rejects.toThrow(`The file ${other.file} is no desk key.`);
  });

  it('have one desk key, also where two hosts make it at the same moment', async () => {
    const { one, other } = await twoHosts();
    const [first, second] = await Promise.all([one.open(), other.open()]);
    expect([first.isNew, second.isNew].sort()).toEqual([false, true]);
    expect([first.sealing, second.sealing].filter((sealing) => sealing === undefined)).toHaveLength(1);
  });

  it('cannot stand in for one another', async () => {
    const { address, one } = await twoHosts();
    const secrets = sharedSigningSecrets(await one.open(), one.platform);
    await secrets.make('sub_a');
    await secrets.make('sub_b');
    await sqlOn(
      address,
      `update secrets set sealed = (select sealed from secrets where name = 'sub_a') where name = 'sub_b'`,
    );
    await expect(secrets.read('sub_b')).rejects.toMatchObject({ code: 'desk_key_wrong' });
  });

  it('sign settlement records alike on every host, and all hosts list all public halves', async () => {
    const { one, other } = await twoHosts();
    const first = openSigning(sharedKeys(await one.open()), one.platform.random);
    copyFileSync(one.file, other.file);
    const second = openSigning(sharedKeys(await other.open()), other.platform.random);
    const signed = (await first(SECONDS)).sign(BYTES, SECONDS);
    expect((await second(SECONDS + 60)).sign(BYTES, SECONDS)).toEqual(signed);
    expect(await retireKeys(sharedKeys(await other.open()), SECONDS + 60)).toEqual([signed.key_id]);
    const next = (await first(SECONDS + 120)).sign(BYTES, SECONDS + 120);
    expect(next.key_id).not.toBe(signed.key_id);
    const listed = (await second(SECONDS + 120)).keys(SECONDS).map(({ key_id, status }) => [key_id, status]);
    expect(listed).toEqual(
      [
        [signed.key_id, 'retired'],
        [next.key_id, 'active'],
      ].sort(),
    );
  });

  it('are listed in public by a host without the key, which signs nothing', async () => {
    const { one, other } = await twoHosts();
    const key = (await openSigning(sharedKeys(await one.open()), one.platform.random)(SECONDS)).keys(SECONDS);
    const lacking = await openSigning(sharedKeys(await other.open()), other.platform.random)(SECONDS);
    expect(lacking.keys(SECONDS)).toEqual(key);
    expect(() => lacking.sign(BYTES, SECONDS)).toThrow(`the desk key that ${one.platform.host} made`);
  });
});
