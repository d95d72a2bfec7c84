import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Run } from '../../src/platform/platform.ts';
import { memoryKeychain } from '../support/keychain.ts';
import { testPlatform } from '../support/platform.ts';
import { macro } from '../support/run.ts';

const KEY = 'first-key';
/** First 12 digits of `printf %s first-key | sha256sum`. */
const DIGITS = '9e24b55356ef';

/** A machine with a keychain, whose folders are those of the system, and whose scheduler is a crontab. */
function machine(env: Record<string, string | undefined> = {}) {
  const { keychain, entries, lock } = memoryKeychain();
  const first = testPlatform();
  let table = '';
  const started: { line: string; env: Readonly<Record<string, string | undefined>> | undefined }[] = [];
  const run: Run = async (program, args, options = {}) => {
    if (program === 'pgrep') return { code: 0, stdout: '1', stderr: '' };
    if (program.endsWith('/node')) {
      started.push({ line: args.join(' '), env: options.env });
      const code = options.env?.DBUS_SESSION_BUS_ADDRESS?.includes('nonexistent') ? 4 : 0;
      return { code, stdout: '', stderr: '' };
    }
    if (program !== 'crontab') return { code: 127, stdout: '', stderr: '' };
    if (args[0] === '-') table = options.input ?? '';
    if (args[0] === '-l' && table === '') return { code: 1, stdout: '', stderr: 'no crontab for me' };
    return { code: 0, stdout: args[0] === '-l' ? table : '', stderr: '' };
  };
  const variables = { MACRO_HOME: undefined, ...env };
  const say = (line: string, stdin = KEY) =>
    macro(line, testPlatform({ folder: first.folder, keychain, run, env: variables, stdin }));
  const keys = join(first.platform.home, '.local', 'state', 'macro', 'keys');
  const files = () => (first.platform.files.exists(keys) ? first.platform.files.list(keys) : []);
  return { say, entries, lock, keys, files, started, table: () => table };
}

const ON = '--base-url https://svc.example';
const ACCOUNT = (keys: string) => `https_svc.example (${keys.replace(/\/keys$/, '')})`;

describe('a key', () => {
  it('goes into the keychain where there is one; beside it stands its fingerprint alone', async () => {
    const { say, entries, keys, files } = machine();
    expect((await say(`auth login --offline ${ON}`)).err).toBe(
      `note: The key for https://svc.example is stored in the test keychain, entry ${ACCOUNT(keys)}.\n`,
    );
    expect([entries(), files()]).toEqual([{ [ACCOUNT(keys)]: KEY }, ['https_svc.example.keychain']]);
    expect(JSON.parse((await say(`auth status ${ON} --format json`)).out).data).toEqual([
      {
        ...{ service: 'https://svc.example', key: 'present' },
        ...{ from: `the test keychain, entry ${ACCOUNT(keys)}`, fingerprint: DIGITS },
      },
    ]);
  });

  it('is not read from there by a question to the mirror', async () => {
    const { say, lock } = machine();
    await say(`auth login --offline ${ON}`);
    lock();
    expect((await say(`fx eur usd --offline ${ON}`)).err).toContain('There is no mirror at ');
    const { code, err } = await say(`auth status ${ON}`);
    expect([code, err.split('\n')[0]]).toEqual([4, 'macro: The test keychain does not answer: it is locked.']);
  });

  it('goes into a file, announced with the reason, where the keychain does not answer', async () => {
    const { say, lock, entries, keys, files } = machine();
    lock();
    const path = join(keys, 'https_svc.example.key');
    expect((await say(`auth login --offline ${ON}`)).err).toBe(
      `warning: the key for https://svc.example is stored unencrypted in ${path}, readable by you only. The test keychain does not answer: it is locked.\n`,
    );
    expect([entries(), files()]).toEqual([{}, ['https_svc.example.key']]);
    expect(await say(`auth login --offline ${ON} --keep-in keychain`)).toMatchObject({ code: 4 });
  });

  it('goes into a file where MACRO_HOME holds everything', async () => {
    const { say, entries } = machine({ MACRO_HOME: 'own' });
    await say(`auth login --offline ${ON}`);
    expect(entries()).toEqual({});
  });

  it('is moved without being typed again, and is in one place only', async () => {
    const { say, entries, files } = machine();
    await say(`auth login --offline ${ON}`);
    expect((await say(`auth move file ${ON}`)).code).toBe(0);
    expect([entries(), files()]).toEqual([{}, ['https_svc.example.key']]);
    expect((await say(`auth move keychain ${ON}`)).code).toBe(0);
    expect([Object.values(entries()), files()]).toEqual([[KEY], ['https_svc.example.keychain']]);
    expect((await say(`auth move keychain ${ON}`)).err).toContain('is there already');
    expect((await say(`auth logout ${ON}`)).code).toBe(0);
    expect([entries(), files()]).toEqual([{}, []]);
    expect(await say(`auth move file ${ON}`)).toMatchObject({ code: 3 });
    expect(await say(`auth move cellar ${ON}`)).toMatchObject({ code: 2 });
  });

  it('that went out of the keychain is missed', async () => {
    const { say, keys, entries } = machine();
    await say(`auth login --offline ${ON}`);
    const { say: elsewhere } = machine();
    expect(Object.keys(entries())).toEqual([ACCOUNT(keys)]);
    expect((await elsewhere(`auth status ${ON} --fields key --no-header`)).out).toBe('none\n');
  });
});

describe('a scheduled sync', () => {
  it('is not installed while its key is in a keychain of the desktop; the cure works', async () => {
    const { say, started, table, keys } = machine();
    await say('profile add work --base-url https://svc.example');
    await say('auth login --offline');
    await say('track add cot usd');
    const { code, err } = await say('schedule install --every 1h --with cron');
    expect([code, err]).toEqual([
      4,
      'macro: Scheduled runs cannot read the key: it is in a keychain that needs a desktop session.\n' +
        'Move it into a file that only you can read: macro auth move file. Then: macro schedule install\n',
    ]);
    expect(table()).toBe('');
    expect(started.map(({ line, env }) => [line, Object.keys(env ?? {}).sort()])).toEqual([
      [
        '/opt/macro/bin/macro.js auth status --format json',
        ['DBUS_SESSION_BUS_ADDRESS', 'HOME', 'MACRO_PROFILE', 'MACRO_SCHEDULER', 'PATH'],
      ],
    ]);
    await say('auth move file');
    expect((await say('schedule install --every 1h --with cron')).code).toBe(0);
    expect(table()).toContain('sync --quiet');
    expect((await say('auth login --offline')).err).toBe(
      `warning: the key for https://svc.example is stored unencrypted in ${join(keys, 'https_svc.example@work.key')}, readable by you only. A scheduled sync has to read it without a desktop session.\n`,
    );
  });

  it('with a key that went into the keychain later is a problem that doctor names', async () => {
    const { say } = machine();
    await say('profile add work --base-url https://svc.example');
    await say('auth login --offline --keep-in file');
    await say('track add cot usd');
    await say('schedule install --every 1h --with cron');
    const looks = async () => {
      const { code, out } = await say('doctor --offline --format json');
      const rows: { check: string; state: string; do: string }[] = JSON.parse(out).data;
      return [code, rows.filter(({ check, state }) => check === 'schedule' && state !== 'ok').map((row) => row.do)];
    };
    expect(await looks()).toEqual([0, []]);
    await say('auth move keychain');
    expect(await looks()).toEqual([4, ['macro auth move file']]);
    await say('auth move file');
    expect(await looks()).toEqual([0, []]);
  });
});
