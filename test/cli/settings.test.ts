import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { configPath, foldersOf, writeConfig } from '../../src/cli/app/config-file.ts';
import { readSettings } from '../../src/cli/app/settings.ts';
import type { Options } from '../../src/cli/parse/options.ts';
import { type TestPlatform, type TestPlatformOptions, testPlatform } from '../support/platform.ts';
import { macro } from '../support/run.ts';

interface Given {
  readonly options?: Options;
  readonly env?: TestPlatformOptions['env'];
  readonly project?: unknown;
  readonly config?: unknown;
}

function settingsOf({ options = {}, env = {}, project, config }: Given) {
  const at = testPlatform({ env });
  if (project !== undefined) writeFileSync(join(at.folder, '.macrorc.json'), JSON.stringify(project));
  if (config !== undefined) {
    mkdirSync(join(at.folder, 'macro'), { recursive: true });
    writeFileSync(join(at.folder, 'macro', 'config.json'), JSON.stringify(config));
  }
  return { at, read: () => readSettings(at.platform, options) };
}

const WORK = { baseUrl: 'https://work.example', mirror: 'work.db', headerPrefix: 'X-WORK' };
const HOME = { baseUrl: 'https://home.example' };

describe('a setting', () => {
  const config = { format: 'md', profile: 'work', mirror: 'config.db', profiles: { work: WORK, home: HOME } };

  it('of the command line beats all others', () => {
    const { read, at } = settingsOf({
      options: { format: 'csv', profile: 'home', 'base-url': 'https://option.example', mirror: 'option.db' },
      env: { MACRO_PROFILE: 'work', MACRO_BASE_URL: 'https://env.example', MACRO_MIRROR: 'env.db' },
      project: { format: 'json', profile: 'work' },
      config,
    });
    const { format, profile, baseUrl, mirror } = read();
    expect({ format, profile, baseUrl, mirror }).toEqual({
      format: { value: 'csv', from: '--format' },
      profile: { value: 'home', from: '--profile' },
      baseUrl: { value: 'https://option.example', from: '--base-url' },
      mirror: { value: join(at.folder, 'option.db'), from: '--mirror' },
    });
  });

  it('of the environment beats files', () => {
    const { read, at } = settingsOf({
      env: { MACRO_PROFILE: 'home', MACRO_BASE_URL: 'https://env.example', MACRO_MIRROR: '/env.db' },
      project: { profile: 'work' },
      config,
    });
    const { profile, baseUrl, mirror } = read();
    expect([profile, baseUrl, mirror, at.folder !== '']).toEqual([
      { value: 'home', from: 'MACRO_PROFILE' },
      { value: 'https://env.example', from: 'MACRO_BASE_URL' },
      { value: '/env.db', from: 'MACRO_MIRROR' },
      true,
    ]);
  });

  it('of the project file beats the user’s own', () => {
    const { read, at } = settingsOf({
      project: { format: 'json', profile: 'home', fields: 'date,val', selection: ['fx eur usd'] },
      config,
    });
    const place = join(at.folder, '.macrorc.json');
    const { format, profile, baseUrl, fields, tracks } = read();
    expect({ format, profile, baseUrl, fields, tracks }).toEqual({
      format: { value: 'json', from: place },
      profile: { value: 'home', from: place },
      baseUrl: { value: 'https://home.example', from: 'profile home' },
      fields: { value: ['date', 'val'], from: place },
      tracks: { value: ['fx eur usd'], from: place },
    });
  });

  it('of the profile beats the configuration around it', () => {
    const { read, at } = settingsOf({ config });
    const { format, baseUrl, mirror, headerPrefix } = read();
    expect({ format, baseUrl, mirror, headerPrefix }).toEqual({
      format: { value: 'md', from: join(at.folder, 'macro', 'config.json') },
      baseUrl: { value: 'https://work.example', from: 'profile work' },
      mirror: { value: join(at.folder, 'work.db'), from: 'profile work' },
      headerPrefix: { value: 'X-WORK', from: 'profile work' },
    });
  });

  it('has a default, which names no service', () => {
    const { read, at } = settingsOf({});
    const { format, profile, baseUrl, mirror } = read();
    expect({ format, profile, baseUrl, mirror }).toEqual({
      format: { value: undefined, from: 'default' },
      profile: { value: undefined, from: 'default' },
      baseUrl: { value: undefined, from: 'default' },
      mirror: { value: join(at.folder, 'macro', 'mirrors', 'default.db'), from: 'default' },
    });
  });

  it('of a profile without a mirror is one by its name', () => {
    const { read, at } = settingsOf({ options: { profile: 'home' }, config });
    expect(read().mirror.value).toBe(join(at.folder, 'config.db'));
    const bare = settingsOf({ options: { profile: 'home' }, config: { profiles: { home: HOME } } });
    expect(bare.read().mirror.value).toBe(join(bare.at.folder, 'macro', 'mirrors', 'home.db'));
    expect(at.folder).not.toBe(bare.at.folder);
  });
});

