import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { ensureBuilt } from '../support/built.ts';
import { freshFolder } from '../support/platform.ts';

const root = join(import.meta.dirname, '../..');

/** A bus of its own and a keyring that answers on it, as in a desktop session. */
const canRun = ['dbus-run-session', 'gnome-keyring-daemon'].every(
  (program) => spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0,
);

beforeAll(ensureBuilt);

/** Runs lines of a shell in a session whose keyring is unlocked; `macro` is the built program. */
function inSession(lines: readonly string[]): string {
  const home = freshFolder();
  const script = [
    'macro() { "$NODE" "$PROGRAM" "$@" 2>&1; }',
    'printf password | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1',
    ...lines,
  ].join('\n');
  return execFileSync('dbus-run-session', ['--', 'bash', '-c', script], {
    cwd: home,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    env: {
      HOME: home,
      PATH: process.env.PATH ?? '',
      NODE: process.execPath,
      PROGRAM: join(root, 'bin', 'macro.js'),
    },
  }).replaceAll(home, '~');
}

const ON = '--base-url https://svc.example';
const ENTRY = 'the keyring of the desktop, entry macro-data https_svc.example (~/.local/state/macro)';

describe.skipIf(!canRun)('the keyring of a desktop (needs dbus-run-session and gnome-keyring-daemon)', () => {
  it('takes the key, gives it back, and is needed for nothing else', () => {
    const told = inSession([
      `printf first-key | macro auth login --offline ${ON}`,
      'cat .local/state/macro/keys/*',
      `macro auth status ${ON} --fields key,from,fingerprint --no-header`,
      `env -u DBUS_SESSION_BUS_ADDRESS "$NODE" "$PROGRAM" auth status ${ON} 2>&1 | head -1`,
      `macro auth move file ${ON}`,
      'cat .local/state/macro/keys/*',
      `macro auth move keychain ${ON} --quiet`,
      `macro auth logout ${ON}`,
      'ls .local/state/macro/keys',
      'grep -c first-key .local/share/keyrings/login.keyring || true',
    ]);
    expect(told.split('\n')).toEqual([
      `note: The key for https://svc.example is stored in ${ENTRY}.`,
      '{"fingerprint":"9e24b55356ef"}',
      `present\t${ENTRY}\t9e24b55356ef`,
      'macro: The keyring of the desktop does not answer: there is no desktop session (DBUS_SESSION_BUS_ADDRESS is not set).',
      'note: The key for https://svc.example is now stored in ~/.local/state/macro/keys/https_svc.example.key.',
      'first-key',
      `note: The key in ${ENTRY} is removed.`,
      '0',
      '',
    ]);
  });
});
