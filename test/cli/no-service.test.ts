import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { testPlatform } from '../support/platform.ts';
import { macro } from '../support/run.ts';
import { SERVICE_URL, sandboxMirror, serviceOver } from '../support/service.ts';

const NOW = '2026-11-20T15:00:00Z';

const INIT = 'Choose a service with: macro init.';
const CHOOSE = `${INIT} Official data needs none: macro import ecb`;
const TABLES = `${INIT} Official data needs none: macro import --help`;

it('a question that nothing is held for names what brings it, not a sync that could ask nobody', async () => {
  const at = testPlatform();
  const hint = async (line: string) => {
    const { code, err } = await macro(`${line} --format json --quiet`, at);
    return [code, JSON.parse(err).code, JSON.parse(err).hint];
  };
  expect(await hint('fx eur usd --offline')).toEqual([3, 'no_mirror', CHOOSE]);
  writeFileSync(join(at.folder, 'rates.csv'), 'Date,USD,\n2026-11-20,1.1502,\n');
  await macro('import ecb rates.csv', at);
  expect(await hint('announcements usd inflation --offline')).toEqual([3, 'not_mirrored', TABLES]);
  const chosen = testPlatform({ env: { MACRO_BASE_URL: 'http://127.0.0.1:8787' } });
  const { err } = await macro('fx eur usd --offline --format json --quiet', chosen);
  expect(JSON.parse(err).hint).toContain('macro sync fx eur usd');
});

it.each([
  ['fx eur usd', CHOOSE],
  ['fx session eur usd --session london', CHOOSE],
  ['announcements aud wages', TABLES],
  ['curve aud', TABLES],
  ['cot jpy', `${INIT} Official data needs none: macro import cftc-legacy, macro import cftc-financial`],
  ['commodities gold', `${INIT} Official data needs none: macro import pink-sheet`],
  ['next usd', `${INIT} Official data needs none: macro import calendar --help`],
  ['commodities latest', `${INIT} Official data needs none: macro import pink-sheet`],
  ['announcements changes', `${INIT} No publisher offers this as a file.`],
  ['calendar versions eur cae_d16512a508', `${INIT} No publisher offers this as a file.`],
  ['press usd', `${INIT} No publisher offers this as a file.`],
])('%s without a service: only files that have it are named', async (line, cure) => {
  const { code, err } = await macro(`${line} --format json --quiet`);
  expect([code, JSON.parse(err).hint]).toEqual([4, `macro demo shows the tool without either. ${cure}`]);
});

it('changes that nobody gave a beginning say that they are those of a day', async () => {
  const told = async (line: string) => (await macro(line, { env: { MACRO_BASE_URL: 'http://127.0.0.1:8787' } })).err;
  const note = 'note: These are the changes of the last 24 hours; another beginning has --since, as in: --since -7d\n';
  expect((await told('announcements changes --offline')).startsWith(note)).toBe(true);
  expect(await told('announcements changes --since -2d --offline')).not.toContain('24 hours');
});

it.each([
  ['announcements usd inflatoin', 'inflatoin is none of the 94 indicators known for this route.', 'inflation'],
  ['fx eur usx', 'USX is none of the 18 currencies known for this route.', 'USD'],
  ['curve usq', 'USQ is none of the 32 currencies known for this route.', 'USD'],
  ['next uss', 'USS is none of the 46 currencies known for this route.', 'USD'],
])('%s is a wrong word, not a missing service', async (line, message, meant) => {
  expect(await macro(line)).toEqual({
    code: 2,
    out: '',
    err: `macro: ${message}\nDid you mean ${meant}? A service may know more: macro init chooses one.\n`,
  });
});

it('a currency that no list has is refused with those that can be answered here', async () => {
  const at = testPlatform();
  const refused = async (line: string) => (await macro(line, at)).err;
  const TABLE = 'AUD, BRL, CAD, CHF, CNH, CNY, DKK, EUR, GBP, ILS, JPY, NGN, NOK, NZD, PEN, SEK, THB, USD';
  const MORE = 'A service may know more: macro init chooses one.';
  expect(await refused('fx eur xau')).toBe(
    `macro: XAU is none of the 18 currencies known for this route.\nKnown are ${TABLE}. ${MORE}\n`,
  );
  writeFileSync(join(at.folder, 'rates.csv'), 'Date,USD,ZAR,\n2026-11-20,1.1502,19.38,\n');
  await macro('import ecb rates.csv --quiet', at);
  expect(await refused('fx eur xau')).toBe(
    `macro: XAU is none of the 19 currencies known for this route.\nThe mirror has EUR, USD, ZAR. ${MORE}\n`,
  );
});

