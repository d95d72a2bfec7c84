import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fileError } from '../../src/platform/file-error.ts';
import type { Run } from '../../src/platform/platform.ts';
import { testPlatform } from '../support/platform.ts';
import { macro } from '../support/run.ts';
import { SERVICE_URL } from '../support/service.ts';

const NOW = '2026-11-20T15:00:00Z';

/** What `macro doctor` says of each thing, where the service answers in some way. */
async function looked(fetch: () => Promise<Response>, env: Record<string, string> = {}, words = 'doctor') {
  const at = testPlatform({ now: NOW, fetch, env: { MACRO_BASE_URL: SERVICE_URL, ...env } });
  const { code, out, err } = await macro(`${words} --format json`, at);
  const rows: { check: string; state: string; says: string; do: string | null }[] = JSON.parse(out).data;
  return { code, err, rows: Object.fromEntries(rows.map(({ check, ...row }) => [check, row])) };
}

const answering = (date: string) => async () =>
  Response.json({ status: 'ok', service: 'x' }, { headers: { date: new Date(date).toUTCString() } });

it('shows address, key, proxy, mirror, answer and clock, and is exit 0 without a problem', async () => {
  const env = {
    MACRO_BASE_URL: 'https://svc.example',
    MACRO_API_KEY: 'secret-key',
    HTTPS_PROXY: 'http://me:pass@127.0.0.1:3128',
  };
  const { code, rows } = await looked(answering(NOW), env);
  expect([code, Object.fromEntries(Object.entries(rows).map(([check, { state }]) => [check, state]))]).toEqual([
    0,
    {
      ...{ program: 'ok', folders: 'ok', disk: 'ok', service: 'ok', proxy: 'ok', key: 'ok', mirror: 'note' },
      ...{ answer: 'ok', clock: 'ok', quota: 'ok', tracked: 'note', schedule: 'note' },
    },
  ]);
  expect(rows.service?.says).toBe('https://svc.example (MACRO_BASE_URL)');
  expect(rows.proxy?.says).toMatch(/^http:\/\/.*127\.0\.0\.1:3128.*\(HTTPS_PROXY\)$/);
  expect(JSON.stringify(rows)).not.toMatch(/secret-key|pass/);
});

it('names what follows from having no key, and a clock that is wrong', async () => {
  const { code, rows } = await looked(answering('2026-11-20T14:58:00Z'));
  expect([code, rows.key, rows.clock]).toEqual([
    0,
    { state: 'note', says: 'none: USD of the last 90 days only', do: 'macro auth login' },
    {
      state: 'note',
      says: '120 s ahead of the service: releases seem early or late',
      do: 'Set the clock of this machine: sudo timedatectl set-ntp true',
    },
  ]);
});

it('prints all lines and ends with the code of the problem: a key that is refused', async () => {
  const refused = async () => Response.json({ detail: 'No such key.', code: 'invalid_api_key' }, { status: 401 });
  const { code, rows } = await looked(refused, { MACRO_API_KEY: 'wrong' });
  expect([code, rows.answer?.state, rows.mirror?.state]).toEqual([4, 'problem', 'note']);
});

it('asks nobody with --offline', async () => {
  const asked = () => Promise.reject(new Error('asked'));
  const { code, rows } = await looked(asked, {}, 'doctor --offline');
  expect([code, Object.keys(rows)]).toEqual([
    0,
    ['program', 'folders', 'disk', 'service', 'proxy', 'key', 'mirror', 'answer', 'tracked', 'schedule'],
  ]);
});

type Look = { check: string; state: string; says: string; do: string | null };
const looksIn = (out: string): readonly Look[] => JSON.parse(out).data;
const lookAt = (out: string, check: string) => looksIn(out).find((look) => look.check === check && look.state !== 'ok');
const NO_RUN: Run = async (program) => ({ code: 127, stdout: '', stderr: `${program}: not found` });