describe('a project file', () => {
  it('may not name an address, a mirror or a key: they are ignored, with a warning', () => {
    const { read, at } = settingsOf({
      project: { baseUrl: 'https://evil.example', mirror: '/tmp/x.db', apiKey: 'x', format: 'csv' },
    });
    const { baseUrl, mirror, format, warnings } = read();
    expect([baseUrl.value, mirror.from, format.value]).toEqual([undefined, 'default', 'csv']);
    expect(warnings).toEqual([
      `${join(at.folder, '.macrorc.json')} may not set baseUrl, mirror, apiKey: a folder may choose format, fields, selection and a profile's name, nothing else.`,
    ]);
  });

  it('is found in a folder above', () => {
    const at = testPlatform();
    const below = join(at.folder, 'a', 'b');
    mkdirSync(below, { recursive: true });
    writeFileSync(join(at.folder, '.macrorc.json'), '{"format":"md"}');
    expect(readSettings({ ...at.platform, cwd: below }, {}).format.value).toBe('md');
  });

  it.each([
    ['{"format":5}', "'format' is not a text"],
    ['[1]', 'it is not a JSON object'],
    ['{', 'it is not valid JSON'],
    ['{"selection":[1]}', "'selection' is not a list of texts"],
  ])('that says %s is refused', (text, why) => {
    const at = testPlatform();
    writeFileSync(join(at.folder, '.macrorc.json'), text);
    expect(() => readSettings(at.platform, {})).toThrow(`Cannot use ${join(at.folder, '.macrorc.json')}: ${why}.`);
  });
});

describe('a profile that does not exist', () => {
  it('is refused with those that do', () => {
    const { read } = settingsOf({ env: { MACRO_PROFILE: 'wrok' }, config: { profiles: { work: WORK, home: HOME } } });
    expect(read).toThrow(
      expect.objectContaining({
        kind: 'usage',
        message: "There is no profile 'wrok' (from MACRO_PROFILE).",
        hint: 'Did you mean work? Profiles are work, home.',
      }),
    );
  });
});

describe('a setting that cannot be taken', () => {
  const [PROJECT, CONFIG] = ['.macrorc.json', 'macro/config.json'];
  const service = 'https://api.example.test';
  const nothing = "'nonsense' names nothing that a mirror keeps.";
  const prefix = 'The header prefix of the service must be letters, digits and hyphens.';

  it.each([
    [PROJECT, { format: 'xml' }, 'fx eur usd --offline', "There is no format 'xml'."],
    [PROJECT, { selection: ['nonsense'] }, `sync --plan --base-url ${service}`, nothing],
    [PROJECT, { selection: ['nonsense'] }, 'status', nothing],
    [PROJECT, { selection: ['nonsense'] }, 'track list', nothing],
    [CONFIG, { format: 'xml' }, 'fx eur usd --offline', "There is no format 'xml'."],
    [CONFIG, { mirror: 'mysql://x' }, 'fx eur usd --offline', 'A mirror cannot be at mysql://.'],
    [CONFIG, { profile: 'a', profiles: { a: { baseUrl: service, headerPrefix: 'X SVC' } } }, 'ping', prefix],
  ])('is told with the file %s that it stands in: %j', async (name, content, line, message) => {
    const { at } = settingsOf(name === PROJECT ? { project: content } : { config: content });
    const { code, out, err } = await macro(line, at);
    const place = 'profile' in content ? 'profile a' : join(at.folder, name);
    expect([code, out, err.split('\n')[0]]).toEqual([2, '', `macro: ${message} It comes from ${place}.`]);
  });

  it.each([
    ['MACRO_MIRROR', 'postgres://h/d?shema=x', 2, "The address of a mirror has no parameter 'shema'."],
    ['MACRO_BASE_URL', 'example', 2, 'The service address is not a URL.'],
    ['MACRO_BASE_URL', 'http://a.test', 2, 'The address of a.test is plain http.'],
    ['MACRO_API_KEY', 'é', 4, 'The API key has characters outside printable ASCII.'],
  ])('is told with the variable %s that holds it: %s', async (name, value, exit, message) => {
    const env = { MACRO_BASE_URL: service, [name]: value };
    const { code, out, err } = await macro('fx eur usd --live', { env });
    expect([code, out, err.split('\n')[0]]).toEqual([exit, '', `macro: ${message} It comes from ${name}.`]);
  });

  it('is told with the option that was typed', async () => {
    const { code, err } = await macro('fx eur usd --base-url http://a.test');
    expect([code, err.split('\n')[0]]).toEqual([
      2,
      'macro: The address of a.test is plain http. It comes from --base-url.',
    ]);
  });
});

