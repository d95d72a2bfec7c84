import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { testPlatform } from '../support/platform.ts';
import { macro } from '../support/run.ts';
import { scriptUpstream } from '../support/upstream.ts';

const KEY = 'canary-key-7f3a';
const URL_OPTION = '--base-url https://svc.example';

describe('macro profile', () => {
  it('adds, lists, uses and removes services', async () => {
    const at = testPlatform();
    const config = join(at.folder, 'macro', 'config.json');
    expect(await macro('profile add work --base-url https://svc.example/', at)).toEqual({
      code: 0,
      out: '',
      err: `note: Profile work (https://svc.example) is stored in ${config} and used from now on.\n`,
    });
    await macro(
      'profile add local --base-url http://127.0.0.1:8787 --mirror local.db --header-prefix X-LOCAL --quiet',
      at,
    );
    expect((await macro('profile list', at)).out).toBe(
      'name\tbase_url\tmirror\tin_use\nwork\thttps://svc.example\t\ttrue\nlocal\thttp://127.0.0.1:8787\tlocal.db\tfalse\n',
    );
    expect((await macro('profile use local --quiet', at)).code).toBe(0);
    expect((await macro('config get base-url', at)).out).toBe('http://127.0.0.1:8787\n');
    await macro('profile remove local --quiet', at);
    expect((await macro('profile list --format ndjson', at)).out).toBe(
      '{"name":"work","base_url":"https://svc.example","mirror":null,"in_use":false}\n',
    );
    expect(statSync(config).mode & 0o777).toBe(0o600);
  });

  it.each([
    ['profile use wrok', "There is no profile 'wrok'.", 'Did you mean work? Profiles are work.'],
    ['profile remove x', "There is no profile 'x'.", 'Profiles are work.'],
    [
      'profile add new',
      'macro profile add needs the address of the service.',
      'Type: macro profile add new --base-url https://api.example.com',
    ],
    [
      'profile add a/b --base-url https://x.example',
      "'a/b' cannot be the name of a profile.",
      'Names are letters, digits, dots, dashes and underscores, at most 40.',
    ],
    ['profile add', 'macro profile add takes one word: NAME.', 'See macro profile add --help.'],
  ])('%s is exit 2', async (line, message, hint) => {
    const at = testPlatform();
    await macro(`profile add work ${URL_OPTION}`, at);
    expect(await macro(line, at)).toEqual({ code: 2, out: '', err: `macro: ${message}\n${hint}\n` });
  });

  it.each([
    'http://svc.example',
    'ftp://svc.example',
    'https://u:p4ss@svc.example',
    'svc.example',
    'https://svc.example?key=p4ss',
  ])('refuses the address %s', async (address) => {
    const { code, err } = await macro(`profile add work --base-url ${address}`);
    expect(code).toBe(2);
    expect(err).not.toContain('p4ss');
  });
});

describe('macro config', () => {
  it('keeps settings, forgets them, and tells where each comes from', async () => {
    const at = testPlatform({ env: { MACRO_API_KEY: KEY, MACRO_BASE_URL: 'https://svc.example' } });
    await macro('config set format csv --quiet', at);
    await macro('track add fx eur usd, calendar usd --quiet', at);
    expect((await macro('config get tracks', at)).out).toBe('fx eur usd, calendar usd\n');
    const { out } = await macro('config explain --format ndjson', at);
    const told = Object.fromEntries(
      out
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line))
        .map((row) => [row.name, [row.value, row.from]]),
    );
    expect(told).toMatchObject({
      format: ['ndjson', '--format'],
      fields: [null, 'default'],
      tracks: ['fx eur usd, calendar usd', join(at.folder, 'macro', 'config.json')],
      'base-url': ['https://svc.example', 'MACRO_BASE_URL'],
      mirror: [join(at.folder, 'macro', 'mirrors', 'default.db'), 'default'],
      key: ['present', 'MACRO_API_KEY'],
    });
    expect(out).not.toContain(KEY);
    await macro('config set format --quiet', at);
    expect((await macro('config get format', at)).out).toBe('\n');
  });

  it.each([
    ['config get colour', "There is no setting 'colour'."],
    ['config get', 'macro config get needs a name.'],
    ['config set base-url https://x.example', "There is no setting 'base-url'."],
    ['config set selection x', 'Tracked series are not set here.'],
    ['config set format xml', "There is no format 'xml'."],
    ['config set profile nobody', "There is no profile 'nobody'."],
  ])('%s is exit 2', async (line, message) => {
    const { code, err } = await macro(line);
    expect([code, err.split('\n')[0]]).toEqual([2, `macro: ${message}`]);
  });
});

