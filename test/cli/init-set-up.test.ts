import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Fetch } from '../../src/platform/platform.ts';
import { testPlatform } from '../support/platform.ts';
import { macro } from '../support/run.ts';
import { SERVICE_URL, sandboxMirror, serviceOver } from '../support/service.ts';

const KEY = 'good-key-1234567890';

/** A service of made-up data, and what it was asked. */
async function machine() {
  const first = testPlatform();
  const { fetch, seen } = await serviceOver(await sandboxMirror(first.platform), first.platform);
  return { at: testPlatform({ fetch, folder: first.folder, sleeping: 'jumps', env: { SHELL: '/bin/bash' } }), seen };
}

const INIT = `init --base-url ${SERVICE_URL} --profile work`;

describe('macro init without a person', () => {
  it('tracks, syncs with an estimate before it, and installs completions, as options say', async () => {
    const { at, seen } = await machine();
    const { code, out, err } = await macro(
      `${INIT} --track "calendar usd, announcements usd inflation" --sync --completion bash`,
      at,
    );
    expect([code, out]).toEqual([0, expect.stringContaining('calendar usd\tcomplete')]);
    const said = err.split('\n').filter((line) => /^(macro |note: A first)/.test(line));
    const sent = seen.filter((line) => !line.includes('/v1/ping')).length;
    expect(said).toEqual([
      'macro track add calendar usd, announcements usd inflation --profile work',
      expect.stringMatching(/^note: A first sync sends about \d+ requests for 2 series, at once\.$/),
      'macro sync --profile work',
      'macro completion install bash',
    ]);
    const estimate = Number(/about (\d+)/.exec(said[1] ?? '')?.[1]);
    expect(Math.max(estimate / sent, sent / estimate)).toBeLessThanOrEqual(1.5);
    expect(at.platform.files.exists(join(at.platform.home, '.local/share/bash-completion/completions/macro'))).toBe(
      true,
    );
  });

  it('does none of it that no option names, and says how', async () => {
    const { at } = await machine();
    const { code, out, err } = await macro(INIT, at);
    expect([code, out]).toEqual([0, '']);
    expect(err).toContain('note: To keep a mirror: macro track add calendar usd, announcements usd inflation');
    expect((await macro('track list --format json', at)).out).toContain('"data":[]');
  });

  it('tells a step that fails, does the others, and ends with the code of the first failure', async () => {
    const { at } = await machine();
    const { code, err } = await macro(`${INIT} --track "calendar usd" --every 1h --completion bash`, at);
    expect([code, err]).toEqual([3, expect.stringContaining('warning: No scheduler answers here')]);
    expect(err).toContain('note: Completion for bash is in ');
    expect((await macro('profile list --fields name --no-header', at)).out).toBe('work\n');
  });

  it.each(['--sync', '--every 1h'])('%s needs something that is tracked', async (option) => {
    const { at } = await machine();
    expect(await macro(`${INIT} --track none ${option}`, at)).toMatchObject({ code: 2 });
  });
});

/** A service that knows one key. */
const guarded: Fetch = async (_, init) => {
  const key = new Headers(init.headers).get('x-api-key');
  if (key === null || key === KEY) return Response.json({ status: 'ok', service: 'x' });
  return Response.json({ detail: 'Unknown key.', code: 'invalid_api_key' }, { status: 401 });
};

describe('macro init with a key that the service refuses', () => {
  it('keeps nothing, exit 4, and names the option that keeps it', async () => {
    const at = testPlatform({ fetch: guarded, stdin: 'wrong-key-1234567890' });
    expect(await macro(`${INIT} --key-stdin`, at)).toMatchObject({
      code: 4,
      err: `macro: ${SERVICE_URL} refuses this key, so it is not stored: Unknown key.\nLook at the key again, then: macro init. To keep it all the same, add --keep-refused.\n`,
    });
    expect(at.platform.files.exists(join(at.folder, 'macro', 'config.json'))).toBe(false);
  });

  it('keeps it under --keep-refused, and says what follows', async () => {
    const at = testPlatform({ fetch: guarded, stdin: 'wrong-key-1234567890' });
    const { code, err } = await macro(`${INIT} --key-stdin --keep-refused`, at);
    expect([code, err.split('\n')[0]]).toEqual([
      0,
      'warning: the service refuses this key: Unknown key. It is stored anyway; every request that needs a key will end with exit 4.',
    ]);
    expect(JSON.parse((await macro('auth status --format json', at)).out).data[0].key).toBe('present');
  });
});

it('a spent quota is said, with what follows', async () => {
  const spent: Fetch = async () =>
    Response.json({ detail: 'Too many.', code: 'rate_limited' }, { status: 429, headers: { 'retry-after': '3600' } });
  const { code, err } = await macro(INIT, testPlatform({ fetch: spent, sleeping: 'jumps' }));
  expect([code, err]).toEqual([
    0,
    expect.stringContaining(
      'Until its quota is back, questions wait or end with exit 5; macro quota shows when that is.',
    ),
  ]);
});
