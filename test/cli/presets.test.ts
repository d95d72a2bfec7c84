import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { testPlatform } from '../support/platform.ts';
import { macro } from '../support/run.ts';

/** A machine with a file of presets of its own. */
function withPresets(text: string) {
  const at = testPlatform();
  const file = join(at.folder, 'macro', 'presets.json');
  mkdirSync(join(at.folder, 'macro'), { recursive: true });
  writeFileSync(file, text);
  return { at, file };
}

const DESK = {
  name: 'desk',
  summary: 'our desk',
  baseUrl: 'https://svc.example/',
  streamUrl: 'https://stream.example',
  headerPrefix: 'X-DESK',
};

describe('presets', () => {
  it('are those of the package, then those of the file beside the settings', async () => {
    const { at, file } = withPresets(JSON.stringify({ presets: [DESK] }));
    expect(JSON.parse((await macro('profile presets --format json', at)).out)).toEqual({
      data: [
        {
          ...{ name: 'sandbox', base_url: 'http://127.0.0.1:8787', stream_url: null, header_prefix: 'X-SVC' },
          ...{ summary: 'synthetic data on this machine: macro serve --sandbox', from: 'package' },
        },
        {
          ...{ name: 'custom', base_url: null, stream_url: null, header_prefix: null },
          ...{ summary: 'a service whose address you know', from: 'package' },
        },
        {
          ...{ name: 'desk', base_url: 'https://svc.example', stream_url: 'https://stream.example' },
          ...{ header_prefix: 'X-DESK', summary: 'our desk', from: file },
        },
      ],
      own: file,
    });
  });

  it('make a profile of their name, with everything that they know', async () => {
    const { at } = withPresets(JSON.stringify({ presets: [DESK] }));
    expect((await macro('init --preset desk --offline', at)).code).toBe(0);
    expect(JSON.parse(at.platform.files.readText(join(at.folder, 'macro', 'config.json')))).toEqual({
      profile: 'desk',
      profiles: {
        desk: { baseUrl: 'https://svc.example', streamUrl: 'https://stream.example', headerPrefix: 'X-DESK' },
      },
    });
  });

  it('count less than what is typed', async () => {
    const { at } = withPresets(JSON.stringify({ presets: [DESK] }));
    await macro('init --preset desk --profile mine --base-url https://other.example --header-prefix X-O --offline', at);
    expect(JSON.parse((await macro('profile list --format json', at)).out).data).toEqual([
      { name: 'mine', base_url: 'https://other.example', mirror: null, in_use: true },
    ]);
    expect((await macro('config get header-prefix', at)).out).toBe('X-O\n');
  });

  it.each([
    ['no list', '{}', "it has no list 'presets'"],
    ['no JSON', '{', 'it is not valid JSON'],
    ['a preset without a name', '{"presets":[{"baseUrl":"https://a.example"}]}', 'preset 1 has no name'],
    [
      'a member that is none',
      '{"presets":[{"name":"a","url":"https://a.example"}]}',
      "preset 1 has a member 'url'; members are name, summary, baseUrl, streamUrl, headerPrefix",
    ],
    ['a number', '{"presets":[{"name":"a","baseUrl":5}]}', "'baseUrl' is not a text"],
    [
      'an address that cannot be asked',
      '{"presets":[{"name":"a","baseUrl":"nowhere"}]}',
      "baseUrl of preset 'a': The service address is not a URL",
    ],
    [
      'a prefix that no header has',
      '{"presets":[{"name":"a","headerPrefix":"X Y"}]}',
      "headerPrefix of preset 'a': The header prefix of the service must be letters, digits and hyphens",
    ],
    ['a name of the package', '{"presets":[{"name":"sandbox"}]}', "there is a preset 'sandbox' already"],
    [
      'a name that no profile may have',
      '{"presets":[{"name":"a b"}]}',
      "name of preset 'a b': 'a b' cannot be the name of a profile",
    ],
  ])('of a file with %s are refused with the reason', async (_, text, why) => {
    const { at, file } = withPresets(text);
    const { code, err } = await macro('init --preset sandbox --offline', at);
    expect([code, err.split('\n')[0]]).toEqual([2, `macro: Cannot use ${file}: ${why}.`]);
  });

  it('are named where there is none of a name', async () => {
    expect((await macro('init --preset sandbax --offline')).err).toBe(
      "macro: There is no preset 'sandbax'.\nDid you mean sandbox? Presets are sandbox, custom. macro profile presets shows them.\n",
    );
  });

  it('without an address need one', async () => {
    expect(await macro('init --preset custom --offline')).toMatchObject({
      code: 2,
      err: expect.stringContaining('macro init needs the address of the service.'),
    });
  });
});