describe('the folders', () => {
  const world = { cwd: '/w', home: '/home/u' };

  it.each([
    [{ os: 'linux', env: { MACRO_HOME: 'm' } }, '/w/m', '/w/m/state', '/w/m/mirrors', '/w/m/serve'],
    [
      { os: 'linux', env: {} },
      '/home/u/.config/macro',
      '/home/u/.local/state/macro',
      '/home/u/.local/share/macro/mirrors',
      '/home/u/.local/state/macro/serve',
    ],
    [
      { os: 'linux', env: { XDG_CONFIG_HOME: '/c', XDG_STATE_HOME: '/s', XDG_DATA_HOME: 'relative' } },
      '/c/macro',
      '/s/macro',
      '/home/u/.local/share/macro/mirrors',
      '/s/macro/serve',
    ],
    [
      { os: 'macos', env: {} },
      '/home/u/Library/Application Support/macro',
      '/home/u/Library/Application Support/macro/state',
      '/home/u/Library/Application Support/macro/mirrors',
      '/home/u/Library/Application Support/macro/serve',
    ],
    [
      { os: 'windows', env: { APPDATA: '/r', LOCALAPPDATA: '/l' } },
      '/r/macro',
      '/l/macro/state',
      '/l/macro/mirrors',
      '/l/macro/serve',
    ],
  ] as const)('of %j', (given, config, state, mirrors, serve) => {
    expect(foldersOf({ ...world, ...given })).toEqual({ config, state, mirrors, serve });
  });
});

describe('fields that are kept as a setting', () => {
  async function keeping(fields: string): Promise<TestPlatform> {
    const { folder } = testPlatform();
    await macro('import ecb - --quiet', testPlatform({ folder, stdin: 'Date,USD,\n2026-11-20,1.1500,\n' }));
    await macro(`config set fields ${fields}`, testPlatform({ folder }));
    return testPlatform({ folder });
  }

  it('are those of an answer that has them', async () => {
    const at = await keeping('date,val,announcement_datetime');
    expect((await macro('fx eur usd --offline --start 2026-01-01 --format csv --quiet', at)).out).toBe(
      'date,val\n2026-11-20,1.15\n',
    );
  });

  it('choose nothing of an answer that has none of them', async () => {
    const at = await keeping('open_interest');
    expect((await macro('mirror status --format csv', at)).out).toMatch(/^series,origin,rows,/);
    expect((await macro('config get fields', at)).code).toBe(0);
  });

  it('do not excuse a field that is typed', async () => {
    const at = await keeping('date');
    expect((await macro('mirror status --fields open_interest', at)).code).toBe(2);
  });
});

test('settings that cannot be written are told as a trouble of their file', async () => {
  const { platform, folder } = testPlatform();
  const folders = { ...foldersOf(platform), config: folder };
  mkdirSync(configPath(folders));
  await expect(writeConfig(platform.files, folders, { profiles: {} })).rejects.toMatchObject({
    kind: 'usage',
    message: `Cannot write ${configPath(folders)}: it is a folder.`,
  });
});
