import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { KEYS, RECORD } from '../derive/settlement/vector.ts';
import { type TestPlatform, testPlatform } from '../support/platform.ts';
import { macro } from '../support/run.ts';
import { scriptUpstream } from '../support/upstream.ts';

/** A world with the record of the specification's vector and its keys as files; no request is expected. */
function world(record: string | Uint8Array = RECORD, more: Parameters<typeof testPlatform>[0] = {}): TestPlatform {
  const at = testPlatform(more);
  writeFileSync(join(at.folder, 'record.json'), record);
  writeFileSync(join(at.folder, 'keys.json'), JSON.stringify(KEYS));
  return at;
}

const DIGEST = 'c6aa4746e3c547c9f7a0d682e3ea2303d7b9569675ae9e05194043eb0ddf85d0';
const ID = 'ed25519-56475aa75463474c';

describe('macro settlement verify', () => {
  it('is exit 0 for a signature that holds, and prints what it judged', async () => {
    const ran = await macro('settlement verify record.json --keys keys.json --format ndjson', world());
    expect([ran.code, ran.err]).toEqual([0, '']);
    expect(JSON.parse(ran.out)).toEqual({
      result: 'valid',
      reason: 'signature_holds',
      contract_id: 'usd_inflation_threshold',
      currency: 'USD',
      indicator: 'inflation',
      period: '2026-09-30',
      status: 'settled',
      key_id: ID,
      key_status: 'active',
      signed_at: '2026-10-14T12:30:03Z',
      sha256: DIGEST,
      detail: `The signature of ${ID} holds.`,
    });
  });

  it('reads standard input, with the mark that some programs put before UTF-8', async () => {
    const ran = await macro('settlement verify - --keys keys.json', world('', { stdin: `\ufeff${RECORD}` }));
    expect([ran.code, ran.out.split('\n')[1]?.split('\t')[0]]).toEqual([0, 'valid']);
  });

  it.each([
    ['an altered value', RECORD.replace('3.2', '3.3'), 9, 'invalid', 'altered'],
    ['another signature', RECORD.replace('Mi00', 'Mi01'), 9, 'invalid', 'wrong_signature'],
    ['half of a file', RECORD.slice(0, 400), 9, 'invalid', 'not_a_record'],
    ['bytes that are no text', Uint8Array.of(0xff, 0xfe, 0x7b), 9, 'invalid', 'not_a_record'],
    ['a record without attestation', '{"status":"settled"}', 10, 'unsigned', 'no_attestation'],
    ['another key', RECORD.replace(ID, 'ed25519-ffffffffffffffff'), 3, 'unknown_key', 'key_not_known'],
  ] as const)('%s', async (_, record, code, result, reason) => {
    const ran = await macro('settlement verify record.json --keys keys.json --format json', world(record));
    expect(ran.code).toBe(code);
    expect(JSON.parse(ran.out).data[0]).toMatchObject({ result, reason });
    expect(JSON.parse(ran.err)).toMatchObject({ code: reason });
  });

  it('knows no key without a file and without a mirror, and says where to get them', async () => {
    expect(await macro('settlement verify record.json --quiet', world())).toMatchObject({
      code: 3,
      err: `macro: The record is signed with '${ID}', which is not among the keys (none is known).\nBring the publisher’s keys with macro sync settlement keys, or name a file with --keys.\n`,
    });
  });

  it('takes the keys that a sync has brought into the mirror', async () => {
    const upstream = scriptUpstream([{ request: 'GET /v1/settlement/keys', body: KEYS }]);
    const at = world(RECORD, { fetch: upstream.fetch });
    expect((await macro('sync settlement keys --base-url https://svc.example', at)).code).toBe(0);
    upstream.verify();
    const ran = await macro('settlement verify record.json', at);
    expect([ran.code, ran.out.split('\n')[1]?.split('\t')[0]]).toEqual([0, 'valid']);
  });

  it.each([
    ['settlement verify', 'macro settlement verify takes one word: FILE (- for standard input).'],
    [
      'settlement verify record.json other.json',
      'macro settlement verify takes one word: FILE (- for standard input).',
    ],
    ['settlement verify record.json --keys record.json', 'record.json has no public keys.'],
  ])('%s is exit 2', async (line, message) => {
    const ran = await macro(line, world('{}'));
    expect([ran.code, ran.out, ran.err.split('\n')[0]]).toEqual([2, '', `macro: ${message}`]);
  });

  it('cannot read a file that is not there', async () => {
    const ran = await macro('settlement verify nowhere.json', world());
    expect([ran.code === 0, ran.out]).toEqual([false, '']);
  });
});

describe('macro settlement', () => {
  it('prints a record as received, so that what it prints can be judged', async () => {
    const body = RECORD.replace('"contract_id":"usd_inflation_threshold",', '');
    const request = 'GET /v1/settlement/USD/inflation?period=latest&strike=3&comparison=gt';
    const upstream = scriptUpstream([{ request, body }]);
    const at = world(RECORD, { fetch: upstream.fetch });
    const asked = 'settlement record usd inflation --strike 3 --comparison gt --format json';
    const live = await macro(`${asked} --base-url https://svc.example`, at);
    upstream.verify();
    expect([live.code, live.out]).toEqual([0, `${body}\n`]);
    const offline = await macro(`${asked} --offline`, at);
    expect([offline.code, offline.out]).toEqual([0, `${body}\n`]);
    const row = await macro('settlement record usd inflation --strike 3 --comparison gt --offline', at);
    expect(row.out.split('\n').map((line) => line.split('\t').slice(0, 4))).toEqual([
      ['period', 'status', 'settlement_value', 'latest_value'],
      ['2026-09-30', 'settled', '3.2', '3.0'],
      [''],
    ]);
  });

  it('says that a record was computed here and that nobody vouches for it', async () => {
    const at = world();
    const row = { date: '2026-09-30', val: 3.0, announcement_datetime: 1791981000, vintage_status: 'source_vintage' };
    const body = {
      currency: 'USD',
      indicator: 'inflation',
      data: [row],
      pagination: { limit: 100, offset: 0, returned_count: 1, total_count: 1, has_more: false },
    };
    const fetch = async () => new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json' } });
    const filled = { ...at, platform: { ...at.platform, fetch } };
    await macro('announcements usd inflation --live --base-url https://svc.example', filled);
    const ran = await macro('settlement record usd inflation --offline --allow-partial --format json', filled);
    expect(ran.code).toBe(0);
    const message = 'This record was computed from the mirror: the service has not vouched for it.';
    expect(JSON.parse(ran.err)).toEqual({ level: 'note', code: 'about_answer', message });
    writeFileSync(join(at.folder, 'own.json'), ran.out);
    expect((await macro('settlement verify own.json --quiet', at)).code).toBe(10);
    expect(JSON.parse(readFileSync(join(at.folder, 'own.json'), 'utf8'))).toMatchObject({
      status: 'settled',
      settlement_value: 3,
    });
  });
});
