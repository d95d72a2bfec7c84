// The keychain of the system. Its library is a native one: it is loaded when a key goes there or comes from there.
import process from 'node:process';
import { MacroError } from '../../errors.ts';
import type { Keychain } from '../platform.ts';
import { type KeyringEntry, loadKeyring } from './keyring-module.ts';

/** Under which the system lists our entries. */
const SERVICE = 'macro-data';

/** The library may fall back to a keyring of the kernel, which forgets everything when the machine ends: never that one. */
const HOW = { linux: { store: 'secret-service' } } as const;

const NAMES: Readonly<Record<string, string>> = { darwin: 'the keychain of macOS', win32: 'the Credential Manager' };

export function nodeKeychain(env: Readonly<Record<string, string | undefined>>): Keychain {
  const name = NAMES[process.platform] ?? 'the keyring of the desktop';
  const attempt = <T>(account: string, work: (entry: KeyringEntry) => T): T => {
    const lacking = lackOfSession(env);
    if (lacking !== undefined) throw unavailable(name, lacking);
    try {
      return work(new (loadKeyring().Entry)(SERVICE, account, HOW));
    } catch (error) {
      throw unavailable(name, error instanceof Error ? error.message : String(error), error);
    }
  };
  return {
    describe: (account) => `${name}, entry ${SERVICE} ${account}`,
    lack() {
      try {
        attempt('probe', (entry) => entry.getPassword());
        return undefined;
      } catch (error) {
        if (error instanceof MacroError) return error.message;
        throw error;
      }
    },
    read: (account) => attempt(account, (entry) => entry.getPassword()) ?? undefined,
    write: (account, secret) => attempt(account, (entry) => entry.setPassword(secret)),
    remove: (account) => void attempt(account, (entry) => entry.deletePassword()),
  };
}

/** On Linux it is a program of the desktop session, found by the address of the session's bus. */
function lackOfSession(env: Readonly<Record<string, string | undefined>>): string | undefined {
  if (process.platform !== 'linux' || env.DBUS_SESSION_BUS_ADDRESS) return undefined;
  return 'there is no desktop session (DBUS_SESSION_BUS_ADDRESS is not set)';
}

function unavailable(name: string, why: string, cause?: unknown): MacroError {
  return new MacroError('auth', `${name[0]?.toUpperCase()}${name.slice(1)} does not answer: ${why}.`, {
    code: 'keychain_unavailable',
    hint: 'Unlock it, or keep the key in a file that only you can read: macro auth login --keep-in file',
    cause,
  });
}