describe('macro auth', () => {
  it('keeps the key of an origin in a file that only its owner reads, and says so', async () => {
    const at = testPlatform({ stdin: `${KEY}\n` });
    const path = join(at.folder, 'macro', 'state', 'keys', 'https_svc.example.key');
    expect(await macro(`auth login ${URL_OPTION} --offline`, at)).toEqual({
      code: 0,
      out: '',
      err: `warning: the key for https://svc.example is stored unencrypted in ${path}, readable by you only\n`,
    });
    expect([readFileSync(path, 'utf8'), statSync(path).mode & 0o777]).toEqual([`${KEY}\n`, 0o600]);
    const { out } = await macro(`auth status ${URL_OPTION} --format ndjson`, at);
    expect(JSON.parse(out)).toMatchObject({ service: 'https://svc.example', key: 'present', from: path });
    expect(out).not.toContain(KEY);
    expect((await macro(`auth logout ${URL_OPTION}`, at)).err).toBe(`note: The key in ${path} is removed.\n`);
    expect(existsSync(path)).toBe(false);
  });

  it('sends a stored key to its own origin only', async () => {
    const asked = { body: { status: 'ok', service: 'x' } };
    const upstream = scriptUpstream([
      { ...asked, request: 'GET /v1/health', sent: { 'x-api-key': KEY } },
      { ...asked, request: 'GET /v1/health', sent: { 'x-api-key': null } },
    ]);
    const at = testPlatform({ stdin: KEY, fetch: upstream.fetch });
    await macro(`auth login ${URL_OPTION} --offline`, at);
    await macro(`health ${URL_OPTION}`, at);
    await macro('health --base-url https://other.example', at);
    upstream.verify();
  });

  it('does not use a key file that others can read', async () => {
    const at = testPlatform({ stdin: KEY });
    await macro(`auth login ${URL_OPTION} --offline`, at);
    chmodSync(join(at.folder, 'macro', 'state', 'keys', 'https_svc.example.key'), 0o644);
    const { code, err } = await macro(`auth status ${URL_OPTION}`, at);
    expect([code, err]).toEqual([4, expect.stringMatching(/^macro: Others can read the key file .*\nRun chmod 600 /)]);
  });

  it('takes the first key of the environment', async () => {
    const at = testPlatform({ env: { FXMD_API_KEY: 'third', FXMACRODATA_API_KEY: 'second', MACRO_API_KEY: '' } });
    expect((await macro(`auth status ${URL_OPTION} --fields from --no-header`, at)).out).toBe('FXMACRODATA_API_KEY\n');
  });

  it.each([
    ['auth login', 4, 'No service is chosen, so there is no key to keep or to show.'],
    [`auth login ${KEY} ${URL_OPTION}`, 2, 'macro auth login takes no words.'],
    [`auth login ${URL_OPTION} --offline`, 2, 'No key was given.'],
  ])('%s is refused', async (line, exit, message) => {
    const { code, err } = await macro(line, { stdin: '' });
    expect([code, err.split('\n')[0]]).toEqual([exit, `macro: ${message}`]);
    expect(err).not.toContain(KEY);
  });
});

describe('macro init', () => {
  it('works without a person: options for the service, standard input for the key', async () => {
    const at = testPlatform({ stdin: KEY });
    const { code, err } = await macro(
      'init --base-url https://svc.example --profile work --key-stdin --yes --offline',
      at,
    );
    expect([code, err.split('\n').length]).toEqual([0, 5]);
    expect(err).not.toContain(KEY);
    expect((await macro('auth status --fields service,key --no-header', at)).out).toBe(
      'https://svc.example\tpresent\n',
    );
    expect((await macro('config get profile', at)).out).toBe('work\n');
  });

  it('says so when no key came', async () => {
    const at = testPlatform({ stdin: '\n' });
    const { code, err } = await macro('init --base-url https://svc.example --key-stdin --yes --offline', at);
    expect([code, err]).toEqual([0, expect.stringContaining('note: No key was given, so none is stored.\n')]);
  });

  it('says what it needs when there is nobody to ask', async () => {
    expect(await macro('init')).toEqual({
      code: 2,
      out: '',
      err: 'macro: macro init needs the address of the service.\nType: macro init --base-url https://api.example.com --profile work --yes\n',
    });
  });
});