/** A machine with a crontab, and perhaps a daemon that reads it. */
function cronMachine() {
  let table = '';
  let isRunning = false;
  const run: Run = async (program, args, { input = '' } = {}) => {
    if (program === 'pgrep') return { code: isRunning ? 0 : 1, stdout: '', stderr: '' };
    if (program === 'service') isRunning = true;
    if (program !== 'crontab') return NO_RUN(program, args);
    if (args[0] === '-') table = input;
    if (args[0] === '-r') table = '';
    if (args[0] === '-l' && table === '') return { code: 1, stdout: '', stderr: 'no crontab for me' };
    return { code: 0, stdout: args[0] === '-l' ? table : '', stderr: '' };
  };
  return { run, start: () => (isRunning = true) };
}

it('a clock that is ten minutes off is a problem with exit 10, and gone once it is set', async () => {
  const { code, rows } = await looked(answering('2026-11-20T14:50:00Z'));
  expect([code, rows.clock?.state, rows.clock?.says, rows.clock?.do]).toEqual([
    10,
    'problem',
    'The clock of this machine is 600 s ahead of the service: releases seem early or late.',
    'Set the clock of this machine: sudo timedatectl set-ntp true',
  ]);
  expect((await looked(answering('2026-11-20T15:00:00Z'))).code).toBe(0);
});

it('a dead address is exit 6 and names where it stands', async () => {
  const dead = () => Promise.reject(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }));
  const { code, rows } = await looked(dead);
  expect([code, rows.answer?.state, rows.answer?.do]).toEqual([
    6,
    'problem',
    expect.stringContaining('Correct MACRO_BASE_URL'),
  ]);
});

it('a wrong key is exit 4, and the cure works when typed', async () => {
  const refused = async (_: string, init: RequestInit) =>
    new Headers(init.headers).get('x-api-key') === 'right-key-1234567'
      ? answering(NOW)()
      : Response.json({ detail: 'No such key.', code: 'invalid_api_key' }, { status: 401 });
  const options = { now: NOW, fetch: refused, env: { MACRO_BASE_URL: SERVICE_URL }, stdin: 'wrong-key-1234567' };
  const at = testPlatform(options);
  await macro('auth login --offline', at);
  const before = await macro('doctor --format json', at);
  expect([before.code, lookAt(before.out, 'answer')?.do]).toEqual([4, 'macro auth login']);
  const again = testPlatform({ ...options, folder: at.folder, stdin: 'right-key-1234567' });
  await macro('auth login', again);
  expect((await macro('doctor --format json', again)).code).toBe(0);
});

it('a key that others can read is exit 4, and the cure works when typed', async () => {
  const at = testPlatform({
    now: NOW,
    fetch: answering(NOW),
    env: { MACRO_BASE_URL: SERVICE_URL },
    stdin: 'some-key-1234567',
  });
  await macro('auth login --offline', at);
  const folder = join(at.folder, 'macro', 'state', 'keys');
  const [name = ''] = at.platform.files.list(folder);
  at.platform.files.write(join(folder, name), 'some-key-1234567', 0o644);
  const { code, out } = await macro('doctor --format json', at);
  expect([code, lookAt(out, 'key')?.do]).toEqual([4, expect.stringContaining(`chmod 600 ${join(folder, name)}`)]);
  at.platform.files.write(join(folder, name), 'some-key-1234567', 0o600);
  expect((await macro('doctor --format json', at)).code).toBe(0);
});

it('a full disk is exit 8', async () => {
  const at = testPlatform({ now: NOW, fetch: answering(NOW), env: { MACRO_BASE_URL: SERVICE_URL } });
  const full = { ...at.platform, files: { ...at.platform.files, room: () => 12_000_000 } };
  const { code, out } = await macro('doctor --format json', { ...at, platform: full });
  expect([code, lookAt(out, 'disk')?.says]).toEqual([8, expect.stringMatching(/^Only 12 MB free at /)]);
});

