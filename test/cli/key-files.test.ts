import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { originFileName } from '../../src/cli/app/settings.ts';
import { testPlatform } from '../support/platform.ts';
import { macro } from '../support/run.ts';

const STATUS = 'auth status --fields key,from,fingerprint --no-header';

/** One world with a key on standard input; every line runs in the same folder. */
function worldOf() {
  const first = testPlatform();
  const run = (line: string, stdin = '') => macro(line, testPlatform({ folder: first.folder, stdin }));
  const path = (name: string) => join(first.folder, 'macro', 'state', 'keys', name);
  return { run, path };
}

/** First 12 digits of `printf %s first-key | sha256sum`. */
const FIRST = '9e24b55356ef';
const SECOND = 'f397f260a275';

describe('the file of a key', () => {
  it.each([
    ['https://api.example.com', 'https_api.example.com'],
    ['https://api.example.com:8443/v1', 'https_api.example.com_8443'],
    ['http://127.0.0.1:8787', 'http_127.0.0.1_8787'],
    ['https://api.example.com_8443', 'https_api.example.com%5F8443'],
    ['https://[2001:db8::1:2]', 'https_%5B2001%3Adb8%3A%3A1%3A2%5D'],
    ['https://[2001:db8:1::2]', 'https_%5B2001%3Adb8%3A1%3A%3A2%5D'],
  ])('of %s is %s', (url, name) => {
    expect(originFileName(url)).toBe(name);
  });

  it.each([
    ['https://[2001:db8::1:2]', 'https://[2001:db8:1::2]'],
    ['https://svc.example:8443', 'https://svc.example_8443'],
  ])('of %s is not that of %s', async (one, other) => {
    const { run } = worldOf();
    await run(`auth login --offline --base-url ${one}`, 'first-key');
    expect((await run(`${STATUS} --base-url ${other}`)).out).toBe('none\t\t\n');
    await run(`auth login --offline --base-url ${other}`, 'second-key');
    expect((await run(`${STATUS} --base-url ${one}`)).out).toContain(FIRST);
    expect((await run(`${STATUS} --base-url ${other}`)).out).toContain(SECOND);
  });
});

describe('two profiles of one service', () => {
  async function withProfiles() {
    const world = worldOf();
    await world.run('profile add a --base-url https://svc.example');
    await world.run('profile add b --base-url https://svc.example/v1');
    return world;
  }

  it('have a key each', async () => {
    const { run, path } = await withProfiles();
    await run('auth login --offline --profile a', 'first-key');
    await run('auth login --offline --profile b', 'second-key');
    const [a, b] = ['a', 'b'].map((name) => path(`https_svc.example@${name}.key`));
    expect((await run(`${STATUS} --profile a`)).out).toBe(`present\t${a}\t${FIRST}\n`);
    expect((await run(`${STATUS} --profile b`)).out).toBe(`present\t${b}\t${SECOND}\n`);
    expect((await run('auth logout --profile b')).err).toBe(`note: The key in ${b} is removed.\n`);
    expect((await run(`${STATUS} --profile a`)).out).toBe(`present\t${a}\t${FIRST}\n`);
    expect((await run(`${STATUS} --profile b`)).out).toBe('none\t\t\n');
  });

  it('without one of their own use that of the origin', async () => {
    const { run, path } = await withProfiles();
    mkdirSync(path('.'), { recursive: true });
    const shared = path('https_svc.example.key');
    writeFileSync(shared, 'first-key\n', { mode: 0o600 });
    expect((await run(`${STATUS} --profile b`)).out).toBe(`present\t${shared}\t${FIRST}\n`);
    await run('auth login --offline --profile b', 'second-key');
    expect((await run(`${STATUS} --profile a`)).out).toBe(`present\t${shared}\t${FIRST}\n`);
  });

  it('have no key for another service', async () => {
    const { run, path } = await withProfiles();
    await run('auth login --offline --profile a --base-url https://other.example', 'first-key');
    expect(existsSync(path('https_other.example.key'))).toBe(true);
    expect((await run(`${STATUS} --profile a`)).out).toBe('none\t\t\n');
  });
});