describe('macro mirror', () => {
  it('tells what is held', async () => {
    const at = testPlatform();
    writeFileSync(join(at.folder, 'rates.csv'), 'Date,USD,JPY,\n2026-11-20,1.1502,178.20,\n2026-11-19,1.1490,N/A,\n');
    const imported = await macro('import ecb rates.csv', at);
    expect(imported.out).toBe(
      'format\tfile\tseries\trows\tadded\trevised\tvanished\tunchanged\tfrom\tto\necb\trates.csv\t2\t3\t3\t0\t0\t0\t2026-11-19\t2026-11-20\n',
    );
    expect((await macro('mirror status', at)).out).toBe(
      'series\torigin\trows\tfrom\tto\tas_of\tproven\n' +
        'fx eur jpy\timport:ECB\t1\t2026-11-20\t2026-11-20\t2026-11-21T05:46:13Z\t2026-11-19..2026-11-20\n' +
        'fx eur usd\timport:ECB\t2\t2026-11-19\t2026-11-20\t2026-11-21T05:46:13Z\t2026-11-19..2026-11-20\n',
    );
    expect((await macro('mirror path', at)).out).toBe(`${join(at.folder, 'macro', 'mirrors', 'default.db')}\n`);
  });

  it('names each range that is proven, and none of what lies between', async () => {
    const at = testPlatform();
    const days = ['2005-01-04', '2010-03-02', '2012-06-05', '2025-01-07', '2026-11-20'];
    const imported = async (chosen: readonly string[]) => {
      const files = chosen.map((day) => `rates-${day}.csv`);
      for (const day of chosen) writeFileSync(join(at.folder, `rates-${day}.csv`), `Date,USD,\n${day},1.15,\n`);
      expect((await macro(`import ecb ${files.join(' ')}`, at)).code).toBe(0);
      const shown = async (format: string) => (await macro(`mirror status --format ${format}`, at)).out;
      return [await shown('tsv'), await shown('json')];
    };
    const rows = (count: number, proven: string) =>
      'series\torigin\trows\tfrom\tto\tas_of\tproven\n' +
      `fx eur usd\timport:ECB\t${count}\t2005-01-04\t2026-11-20\t2026-11-21T05:46:13Z\t${proven}\n`;
    const ranges = (chosen: readonly string[]) => chosen.map((day) => ({ from: day, to: day }));

    const [tsv, json = ''] = await imported(['2005-01-04', '2026-11-20']);
    expect(tsv).toBe(rows(2, '2005-01-04..2005-01-04, 2026-11-20..2026-11-20'));
    expect(JSON.parse(json).data).toEqual([
      {
        series: 'fx eur usd',
        origin: 'import:ECB',
        rows: 2,
        from: '2005-01-04',
        to: '2026-11-20',
        as_of: '2026-11-21T05:46:13Z',
        proven: '2005-01-04..2005-01-04, 2026-11-20..2026-11-20',
        proven_ranges: ranges(['2005-01-04', '2026-11-20']),
      },
    ]);

    const [many, whole = ''] = await imported(days.slice(1, 4));
    expect(many).toBe(rows(5, '2005-01-04..2005-01-04, 2010-03-02..2010-03-02, 2012-06-05..2012-06-05 … and 2 more'));
    expect(JSON.parse(whole).data[0].proven_ranges).toEqual(ranges(days));
    expect((await macro('mirror status --fields proven_ranges --no-header --format tsv', at)).out).toContain(
      '2025-01-07',
    );
  });

  it('leaves no mirror behind when the file cannot be read', async () => {
    const at = testPlatform({ stdin: 'not a table' });
    expect((await macro('import ecb -', at)).code).toBe(2);
    expect(existsSync(join(at.folder, 'macro', 'mirrors', 'default.db'))).toBe(false);
  });

  it('says that a folder is none', async () => {
    const at = testPlatform();
    expect(await macro('mirror status --mirror .', at)).toEqual({
      code: 8,
      out: '',
      err: `macro: ${at.folder} is a folder, not a mirror.\nName a file in it with --mirror, such as --mirror rates.db.\n`,
    });
  });

  it('says to whom a file of its own belongs from now on', async () => {
    const body = { source_policy: { value_field: 'price' }, sources: [{ id: 'ecb', name: 'ECB' }] };
    const upstream = scriptUpstream([{ request: 'GET /v1/fx/sources', body }]);
    const at = testPlatform({ stdin: 'Date,USD,\n2026-11-20,1.1502,\n', fetch: upstream.fetch });
    await macro('import ecb -', at);
    const path = join(at.folder, 'macro', 'mirrors', 'default.db');
    expect((await macro(`fx sources ${URL_OPTION}`, at)).err).toBe(
      `note: The mirror ${path} belongs to https://svc.example from now on.\n`,
    );
  });

  it('takes a file from standard input', async () => {
    const at = testPlatform({ stdin: 'Date,USD,\n2026-11-20,1.1502,\n' });
    expect((await macro('import ecb - --fields series,rows --no-header', at)).out).toBe('1\t1\n');
  });

  it('says that there is none', async () => {
    const { code, err } = await macro('mirror status');
    expect([code, err]).toEqual([
      3,
      expect.stringMatching(/^macro: There is no mirror at .*default\.db\.\nChoose a service with: macro init/),
    ]);
  });

  it.each([
    ['import ecb nowhere.csv', 2],
    ['import fred', 2],
    ['import ecb a b', 2],
  ])('%s is exit %i', async (line, exit) => {
    expect((await macro(line)).code).toBe(exit);
  });
});

