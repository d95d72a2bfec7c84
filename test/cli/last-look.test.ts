import { join } from 'node:path';
import { expect, it } from 'vitest';
import { freshFolder, testPlatform } from '../support/platform.ts';
import { macro } from '../support/run.ts';
import { SERVICE_URL, sandboxMirror, serviceOver } from '../support/service.ts';

/** The sandbox of one day is asked for two mornings, and the question is put at noon of the second. */
const NOW = '2026-11-20T15:00:00Z';
const LOOKED = '2026-11-20T15:00:00Z';
const MOMENT = '2026-11-21T08:00:00Z';
const ASK = 'announcements usd inflation --offline --start 2026-01-01 --end 2026-10-31 --limit 3';

it('an answer as of a moment behind the last look is partial in every format, until the named command has run', async () => {
  const folder = freshFolder();
  const upstream = testPlatform({ now: NOW });
  const { fetch } = await serviceOver(await sandboxMirror(upstream.platform), upstream.platform);
  const env = { MACRO_BASE_URL: SERVICE_URL, MACRO_API_KEY: 'k-test' };
  const at = (now: string) => (line: string) =>
    macro(`${line} --mirror ${join(folder, 'm.db')}`, testPlatform({ folder, now, env, fetch }));
  expect((await at(LOOKED)('sync announcements usd inflation')).code).toBe(0);

  const later = at('2026-11-21T12:00:00Z');
  const missing = [{ from: LOOKED, to: MOMENT }];
  const held = await later(`${ASK} --format csv`);
  expect(held.code).toBe(0);
  const csv = await later(`${ASK} --as-of ${MOMENT} --quiet --format csv --fields date,val`);
  expect([csv.code, csv.out.split('\n').length]).toEqual([10, 5]);
  expect(csv.err).toContain(`Missing in the mirror: ${LOOKED} to ${MOMENT}`);
  const table = await later(`${ASK} --as-of ${MOMENT} --format table`);
  expect(table.out).toContain(`PARTIAL, without ${LOOKED} to ${MOMENT}`);
  const json = await later(`${ASK} --as-of ${MOMENT} --format json --quiet`);
  expect([json.code, JSON.parse(json.out).mirror.missing]).toEqual([10, missing]);
  const { hint } = JSON.parse(json.err.trim().split('\n').at(-1) ?? '');
  const panel = await later(`panel --series usd/inflation --at ${MOMENT} --offline --quiet --format json`);
  expect([panel.code, JSON.parse(panel.out).data[0].values[0].reason]).toEqual([10, 'not_known_then']);
  expect((await later(`${ASK} --as-of ${MOMENT} --allow-partial`)).code).toBe(0);

  const [, cure] = /^Complete it with: macro (.+)$/.exec(hint) ?? [];
  expect(cure).toBe('sync announcements usd inflation');
  expect((await later(`${cure}`)).code).toBe(0);
  const cured = await later(`${ASK} --as-of ${MOMENT} --format json`);
  expect([cured.code, JSON.parse(cured.out).mirror]).toEqual([0, undefined]);
  expect((await later(`panel --series usd/inflation --at ${MOMENT} --offline`)).code).toBe(0);
});

it('the newest record is refused once a newer period may have come behind the last check', async () => {
  const folder = freshFolder();
  const upstream = testPlatform({ now: NOW });
  const { fetch } = await serviceOver(await sandboxMirror(upstream.platform), upstream.platform);
  const env = { MACRO_BASE_URL: SERVICE_URL, MACRO_API_KEY: 'k-test' };
  const at = (now: string) => (line: string) =>
    macro(`${line} --mirror ${join(folder, 'm.db')}`, testPlatform({ folder, now, env, fetch }));
  await at(LOOKED)(
    'sync announcements usd inflation, announcements usd policy_rate, settlement record usd unemployment',
  );
  const records = ['record usd inflation', 'record usd policy_rate', 'contract usd_inflation_threshold'];
  for (const record of [...records, 'record usd unemployment']) {
    const code = async (now: string, more = '') =>
      (await at(now)(`settlement ${record}${more} --offline --format json`)).code;
    expect([record, await code('2026-11-21T12:00:00Z'), await code('2026-12-30T12:00:00Z')]).toEqual([record, 0, 10]);
  }
  const period = 'settlement record usd inflation --period 2026-10-31 --offline --format json';
  expect((await at('2026-12-30T12:00:00Z')(period)).code).toBe(0);
  const { err } = await at('2026-12-30T12:00:00Z')('settlement record usd inflation --offline');
  expect(err).toContain(
    'Missing: announcements usd inflation 2026-11-21 to 2026-12-30. Complete it with: macro sync announcements usd inflation',
  );
});