it('a mirror that a setting names begins with a warning, and never in a folder that is not there', async () => {
  const at = testPlatform();
  writeFileSync(join(at.folder, 'rates.csv'), 'Date,USD,\n2026-11-20,1.1502,\n');
  const imported = (path: string) =>
    macro('import ecb rates.csv', {
      ...at,
      platform: { ...at.platform, env: { ...at.platform.env, MACRO_MIRROR: path } },
    });
  const folder = join(at.folder, 'disk');
  const path = join(folder, 'desk.db');
  expect(await imported(path)).toEqual({
    code: 2,
    out: '',
    err: `macro: There is no folder ${folder} for the mirror (MACRO_MIRROR).\nIf it is on a disk, mount that. For a new mirror: mkdir -p ${folder}\n`,
  });
  mkdirSync(folder);
  const note = 'note: Ask: macro fx eur usd\n';
  expect((await imported(path)).err).toBe(
    `warning: there is no mirror at ${path} (MACRO_MIRROR), so a new one begins\n${note}`,
  );
  expect((await imported(path)).err).toBe(note);
});

it('a typed mirror that is not there is named', async () => {
  expect(await macro('fx eur usd --mirror none.db')).toMatchObject({
    code: 3,
    err: expect.stringMatching(/^macro: There is no mirror at .*none\.db\.\n/),
  });
});

it('a partial answer out of files names the command that gets the file of their publisher', async () => {
  const at = testPlatform();
  const OFFICIAL = join(import.meta.dirname, '../fixtures/official');
  await macro(`import ${OFFICIAL}/treasury-par-yields-2022-03.csv`, at);
  await macro(`import fred ${OFFICIAL}/fred-unrate-2026.csv`, at);
  await macro(`import ${OFFICIAL}/ecb-eurofxref-2026-04-13.csv`, at);
  const cure = async (line: string) => (await macro(`${line} --quiet`, at)).err.trimEnd().split('\n').at(-1);
  expect(await cure('curve usd --date 2022-05-02')).toBe('Get the file of the publisher with: macro import treasury');
  expect(await cure('fx gbp jpy')).toBe('Get the file of the publisher with: macro import ecb');
  // What no file brought before is named with what has it.
  expect(await cure('latest usd')).toBe(
    'Get the file of the publisher with: macro import treasury && macro import fred UNRATE. Other parts are announcements latest usd, calendar usd. Choose a service with: macro init. Official data needs none: macro import calendar --help',
  );
});

it('an answer that needs a key says so, and not that dates are missing', async () => {
  const { platform: from } = testPlatform({ now: NOW });
  const service = await serviceOver(await sandboxMirror(from), from);
  const at = testPlatform({ now: NOW, env: { MACRO_BASE_URL: SERVICE_URL, MACRO_API_KEY: 'k' }, fetch: service.fetch });
  await macro('announcements eur inflation --start 2025-01-01 --quiet', at);
  const { MACRO_API_KEY: _, ...env } = at.platform.env;
  const keyless = { ...at, platform: { ...at.platform, env } };
  const said = async (line: string) => (await macro(`${line} --offline`, keyless)).err.trimEnd().split('\n');
  expect(await said('announcements eur inflation --start 2020-01-01 --fields date,val')).toEqual([
    'warning: these numbers are generated: synthetic data, not real',
    'macro: This answer is partial. Missing in the mirror: 2020-01-01 to 2024-12-31.',
    'This part needs an API key: macro auth login, then: macro sync announcements eur inflation',
  ]);
  expect((await said('fx eur usd')).at(-1)).toBe('It needs an API key: macro auth login, then: macro sync fx eur usd');
  await macro('announcements usd inflation --start 2020-01-01 --live --quiet', keyless);
  expect((await said('announcements usd inflation --start 2020-01-01')).at(-1)).toBe(
    'note: Without a key nothing before 2026-08-22 is in this answer.',
  );
});

it('a sync that wants a key says so at its end, in status, and with which words to begin again', async () => {
  const { platform: from } = testPlatform({ now: NOW });
  const service = await serviceOver(await sandboxMirror(from), from);
  const at = testPlatform({ now: NOW, env: { MACRO_BASE_URL: SERVICE_URL }, fetch: service.fetch });
  const failed = await macro('sync announcements eur inflation, calendar eur --quiet', at);
  expect([failed.code, failed.err.trimEnd().split('\n').at(-1)]).toEqual([
    4,
    'Store one with: macro auth login, or give it in MACRO_API_KEY.',
  ]);
  const { code, err } = await macro('status --check --format json', at);
  expect([code, JSON.parse(err)]).toMatchObject([
    6,
    {
      message: expect.stringContaining('Store one with: macro auth login'),
      hint: 'To see why: macro doctor. To try again: macro sync announcements eur inflation, calendar eur',
    },
  ]);
});