describe('macro openapi', () => {
  it('prints the document, or writes it', async () => {
    const at = testPlatform();
    const { code, out } = await macro('openapi', at);
    expect([code, JSON.parse(out).openapi, out.endsWith('}\n')]).toEqual([0, '3.1.0', true]);
    await macro('openapi -o api.json', at);
    expect(readFileSync(join(at.folder, 'api.json'), 'utf8')).toBe(out);
    expect(readdirSync(at.folder).sort()).toEqual(['api.json', 'home']);
  });
});

describe('macro sync', () => {
  it.each([
    ['sync fx eur usd', 4, 'No service is chosen, so there is nothing to sync from.'],
    [`sync ${URL_OPTION}`, 2, 'Nothing is named and nothing is tracked.'],
    [`sync weather berlin ${URL_OPTION}`, 2, "'weather berlin' names nothing that a mirror keeps."],
  ])('%s is refused', async (line, exit, message) => {
    const { code, err } = await macro(line);
    expect([code, err.split('\n')[0]]).toEqual([exit, `macro: ${message}`]);
  });

  it('brings a document into the mirror, which then answers', async () => {
    const body = { source_policy: { value_field: 'price' }, sources: [{ id: 'ecb', name: 'ECB' }] };
    const upstream = scriptUpstream([{ request: 'GET /v1/fx/sources', body }]);
    const at = testPlatform({ fetch: upstream.fetch, env: { MACRO_BASE_URL: 'https://svc.example' } });
    const { code, out } = await macro('sync fx sources --fields series,outcome,requests,added --no-header', at);
    expect([code, out]).toEqual([0, 'fx sources\tcomplete\t1\t1\n']);
    expect((await macro('fx sources --offline --fields id,name --no-header', at)).out).toBe('ecb\tECB\n');
    upstream.verify();
  });

  it('leaves with the code of what stopped it', async () => {
    const upstream = scriptUpstream([
      { request: 'GET /v1/fx/sources', status: 404, body: { detail: 'gone', code: 'not_found', error: 'not_found' } },
    ]);
    const at = testPlatform({ fetch: upstream.fetch, env: { MACRO_BASE_URL: 'https://svc.example' } });
    const { code, out, err } = await macro('sync fx sources --fields outcome --no-header', at);
    expect([code, out, err.split('\n')[0]]).toEqual([
      3,
      'failed\n',
      'macro: 1 of 1 series is not complete: fx sources: gone. (not_found)',
    ]);
  });
});