it('a table without a cron daemon: install is exit 10, doctor names it, and starting the daemon mends it', async () => {
  const { run, start } = cronMachine();
  const at = testPlatform({ now: NOW, run, fetch: answering(NOW), env: { MACRO_BASE_URL: SERVICE_URL } });
  await macro('track add calendar usd --quiet', at);
  const installed = await macro('schedule install', at);
  expect([installed.code, installed.err]).toEqual([
    10,
    'macro: cron has the entry, but does not run on this machine: nothing begins a sync.\nStart it: sudo service cron start. Or do without it: macro sync --watch\n',
  ]);
  const { code, out } = await macro('doctor --format json', at);
  expect([code, lookAt(out, 'schedule')?.do]).toEqual([
    10,
    'Start it: sudo service cron start. Or do without it: macro sync --watch',
  ]);
  start();
  expect((await macro('schedule install --quiet', at)).code).toBe(0);
  expect(lookAt((await macro('doctor --format json', at)).out, 'schedule')).toBeUndefined();
});

it('names the mirror of another profile', async () => {
  const at = testPlatform({ now: NOW, stdin: 'Date,USD,\n2026-11-20,1.1502,\n', fetch: answering(NOW) });
  await macro('import ecb - --quiet', at);
  await macro('profile add work --base-url https://svc.example --quiet', at);
  const { out } = await macro('doctor --format json', at);
  const [own, other] = looksIn(out).filter(({ check }) => check === 'mirror');
  const path = join(at.folder, 'macro', 'mirrors', 'default.db');
  expect([own?.state, other?.says, other?.do]).toEqual([
    'note',
    `there is another one: ${path}`,
    `macro mirror status --mirror ${path}`,
  ]);
  expect((await macro(`mirror status --mirror ${path}`, at)).code).toBe(0);
});

it('names missing completions, and the cure puts them where it then finds them', async () => {
  const at = testPlatform({ now: NOW, env: { SHELL: '/usr/bin/fish' } });
  const look = lookAt((await macro('doctor --format json', at)).out, 'completions');
  expect(look?.do).toBe('macro completion install fish');
  expect((await macro('completion install fish', at)).code).toBe(0);
  expect(lookAt((await macro('doctor --format json', at)).out, 'completions')).toBeUndefined();
});

it('names completions that another version wrote, and the cure brings those of this one', async () => {
  const at = testPlatform({ now: NOW, env: { SHELL: '/bin/bash' } });
  expect((await macro('completion install bash', at)).code).toBe(0);
  const script = join(at.platform.home, '.local/share/bash-completion/completions/macro');
  writeFileSync(script, `${readFileSync(script, 'utf8')}# of another version\n`);
  const look = lookAt((await macro('doctor --format json', at)).out, 'completions');
  expect([look?.state, look?.says, look?.do]).toEqual([
    'note',
    'installed for bash by another version of this program',
    'macro completion install bash',
  ]);
  expect((await macro('completion install bash', at)).code).toBe(0);
  expect(lookAt((await macro('doctor --format json', at)).out, 'completions')).toBeUndefined();
});

it('finds a mirror on a read-only disk by a try, as a sync would', async () => {
  const at = testPlatform({ now: NOW });
  const { files } = at.platform;
  const disk = join(at.folder, 'disk');
  mkdirSync(disk);
  const write: typeof files.write = (path, ...rest) => {
    if (path.startsWith(disk)) throw fileError('write', path, Object.assign(new Error(), { code: 'EROFS' }));
    files.write(path, ...rest);
  };
  const platform = { ...at.platform, files: { ...files, write } };
  const { code, out } = await macro(`doctor --offline --format json --mirror ${disk}/macro.db`, { ...at, platform });
  expect([code, lookAt(out, 'folders')]).toMatchObject([
    8,
    {
      state: 'problem',
      says: expect.stringMatching(/the file system is read-only\.$/),
      do: 'Mount the disk for writing, or choose another place.',
    },
  ]);
});
